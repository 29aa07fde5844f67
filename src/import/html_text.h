#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "idne/import.h"

/// Text out of HTML fragments, for formats that have such fragments inside.
namespace idne {

/// The plain text of an HTML fragment: no tags, comments or scripts, characters in the place of their entities, a line
/// for each paragraph, list item and the like. Takes any bytes in linear time: what is no tag is text.
std::string html_text(std::string_view html, CodeText code);

struct Tag {
  std::string name;  ///< in lower case
  bool closing = false;
  bool self_closing = false;
  std::size_t begin = 0;
  std::size_t end = 0;  ///< where the text goes on behind it
};

/// Finds tags in a text, which must live on.
class TagReader {
 public:
  explicit TagReader(std::string_view text) : text_(text), last_end_(text.rfind('>')) {}
  /// The tag that begins at `at`, if one does; "a < b" has none.
  std::optional<Tag> read(std::size_t at) const;
  /// The next closing tag of that name behind an opening one, if there is one.
  std::optional<Tag> closing(const Tag& opening);

 private:
  std::string_view text_;
  std::size_t last_end_;                   ///< no tag ends behind it: spares a search for each '<'
  std::vector<std::string> never_closed_;  ///< searched for to the end already
};

}  // namespace idne
