#include "text/stems.h"

#include <gtest/gtest.h>

#include <bit>
#include <thread>

#include "text/languages.h"

namespace idne {
namespace {

std::size_t number_of(std::string_view name) {
  return static_cast<std::size_t>(std::countr_zero(parse_languages(name)));
}

TEST(Stems, JoinInflections) {
  const std::size_t english = number_of("english"), german = number_of("german");
  EXPECT_EQ(stem_of("networks", english), stem_of("network", english));
  EXPECT_NE(stem_of("networks", english), stem_of("netting", english));
  EXPECT_EQ(stem_of("schaltungen", german), stem_of("schaltung", german));
  EXPECT_EQ(stem_of("книги", number_of("russian")), stem_of("книга", number_of("russian")));
}

TEST(Stems, EveryStemmerIsThereAndALanguageWithoutOneKeepsItsWords) {
  for (std::size_t k = 0; k < languages().size(); ++k) EXPECT_FALSE(stem_of("information", k).empty());
  EXPECT_EQ(stem_of("学习", number_of("chinese")), "学习");
}

TEST(Stems, ThreadsDoNotDisturbEachOther) {
  const std::size_t english = number_of("english");
  std::string other;
  std::thread thread([&] {
    for (int n = 0; n < 1000; ++n) other = stem_of("networks", english);
  });
  for (int n = 0; n < 1000; ++n) ASSERT_EQ(stem_of("policies", english), "polici");
  thread.join();
  EXPECT_EQ(other, "network");
}

}  // namespace
}  // namespace idne
