#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace idne {

/// What the names in a wiki's links mean: "Kategorie" is the namespace of categories in a German wiki.
class WikiNames {
 public:
  static constexpr int kPages = 0, kFiles = 6, kCategories = 14;

  /// Knows the English names, which all wikis take.
  WikiNames();
  /// A namespace's name in this wiki.
  void add(int number, std::string_view name);
  /// Whether "apple" is another page than "Apple", as in a dictionary.
  void set_case_sensitive(bool value) { case_sensitive_ = value; }

  /// A title as links may write it, in the one form that all its ways of writing share: spaces for underscores, the
  /// first letter large, nothing from '#' on.
  std::string title(std::string_view written) const;
  /// The namespace of a title and the title without it. A title with a colon may be in none.
  std::pair<int, std::string_view> split(std::string_view title) const;

 private:
  std::unordered_map<std::string, int> numbers_;  ///< by names in lower case
  bool case_sensitive_ = false;
};

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
