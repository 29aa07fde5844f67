#pragma once

#include <unicode/utf8.h>

#include <array>
#include <cstdint>
#include <string>

namespace idne {

/// REQUIRES: a code point, not half of a pair.
inline void append_utf8(std::string& text, std::uint32_t code_point) {
  std::array<char, U8_MAX_LENGTH> bytes{};
  std::size_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, code_point);
  text.append(bytes.data(), size);
}

}  // namespace idne
