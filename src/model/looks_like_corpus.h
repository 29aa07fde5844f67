#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace idne {

/// Whether a file that is no model may be a part of a corpus: documents as JSON lines, perhaps behind a byte-order
/// mark, whatever is compressed, and lines with tabs, as links and groups have.
inline bool looks_like_corpus(std::string_view bytes) {
  constexpr std::array<std::string_view, 4> kBegins{"{", "\xEF\xBB\xBF", "\x1F\x8B", "\x28\xB5\x2F\xFD"};
  if (std::ranges::any_of(kBegins, [&](std::string_view begin) { return bytes.starts_with(begin); })) return true;
  constexpr std::size_t kLongestRow = 4096;
  const std::string_view line = bytes.substr(0, std::min(bytes.find('\n'), kLongestRow));
  return line.find('\t') != std::string_view::npos && line.find('\0') == std::string_view::npos;
}

}  // namespace idne
