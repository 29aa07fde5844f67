#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What all readers of markup agree on, each thing said once: what an entity stands for, what a tag does to the text
/// around it, and how white space is tidied. There are two readers of HTML: html_text() scans fragments, of which dumps
/// have millions, at six times the speed of the other (167 against 25 MB/s on posts); read_html() reads whole pages
/// through libxml2, because finding the main part of a page that closes its tags anyhow takes a tree.
namespace idne {

/// What a reader sees of an element, and around it.
enum class TagKind {
  Inline,  ///< stands within words: "H<sub>2</sub>O"; unknown ones too, as in browsers
  Space,   ///< sets off the words around it
  Cell,    ///< of a table: set off by a space in a page, by a line's end in a fragment
  Line,    ///< has lines of its own
  Unseen,  ///< is never shown, with all that is in it; sets off the words around it
};
/// REQUIRES: a name in lower case.
TagKind kind_of(std::string_view tag_name);

/// The character that an entity of HTML 4, without its '&' and ';', stands for: "amp", "#38", "#x26".
std::optional<std::uint32_t> html_character(std::string_view entity);
/// The same in XML, which has five names, and where forbidden characters are not to be had by number either.
std::optional<std::uint32_t> xml_character(std::string_view reference);

/// Appends the character for the entity of HTML at `at`, where there is a '&', and returns where the text goes on. What
/// is no known entity stays as it is.
std::size_t append_entity(std::string& out, std::string_view text, std::size_t at);

/// One space for each run of white space, no-break spaces too; one line break for each run that has some, none at the
/// ends. Soft hyphens go: they stand within words.
std::string tidy_space(std::string_view text);

}  // namespace idne
