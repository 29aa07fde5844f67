#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace idne {

/// The whole number that a text is, in any locale; nothing if it is none or is too large.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return {};
  return number;
}

}  // namespace idne
