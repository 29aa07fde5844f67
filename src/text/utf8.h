#pragma once

#include <unicode/utf8.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace idne {

/// REQUIRES: a code point, not half of a pair.
inline void append_utf8(std::string& text, std::uint32_t code_point) {
  std::array<char, U8_MAX_LENGTH> bytes{};
  std::size_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, code_point);
  text.append(bytes.data(), size);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
/// The character at `at`, which is moved behind it; U+FFFD for what is no UTF-8. REQUIRES: at < bytes.size().
inline char32_t next_character(std::string_view bytes, std::size_t& at) {
  char32_t c;
  U8_NEXT_OR_FFFD(bytes.data(), at, bytes.size(), c);
  return c;
}
#pragma GCC diagnostic pop

}  // namespace idne
