#include "import/row_chunks.h"

#include <algorithm>

namespace idne {

bool RowChunks::next(RowChunk& chunk) {
  if (ended_) return false;
  chunk.text = std::move(rest_);
  rest_.clear();
  chunk.start = place_;
  chunk.first = first_;
  first_ = false;
  followed_ = 0;
  comment_ends_ = {};
  chunk.whole = false;
  while (!chunk.whole && chunk.text.size() <= kLongestChunk) {
    const std::size_t before = chunk.text.size();
    const std::string_view piece = pieces_.next();
    chunk.text += piece;
    ended_ = piece.empty();
    chunk.whole = ended_ || cut(chunk.text, before);
  }
  chunk.last = ended_;
  ended_ = ended_ || !chunk.whole;
  move_on(chunk.text);
  return true;
}

/// Cuts before the last row that begins behind `before`, or just before that; false if there is none.
bool RowChunks::cut(std::string& text, std::size_t before) {
  const std::size_t from = before < row_.size() ? 1 : before - row_.size() + 1;
  if (from > text.size()) return false;
  const std::size_t found = std::string_view(text).substr(from).rfind(row_);
  if (found == std::string_view::npos) return false;
  const std::size_t at = from + found;
  follow_comments(text, at);
  if (!comment_ends_.empty()) return false;  // there "<row" means nothing
  rest_ = text.substr(at);
  text.resize(at);
  return true;
}

/// REQUIRES: a '<' at `to`, so that no mark of a comment lies across it.
void RowChunks::follow_comments(std::string_view text, std::size_t to) {
  while (followed_ < to) {
    const std::string_view mark = comment_ends_.empty() ? "<!" : comment_ends_;
    const std::size_t found = text.substr(followed_, to - followed_).find(mark);
    if (found == std::string_view::npos) {
      followed_ = to;
      return;
    }
    followed_ += found + mark.size();
    const bool opens = comment_ends_.empty();
    comment_ends_ = !opens ? "" : text.substr(followed_).starts_with('[') ? "]]>" : "-->";
  }
}

void RowChunks::move_on(std::string_view text) {
  const std::size_t line_end = text.rfind('\n');
  place_.line += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  place_.column = line_end == std::string_view::npos ? place_.column + text.size() : text.size() - line_end;
}

}  // namespace idne
