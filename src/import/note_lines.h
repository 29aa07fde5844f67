#pragma once

#include <string>
#include <string_view>

namespace idne {

/// A note without what md4c need not see: in MDX, paragraphs that begin with import or export, which are a program's;
/// blank lines behind blank lines, and lines nested as deep as nobody writes, each of which takes it time with the
/// depth; and what is written for Obsidian alone: %%comments%%, the kind of a callout ("[!note]"), names of blocks
/// ("^name").
std::string note_lines(std::string_view text, bool mdx);

}  // namespace idne
