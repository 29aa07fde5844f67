#include "idne/string_table.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace idne {
namespace {

TEST(StringTable, NumbersAreInTheOrderOfComing) {
  StringTable table;
  EXPECT_EQ(table.add("b"), 0u);
  EXPECT_EQ(table.add("a"), 1u);
  EXPECT_EQ(table.add("b"), 0u);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0], "b");
  EXPECT_EQ(table[1], "a");
}

TEST(StringTable, EmptyTableFindsNothing) {
  const StringTable table;
  EXPECT_EQ(table.find("a"), std::nullopt);
  EXPECT_EQ(table.find(""), std::nullopt);
  EXPECT_EQ(table.size(), 0u);
}

TEST(StringTable, FindDoesNotAdd) {
  StringTable table;
  table.add("a");
  EXPECT_EQ(table.find("b"), std::nullopt);
  EXPECT_EQ(table.find("a"), 0u);
  EXPECT_EQ(table.size(), 1u);
}

TEST(StringTable, EmptyStringIsAString) {
  StringTable table;
  EXPECT_EQ(table.add(""), 0u);
  EXPECT_EQ(table.add(""), 0u);
  EXPECT_EQ(table.find(""), 0u);
  EXPECT_EQ(table[0], "");
}

TEST(StringTable, NulBytesCount) {
  StringTable table;
  EXPECT_EQ(table.add(std::string_view("a\0b", 3)), 0u);
  EXPECT_EQ(table.add(std::string_view("a\0c", 3)), 1u);
  EXPECT_EQ(table.add("a"), 2u);
}

TEST(StringTable, StringsOfTheSameEndsAreToldByTheirSizesAndMiddles) {
  // Up to sixteen bytes a string is told by its first and last ones and its size, beyond that by all of it.
  constexpr std::size_t kLongest = 40;
  std::vector<std::string> all;
  for (std::size_t size = 0; size <= kLongest; ++size) {
    all.emplace_back(size, 'a');
    for (std::size_t at = 0; at < size; ++at) {
      all.emplace_back(size, 'a')[at] = 'b';
    }
  }
  StringTable table;
  for (std::uint32_t n = 0; n < all.size(); ++n) EXPECT_EQ(table.add(all[n]), n) << all[n];
  for (std::uint32_t n = 0; n < all.size(); ++n) EXPECT_EQ(table.find(all[n]), n) << all[n];
}

TEST(StringTable, StringsAreCopied) {
  StringTable table;
  std::string text = "before";
  table.add(text);
  text = "after!";
  EXPECT_EQ(table[0], "before");
  EXPECT_EQ(table.find("before"), 0u);
}

TEST(StringTable, ManyStringsKeepTheirNumbersAndPlaces) {
  StringTable table;
  table.add("0");
  const char* const place = table[0].data();
  for (std::uint32_t k = 0; k < 100000; ++k) ASSERT_EQ(table.add(std::to_string(k)), k);
  for (std::uint32_t k = 0; k < 100000; ++k) ASSERT_EQ(table.find(std::to_string(k)), k);
  EXPECT_EQ(table.find("100000"), std::nullopt);
  EXPECT_EQ(table[99999], "99999");
  EXPECT_EQ(table[0].data(), place);
}

TEST(StringTable, LongStringsAreKeptWhole) {
  StringTable table;
  const std::string text(300000, 'x');
  EXPECT_EQ(table.add("short"), 0u);
  EXPECT_EQ(table.add(text), 1u);
  EXPECT_EQ(table.add("next"), 2u);
  EXPECT_EQ(table[1], text);
  EXPECT_EQ(table[2], "next");
  EXPECT_EQ(table.find(text + "x"), std::nullopt);
}

TEST(StringTable, MovedTableKeepsItsStrings) {
  StringTable first;
  first.add("a");
  first.add("b");
  StringTable second = std::move(first);
  EXPECT_EQ(second.find("b"), 1u);
  EXPECT_EQ(second.add("c"), 2u);
  EXPECT_EQ(second[0], "a");
}

TEST(StringTable, WhatWasMovedFromIsEmptyAndCanBeUsedAgain) {
  StringTable first;
  first.add("kept");
  StringTable second = std::move(first);
  EXPECT_EQ(first.size(), 0u);
  EXPECT_EQ(first.find("kept"), std::nullopt);
  EXPECT_EQ(first.add("other"), 0u);
  EXPECT_EQ(second.add("more"), 1u);
  EXPECT_EQ(first[0], "other");
  EXPECT_EQ(second[0], "kept");
  EXPECT_EQ(second[1], "more");
  second = std::move(first);
  EXPECT_EQ(second[0], "other");
  EXPECT_EQ(first.add("again"), 0u);
  EXPECT_EQ(second[0], "other");
}

}  // namespace
}  // namespace idne
