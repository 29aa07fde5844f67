#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "import/wiki_names.h"

namespace idne {

struct WikiPage {
  std::string text;
  std::vector<std::string> links;       ///< titles of pages, as WikiNames::title() gives them
  std::vector<std::string> categories;  ///< without "Category:"
};

/// The plain text, links and categories of a page's source. Templates, tables, notes, files and formulas are left out
/// of the text; links that stand within templates and tables count all the same. Takes any bytes, in linear time,
/// however deeply they nest.
WikiPage read_wikitext(std::string_view source, const WikiNames& names);

/// The title that a "#REDIRECT [[…]]" leads to, as it is written there; "" if the source is none. If it is `known` to
/// be one the word may be any: "#WEITERLEITUNG [[…]]".
std::string redirect_target(std::string_view source, bool known);

}  // namespace idne
