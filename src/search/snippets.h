#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "idne/keywords.h"

namespace idne {

/// A word of a text that was looked for: its bytes begin … end, and which word of the query it stands for.
struct FoundWord {
  std::size_t begin, end;
  std::uint32_t word;
};

/// A text without a character that is cut off at its end.
std::string_view whole_characters(std::string_view text);

/// The piece of about `size` bytes that has most different words of those found, the first of several; nothing if none
/// is found. White space is one space each.
std::vector<SnippetPart> make_snippet(std::string_view text, std::span<const FoundWord> found, std::size_t size);

}  // namespace idne
