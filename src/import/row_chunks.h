#pragma once

#include <string>
#include <string_view>

#include "import/pieces.h"
#include "import/xml_file.h"

namespace idne {

/// A part of a list of rows.
struct RowChunk {
  std::string text;
  XmlPlace start;
  bool first = false, last = false;  ///< of the file
  bool whole = true;                 ///< ends between rows, or with the file
};

/// A chunk in which no end of a row was found is not read on for when it is longer.
constexpr std::size_t kLongestChunk = 16 * kPiece;

/// Cuts a file that is a long list of rows into chunks that can be read side by side. Looks at each byte a few times,
/// whatever the file holds, and holds no more than kLongestChunk and a piece.
class RowChunks {
 public:
  /// `row` is the name of a row's element. The pieces must live on.
  RowChunks(Pieces& pieces, std::string_view row) : pieces_(pieces), row_(std::string("<").append(row)) {}

  /// The next chunk; false at the end. It is cut before a "<row": within a row there is no '<' in well-formed XML. A
  /// chunk that is not whole is the last one given: the pieces go on behind it.
  bool next(RowChunk& chunk);

 private:
  bool cut(std::string& text, std::size_t before);
  void follow_comments(std::string_view text, std::size_t to);
  void move_on(std::string_view text);

  Pieces& pieces_;
  std::string row_;
  std::string rest_;  ///< what comes behind the last cut
  XmlPlace place_;
  bool first_ = true, ended_ = false;
  std::size_t followed_ = 0;       ///< so far comments of the chunk were looked for
  std::string_view comment_ends_;  ///< how the comment or CDATA that is open there ends; empty: none is open
};

}  // namespace idne
