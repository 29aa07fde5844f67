#include "text/markup.h"

#include "text/utf8.h"

namespace idne {

std::string escape_markup(std::string_view bytes) {
  std::string escaped;
  escaped.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    char32_t c = next_character(bytes, at);
    const bool line_end = c == '\r';
    if (line_end && at < bytes.size() && bytes[at] == '\n') continue;
    if (line_end) c = '\n';
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '\'') {
      escaped += "&#39;";
    } else {
      if (c < 0x20 && c != '\n' && c != '\t') c += 0x2400;
      if (c == 0x7F) c = 0x2421;
      const bool no_character = (c >= 0x80 && c < 0xA0) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
      if (no_character) c = 0xFFFD;
      append_utf8(escaped, c);
    }
  }
  return escaped;
}

}  // namespace idne
