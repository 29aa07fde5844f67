#include "import/wiki_names.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "import/markup_rules.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace idne {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower;
  icu::UnicodeString::fromUTF8({text.data(), static_cast<int>(text.size())}).foldCase().toUTF8String(lower);
  return lower;
}

}  // namespace

WikiNames::WikiNames() {
  static constexpr std::array<std::pair<int, std::string_view>, 12> kEnglish{{{-2, "Media"},
                                                                              {-1, "Special"},
                                                                              {2, "User"},
                                                                              {4, "Project"},
                                                                              {kFiles, "File"},
                                                                              {kFiles, "Image"},
                                                                              {8, "MediaWiki"},
                                                                              {10, "Template"},
                                                                              {12, "Help"},
                                                                              {kCategories, "Category"},
                                                                              {100, "Portal"},
                                                                              {828, "Module"}}};
  for (const auto& [number, name] : kEnglish) {
    add(number, name);
    if (number >= 0) add(number + 1, std::string(name) + " talk");
  }
  add(1, "Talk");
}

void WikiNames::add(int number, std::string_view name) {
  if (!name.empty()) numbers_[in_lower_case(name)] = number;
}

std::string WikiNames::title(std::string_view written) const {
  std::string spaces(written.substr(0, written.find('#')));
  std::replace(spaces.begin(), spaces.end(), '_', ' ');
  std::replace(spaces.begin(), spaces.end(), '\n', ' ');
  std::string title = tidy_space(spaces);
  if (case_sensitive_ || title.empty()) return title;
  std::int32_t size = 0;
  UChar32 first = 0;
  const auto* bytes_of_title = reinterpret_cast<const std::uint8_t*>(title.data());  // as ICU's macro wants them
  U8_NEXT(bytes_of_title, size, static_cast<std::int32_t>(std::min<std::size_t>(title.size(), U8_MAX_LENGTH)), first);
  if (first < 0 || u_totitle(first) == first) return title;
  std::string capital;
  append_utf8(capital, static_cast<std::uint32_t>(u_totitle(first)));
  return title.replace(0, static_cast<std::size_t>(size), capital);
}

std::pair<int, std::string_view> WikiNames::split(std::string_view title) const {
  constexpr std::size_t kLongest = 100;
  const std::size_t colon = title.substr(0, kLongest).find(':');
  if (colon == std::string_view::npos) return {kPages, title};
  std::string prefix(trimmed(title.substr(0, colon)));
  std::replace(prefix.begin(), prefix.end(), '_', ' ');
  const auto found = numbers_.find(in_lower_case(prefix));
  if (found == numbers_.end()) return {kPages, title};
  return {found->second, trimmed(title.substr(colon + 1))};
}

}  // namespace idne
