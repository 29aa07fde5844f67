#include "search/snippets.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace idne {
namespace {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The range of found words, within `size` bytes of each other, that has most different words, then most words.
std::span<const FoundWord> densest(std::span<const FoundWord> found, std::size_t size) {
  std::unordered_map<std::uint32_t, std::size_t> counts;
  std::size_t first = 0, best_first = 0, best_end = 0, best_different = 0;
  for (std::size_t last = 0; last < found.size(); ++last) {
    ++counts[found[last].word];
    while (found[last].end - found[first].begin > size && first < last) {
      if (--counts[found[first].word] == 0) counts.erase(found[first].word);
      ++first;
    }
    const bool more =
        counts.size() > best_different || (counts.size() == best_different && last + 1 - first > best_end - best_first);
    if (!more) continue;
    best_different = counts.size();
    best_first = first;
    best_end = last + 1;
  }
  return found.subspan(best_first, best_end - best_first);
}

void append(std::string& to, std::string_view text) {
  for (const char c : text) {
    if (!is_space(c)) {
      to += c;
    } else if (to.empty() || to.back() != ' ') {
      to += ' ';
    }
  }
}

}  // namespace

std::string_view whole_characters(std::string_view text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t n = 1; n <= std::min(kLongest, text.size()); ++n) {
    const auto byte = static_cast<unsigned char>(text[text.size() - n]);
    if (byte < 0x80) return text;
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return needed > n ? text.substr(0, text.size() - n) : text;
  }
  return text;
}

std::vector<SnippetPart> make_snippet(std::string_view text, std::span<const FoundWord> found, std::size_t size) {
  std::vector<SnippetPart> parts;
  if (found.empty()) return parts;
  const auto shown = densest(found, size);
  const std::size_t width = shown.back().end - shown.front().begin;
  const std::size_t room = size > width ? (size - width) / 2 : 0;
  // Widened to both sides, as far as there is text, to the next space; a script without spaces has its words alone.
  std::size_t begin = shown.front().begin, end = shown.back().end;
  for (std::size_t at = begin; at > 0 && shown.front().begin - at < room;) {
    if (is_space(text[--at])) begin = at + 1;
    if (at == 0) begin = 0;
  }
  const std::size_t most = std::min(text.size(), begin + std::max(size, end - begin));
  for (std::size_t at = end; at <= most; ++at) {
    if (at == text.size() || is_space(text[at])) end = at;
  }
  std::string plain = begin > 0 ? "… " : "";
  std::size_t place = begin;
  for (const FoundWord& word : found) {
    if (word.begin < place || word.end > end) continue;
    append(plain, text.substr(place, word.begin - place));
    if (!plain.empty()) parts.push_back({std::move(plain), false});
    parts.push_back({std::string(text.substr(word.begin, word.end - word.begin)), true});
    plain.clear();
    place = word.end;
  }
  append(plain, text.substr(place, end - place));
  if (end < text.size()) plain += " …";
  if (!plain.empty()) parts.push_back({std::move(plain), false});
  return parts;
}

}  // namespace idne
