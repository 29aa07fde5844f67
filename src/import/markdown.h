#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "import/note_index.h"

namespace idne {

struct Note {
  std::string title;              ///< of the front matter, else the heading of the first level; may be empty
  std::string text;               ///< no markup, no code blocks
  std::vector<std::string> tags;  ///< of the front matter and in the text, without "#"
  std::vector<NoteLink> links;
  std::string date{};  ///< of the front matter; may be empty
  bool title_in_text = false;
  bool cut = false;  ///< so tangled that it was not read to its end
};

/// Reads a note in CommonMark with tables and wiki links, the dialect of GitHub and Obsidian. In MDX, import and export
/// are left out too. REQUIRES: UTF-8.
Note read_note(std::string_view text, bool mdx = false);

}  // namespace idne
