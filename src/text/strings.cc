#include "text/strings.h"

#include <simdjson.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "text/utf8.h"

namespace idne {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

std::size_t width_of(char32_t c) {
  if (c >= 0x20 && c < 0x300) return 1;
  const auto character = static_cast<UChar32>(c);
  const bool is_mark = (U_GET_GC_MASK(character) & (U_GC_M_MASK & ~U_GC_MC_MASK)) != 0;
  if (is_mark || c == 0) return 0;
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  if (width == U_EA_WIDE || width == U_EA_FULLWIDTH) return 2;
  return u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? 0 : 1;  // joiners, the byte order mark
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_ascii(c);
  return lower;
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_ascii(x) == lower_ascii(y); });
}

std::string in_small_letters(std::string_view text) {
  std::string result;
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())))
      .toLower(icu::Locale::getRoot())
      .toUTF8String(result);
  return result;
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string valid_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string result;
  for (std::size_t at = 0; at < text.size();) append_utf8(result, next_character(text, at));
  return result;
}

std::string json_quoted(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string out = "\"";
  for (const char c : valid) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[static_cast<unsigned char>(c) >> 4];
          out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string tsv_cell(std::string_view text) {
  std::string out;
  const auto escape = [&out](const char* kind, std::uint32_t c, int digits) {
    out += kind;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[c >> shift & 15];
  };
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) {
      escape("\\x", c, 2);
    } else if (c == 0x2028 || c == 0x2029) {
      escape("\\u", c, 4);
    } else {
      append_utf8(out, c);
    }
  }
  return out;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) columns += width_of(next_character(text, at));
  return columns;
}

std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0, next = 0; at < text.size(); at = next) {
    used += width_of(next_character(text, next));
    if (used > columns) break;
  }
  return at;
}

std::string cut_to_columns(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  return std::string(text.substr(0, bytes_within(text, columns > 0 ? columns - 1 : 0))) + "…";
}

}  // namespace idne
