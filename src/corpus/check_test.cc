#include "idne/check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "temp_folder.h"

namespace idne {
namespace {

constexpr VocabularyRule kAllWords{1, 1};

/// Lines of {"id", "text", more}, read back as a collection without stop words.
Collection collection(const std::string& lines) {
  const TempFolder folder;
  return read_collection(folder.write("documents.jsonl", lines), {"none", false}, Run{});
}

std::string line(const std::string& id, const std::string& text, const std::string& more = "") {
  return fmt::format("{{\"id\":\"{}\",\"text\":\"{}\"{}}}\n", id, text, more.empty() ? "" : "," + more);
}

CorpusCheck checked(const std::string& lines, const VocabularyRule& rule = kAllWords) {
  return check_corpus(collection(lines), rule, Run{});
}

bool found(const CorpusCheck& check, const std::string& beginning) {
  const auto all = findings(check);
  return std::any_of(all.begin(), all.end(), [&](const Finding& one) { return one.what.starts_with(beginning); });
}

TEST(Check, TheRowOfTheTable) {
  const CorpusCheck check =
      checked(line("a", "one two two", R"("labels":["x"],"links":["b"])") + line("b", "two", R"("labels":["y"])") +
              line("c", "three four five six seven") + line("d", "one", R"("labels":["x"])"));
  EXPECT_EQ(check.documents, 4u);
  EXPECT_EQ(check.links, 1u);
  EXPECT_DOUBLE_EQ(check.density, 1.0 / 6);
  EXPECT_EQ(check.labels, 2u);
  EXPECT_EQ(check.several_labels, 0u);
  EXPECT_EQ(check.unlabelled, 1u);
  EXPECT_EQ(check.largest_label, 2u);
  EXPECT_EQ(check.vocabulary, 7u);
  EXPECT_DOUBLE_EQ(check.words.mean, 2.5);  // 3, 1, 5, 1
  EXPECT_DOUBLE_EQ(check.words.deviation, std::sqrt((0.25 + 2.25 + 6.25 + 2.25) / 4));
  EXPECT_EQ(check.words.least, 1u);
  EXPECT_EQ(check.words.most, 5u);
}

TEST(Check, WordsThatTheRuleLeavesOut) {
  const CorpusCheck check = checked(line("a", "all some rare") + line("b", "all some") + line("c", "all") +
                                        line("d", "other other other all") + line("e", ""),
                                    {2, 0.5});
  EXPECT_EQ(check.tokens, 4u);
  EXPECT_EQ(check.vocabulary, 2u);
  EXPECT_EQ(check.too_rare, 1u);
  EXPECT_EQ(check.too_frequent, 1u);
  EXPECT_EQ(check.empty, 1u);
  EXPECT_EQ(check.wordless, 2u);  // c has only "all"
}

TEST(Check, DegreesAndParts) {
  std::string lines = line("hub", "x", R"("links":["l0","l1","l2","l3","l4"])");
  for (int i = 0; i < 5; ++i) lines += line(fmt::format("l{}", i), "x");
  lines += line("p", "x", R"("links":["q"])") + line("q", "x") + line("lone", "x");
  const CorpusCheck check = checked(lines);
  EXPECT_EQ(check.isolated, 1u);
  EXPECT_EQ(check.best_connected, "hub");
  EXPECT_EQ(check.degree.most, 5u);
  EXPECT_EQ(check.degree.median, 1u);
  EXPECT_EQ(check.components, 3u);
  EXPECT_EQ(check.largest_component, 6u);
  ASSERT_EQ(check.degrees.size(), 4u);  // 0, 1, 2 … 3, 4 … 5
  EXPECT_EQ(check.degrees[0].documents, 1u);
  EXPECT_EQ(check.degrees[1].documents, 7u);
  EXPECT_EQ(check.degrees[2].documents, 0u);
  EXPECT_EQ(check.degrees[3].documents, 1u);
  EXPECT_EQ(check.degrees[3].least, 4u);
  EXPECT_EQ(check.degrees[3].most, 5u);
}

TEST(Check, NineTenthsHaveAtMost) {
  std::string lines;
  for (int i = 1; i <= 10; ++i) {
    std::string text;
    for (int k = 0; k < (i == 10 ? 100 : i); ++k) text += "word ";
    lines += line(fmt::format("d{}", i), text);
  }
  const CorpusCheck check = checked(lines);
  EXPECT_EQ(check.words.median, 5u);
  EXPECT_EQ(check.words.nine_tenths, 9u);
  EXPECT_EQ(check.words.most, 100u);
}

TEST(Check, GroupsCountAsLinksAndAreNotExpanded) {
  std::string lines = line("lone", "x");
  for (int i = 0; i < 4; ++i) lines += line(fmt::format("a{}", i), "x", R"("groups":["g"])");
  lines += line("a4", "x", R"("groups":["g","h"],"links":["a0"])") + line("b", "x", R"("groups":["h"])");
  const CorpusCheck check = checked(lines);
  EXPECT_EQ(check.groups, 2u);
  EXPECT_EQ(check.largest_group, 5u);
  EXPECT_EQ(check.memberships, 7u);
  EXPECT_EQ(check.links, 10u + 1 + 1);
  EXPECT_EQ(check.components, 2u);
  EXPECT_EQ(check.largest_component, 6u);
  EXPECT_EQ(check.degree.most, 4u + 1 + 1);
  EXPECT_EQ(check.best_connected, "a4");
}

TEST(Check, AHugeGroupTakesNoTime) {
  std::string lines;
  for (int i = 0; i < 200000; ++i) lines += fmt::format("{{\"id\":\"{}\",\"text\":\"\",\"groups\":[\"g\"]}}\n", i);
  const CorpusCheck check = checked(lines);
  EXPECT_EQ(check.links, std::uint64_t{200000} * 199999 / 2);
  EXPECT_DOUBLE_EQ(check.density, 1);
  EXPECT_EQ(check.components, 1u);
}

TEST(Check, RepeatedTextsAreThoseWithTheSameWordsAsOften) {
  const CorpusCheck check =
      checked(line("a", "red green green") + line("b", "green red") + line("c", "Green, red green!") +
              line("d", "blue") + line("e", "") + line("f", "") + line("g", "green green red"));
  EXPECT_EQ(check.repeated, 2u);
  EXPECT_EQ(check.repeated_of, "a");
  EXPECT_EQ(check.repeated_example, "c");
}

TEST(Check, RepeatsAcrossBlocksOfTheFile) {
  // Blocks number their words in the order in which they meet them.
  std::string lines = line("first", "alpha beta gamma");
  for (int i = 0; i < 20000; ++i) lines += line(fmt::format("d{}", i), fmt::format("word{} gamma filler{}", i, i));
  const CorpusCheck check = checked(lines + line("last", "gamma beta alpha"));
  EXPECT_EQ(check.repeated, 1u);
  EXPECT_EQ(check.repeated_example, "last");
}

TEST(Check, LabelsOfADocument) {
  std::string lines;
  for (int i = 0; i < 5; ++i) lines += line(fmt::format("d{}", i), "x", R"("labels":["often"])");
  lines += line("e", "x", R"("labels":["seldom","often","rare"])") + line("f", "x");
  const CorpusCheck check = checked(lines);
  EXPECT_EQ(check.labels, 3u);
  EXPECT_EQ(check.rare_labels, 2u);
  EXPECT_EQ(check.several_labels, 1u);
  EXPECT_EQ(check.unlabelled, 1u);
  EXPECT_EQ(check.largest_label, 6u);
  EXPECT_EQ(check.labels_per_document.most, 3u);
}

/// Documents of ten words from 200, each linked with the next, with one of two labels.
std::string sound_corpus() {
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    std::string text;
    for (int k = 0; k < 12; ++k) text += fmt::format("word{} ", (i * 7 + k * k * 5) % 200);
    lines += line(fmt::format("d{}", i), text,
                  fmt::format(R"("labels":["{}"],"links":["d{}"])", i % 2 ? "odd" : "even", (i + 1) % 100));
  }
  return lines;
}

TEST(Findings, NothingAboutASoundCorpus) {
  const auto all = findings(checked(sound_corpus()));
  EXPECT_TRUE(all.empty()) << all[0].what;
}

TEST(Findings, EachFaultIsFound) {
  const std::string sound = sound_corpus();
  std::string lone, copies, unknown, grouped, starred, empty;
  for (int i = 0; i < 10; ++i) {
    const std::string id = fmt::format("x{}", i), text = fmt::format("word{} word{} new{}", i, i + 50, i);
    lone += line(id, text);
    copies += line(id, "the same words here", R"("links":["d0"])");
    unknown += line(id, text, R"("links":["d0","u1","u2"])");
    empty += line(id, "", R"("links":["d0"])");
  }
  for (int i = 0; i < 40; ++i) grouped += line(fmt::format("g{}", i), "word1 word2", R"("groups":["all"])");
  starred = line("hub", "word1", R"("links":["d0")");
  starred.resize(starred.size() - 2);
  for (int i = 1; i < 40; ++i) starred += fmt::format(",\"d{}\"", i);
  starred += "]}\n";
  EXPECT_TRUE(found(checked(sound + lone), "10 of 110 documents have no link"));
  EXPECT_TRUE(
      found(checked(sound + copies), "9 of 110 documents have the words of one before (\"x1\" those of \"x0\")"));
  EXPECT_TRUE(found(checked(sound + unknown), "20 links or members name an id that no document has"));
  EXPECT_TRUE(found(checked(sound + empty), "10 of 110 documents have no words"));
  EXPECT_TRUE(found(checked(sound + grouped), "the largest group links 40 of 140 documents"));
  EXPECT_TRUE(found(checked(sound + starred), "\"hub\" has 40 links"));
  EXPECT_TRUE(found(checked(lone), "no links"));
  EXPECT_TRUE(found(checked(lone), "no labels"));
  EXPECT_TRUE(found(checked(lone), "half of the documents have at most 3 kept words"));
  EXPECT_TRUE(found(checked(lone), "only 30 words are kept"));
  EXPECT_TRUE(found(checked(sound, {1000, 1}), "no word is kept"));
}

TEST(Findings, LabelsThatTeachLittle) {
  std::string rare, one, most;
  for (int i = 0; i < 20; ++i) {
    rare += line(fmt::format("d{}", i), "x", fmt::format(R"("labels":["l{}"])", i));
    one += line(fmt::format("d{}", i), "x", R"("labels":["only"])");
    most += line(fmt::format("d{}", i), "x", fmt::format(R"("labels":["{}"])", i ? "most" : "other"));
  }
  EXPECT_TRUE(found(checked(rare), "20 of 20 labels have fewer than 5 documents"));
  EXPECT_TRUE(found(checked(one), "there is only one label"));
  EXPECT_TRUE(found(checked(line("a", "x", R"("labels":["l"])")), "1 of 1 label has fewer than 5 documents"));
  EXPECT_TRUE(found(checked(most), "one label is on 19 documents of the 20"));
  EXPECT_TRUE(found(checked(most + line("u", "x")), "one label is on 19 documents"));
  EXPECT_TRUE(found(checked(line("a", "x", R"("labels":["l","m"])")), "one label is on 1 document of the 1"));
}

TEST(Findings, PartsThatLieApart) {
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    lines += line(fmt::format("a{}", i), "x", fmt::format(R"("links":["b{}"])", i)) + line(fmt::format("b{}", i), "x");
  }
  EXPECT_TRUE(found(checked(lines), "the largest connected part has 2 of the 60"));
}

}  // namespace
}  // namespace idne
