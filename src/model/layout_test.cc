#include "model/layout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace idne::layout {
namespace {

std::string documentation() {
  std::ifstream file(IDNE_SOURCE "/docs/model-format.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string row_of(const Entry& entry) {
  constexpr std::array<std::string_view, 6> kKinds{"F32", "I32", "I64", "strings", "lists", "bags"};
  std::string shape = text_of(entry.rows);
  if (entry.columns.count != Count::One) shape += fmt::format(" × {}", text_of(entry.columns));
  return fmt::format("| `{}` | {} | {} | {} |\n", entry.name, kKinds[static_cast<std::size_t>(entry.kind)], shape,
                     entry.what);
}

/// The rows of the first table under a heading.
std::string table_under(std::string_view heading) {
  const std::string text = documentation();
  const std::size_t line = text.find("\n|---", text.find(fmt::format("\n## {}\n", heading)));
  if (line == std::string::npos) return "";
  const std::size_t begin = text.find('\n', line + 1) + 1;
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

TEST(Layout, IsWhatTheDocumentationSays) {
  std::string tensors, texts;
  for (const Entry* entry : kEntries) tensors += row_of(*entry);
  for (const Text* one : kTexts) texts += fmt::format("| `{}` | {} |\n", one->key, one->what);
  EXPECT_EQ(table_under("Tensors"), tensors);
  EXPECT_EQ(table_under("Metadata"), texts);
}

TEST(Layout, NamesAreThereOnce) {
  std::set<std::string_view> names;
  for (const Entry* entry : kEntries) {
    EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
    if (entry->former.empty()) continue;
    EXPECT_TRUE(names.insert(entry->former).second) << entry->former;
  }
}

}  // namespace
}  // namespace idne::layout
