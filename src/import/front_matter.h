#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace idne {

/// What the head of a note says about it.
struct FrontMatter {
  std::string title;
  std::string date;               ///< of "date", or else of "created"
  std::vector<std::string> tags;  ///< without "#"
  std::vector<std::string> aliases;
  std::size_t end = 0;  ///< the note itself begins here; 0 if there is no front matter
};

/// A front matter that is longer is not looked at.
constexpr std::size_t kLongestFrontMatter = std::size_t{1} << 18;

/// Reads the front matter of a note: YAML between "---" lines, or TOML between "+++" lines. No parser of these
/// languages, just of what people write for title, tags and aliases, so that a fault elsewhere ("title: Foo: bar",
/// "{{date}}") does no harm: one value, `[a, "b"]` on one or more lines, `- a` lines, and `>` or `|` with lines below.
FrontMatter read_front_matter(std::string_view note);

/// A tag as a label: no "#" in front, no "/" at the end, no quotes or spaces around it.
std::string plain_tag(std::string_view tag);

}  // namespace idne
