#include "search/titles.h"

#include <gtest/gtest.h>

#include "idne/index.h"
#include "idne/keywords.h"
#include "search/search_test_models.h"
#include "search/typos.h"

namespace idne {
namespace {

TEST(Typos, OneCharacterOrTwoThatChangedPlaces) {
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"moon", "mon"},
                                                                             {"moon", "moons"},
                                                                             {"moon", "noon"},
                                                                             {"moon", "mono"},
                                                                             {"moon", "omon"},
                                                                             {"é", "e"},
                                                                             {"naïve", "naive"},
                                                                             {"日本語", "日本"},
                                                                             {"日本", "本日"},
                                                                             {"a", ""}}) {
    EXPECT_TRUE(one_typo_apart(a, b)) << a << " " << b;
    EXPECT_TRUE(one_typo_apart(b, a)) << a << " " << b;
  }
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"moon", "moon"},
                                                                             {"moon", "mn"},
                                                                             {"moon", "noons"},
                                                                             {"abcd", "cdab"},
                                                                             {"日本語", "日"},
                                                                             {"", ""},
                                                                             {"moon", "nomo"}}) {
    EXPECT_FALSE(one_typo_apart(a, b)) << a << " " << b;
  }
}

TEST(Titles, AreFoldedWordsWithSingleLettersKept) {
  Tokenizer tokenizer;
  EXPECT_EQ(folded_title("World War I", tokenizer), "world war i");
  EXPECT_EQ(folded_title("  Café—Crème, the 2nd! ", tokenizer), "cafe creme the 2nd");
  EXPECT_EQ(folded_title(" !? ", tokenizer), "!?");
  EXPECT_EQ(folded_title(" ", tokenizer), "");
}

/// As people name things: one to four made-up words with a number or a letter now and then, many of them alike.
std::vector<std::string> made_up_titles(std::size_t count) {
  Random random(5, Purpose::Generate, 0);
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(n)));
  };
  std::vector<std::string> words, titles;
  for (std::size_t n = 0; n < count / 3; ++n) {
    std::string& word = words.emplace_back();
    for (std::size_t s = 2 + below(3); s > 0; --s) {
      word += "bcdfghklmnprstvz"[below(16)];
      word += "aeiou"[below(5)];
    }
  }
  while (titles.size() < count) {
    std::string title = words[below(words.size())];
    for (std::size_t more = below(4); more > 0; --more) title += " " + words[below(words.size())];
    if (below(10) == 0) title += fmt::format(" {}", below(20));
    if (below(10) == 0) title += " of the I";
    if (std::ranges::find(titles, title) == titles.end()) titles.push_back(title);
  }
  return titles;
}

std::string with_typo(std::string title, Random& random) {
  const std::size_t at = random.below(static_cast<std::uint32_t>(title.size()));
  switch (random.below(3)) {
    case 0:
      return title.erase(at, 1);
    case 1:
      return title.insert(at, 1, 'x');
    default:
      title[at] = 'q';
      return title;
  }
}

TEST(Titles, AreFoundFirstAndWithATypoAmongTheFirstFive) {
  const std::vector<std::string> titles = made_up_titles(3000);
  Model model = model_of(clustered_vectors(titles.size(), 4, 8, 0.5f), 4);
  std::vector<std::string> ids;
  for (std::size_t n = 0; n < titles.size(); ++n) ids.push_back(fmt::format("d{}", n));
  ModelMaker(model).set_strings(layout::kWordStrings, std::vector<std::string>{"none"});
  ModelMaker(model).set_strings(layout::kDocumentTitles, titles);
  ModelMaker(model).set_strings(layout::kDocumentIds, ids);
  const KeywordIndex keywords(model);
  const DocumentIndex documents = DocumentIndex::build(model, {});
  // A meaning that has nothing to do with the words must not get in the way.
  const std::vector<float> vector{1, 0, 0, 0};
  const auto place = [&](const std::string& query, std::size_t row) {
    const auto hits = merged_search(keywords, documents, query, vector, 5);
    return std::ranges::find(hits, row, &MergedHit::row) - hits.begin();
  };
  int first = 0, near = 0;
  Random random(6, Purpose::Generate, 0);
  for (std::size_t n = 0; n < 300; ++n) first += place(titles[n * 10], n * 10) == 0;
  for (std::size_t n = 0; n < 100; ++n) near += place(with_typo(titles[n * 30], random), n * 30) < 5;
  EXPECT_GE(first, 299);
  EXPECT_GE(near, 95);
}

}  // namespace
}  // namespace idne
