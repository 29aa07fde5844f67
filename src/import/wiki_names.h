#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

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

}  // namespace idne
