#include "evaluate/splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

namespace idne {
namespace {

using LabelLists = std::vector<std::vector<std::int32_t>>;

Lists lists(const LabelLists& rows) {
  Lists result;
  for (const auto& row : rows) {
    result.values.insert(result.values.end(), row.begin(), row.end());
    result.end_row();
  }
  return result;
}

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Random stream(std::uint64_t seed) { return {seed, Purpose::Split, 0}; }

/// How many of the documents have the label.
double with_label(std::span<const std::uint32_t> documents, const Lists& labels, std::int32_t label) {
  return static_cast<double>(std::count_if(documents.begin(), documents.end(), [&](std::uint32_t d) {
    const auto row = labels.row(d);
    return std::find(row.begin(), row.end(), label) != row.end();
  }));
}

/// Both sides in rising order, and together `all`, each once.
void expect_parted(const Split& split, const std::vector<std::uint32_t>& all) {
  EXPECT_TRUE(std::is_sorted(split.chosen.begin(), split.chosen.end()));
  EXPECT_TRUE(std::is_sorted(split.rest.begin(), split.rest.end()));
  std::vector<std::uint32_t> both;
  std::merge(split.chosen.begin(), split.chosen.end(), split.rest.begin(), split.rest.end(), std::back_inserter(both));
  EXPECT_EQ(both, all);
}

TEST(RandomSplit, TakesTheNearestNumberAtLeastOneAndNotAll) {
  struct Case {
    std::size_t documents;
    double share;
    std::size_t chosen;
  };
  for (const auto& [documents, share, chosen] :
       {Case{10, 0.1, 1}, Case{10, 0.26, 3}, Case{10, 0.0, 1}, Case{10, 1.0, 9}, Case{2, 0.5, 1}, Case{0, 0.1, 0}}) {
    Random random = stream(1);
    const Split split = random_split(documents, share, random);
    EXPECT_EQ(split.chosen.size(), chosen) << documents << " " << share;
    expect_parted(split, numbers(documents));
  }
}

TEST(RandomSplit, DependsOnTheSeedAloneAndChoosesEveryDocumentAlike) {
  Random a = stream(7), b = stream(7), c = stream(8);
  const Split first = random_split(50, 0.3, a);
  EXPECT_EQ(first.chosen, random_split(50, 0.3, b).chosen);
  EXPECT_NE(first.chosen, random_split(50, 0.3, c).chosen);

  std::vector<int> times(10);
  constexpr int kDraws = 4000;
  Random random = stream(9);
  for (int n = 0; n < kDraws; ++n) {
    for (const std::uint32_t d : random_split(10, 0.2, random).chosen) ++times[d];
  }
  for (const int count : times) EXPECT_NEAR(count, kDraws * 0.2, 5 * std::sqrt(kDraws * 0.16));  // five deviations
}

TEST(StratifiedSplit, GivesEveryClassItsShareAndTheWholeItsSize) {
  LabelLists rows;
  std::int32_t classes = 0;
  for (const std::size_t size : {1, 3, 7, 20, 69, 100}) rows.resize(rows.size() + size, {classes++});
  const Lists labels = lists(rows);
  const auto all = numbers(rows.size());
  for (const double share : {0.02, 0.1, 0.34, 0.5, 0.9}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Random random = stream(seed);
      const Split split = stratified_split(all, labels, share, random);
      expect_parted(split, all);
      EXPECT_EQ(split.chosen.size(), std::llround(share * static_cast<double>(all.size()))) << share;
      for (std::int32_t label = 0; label < classes; ++label) {
        const double size = with_label(all, labels, label);
        EXPECT_LT(std::abs(with_label(split.chosen, labels, label) - share * size), 1) << label << " " << share;
      }
    }
  }
}

TEST(StratifiedSplit, ManySmallClassesStillGiveTheShare) {
  LabelLists rows;
  for (std::int32_t k = 0; k < 300; ++k) rows.push_back({k / 10});  // no class is entitled to a whole document
  const Lists labels = lists(rows);
  Random random = stream(1);
  const Split split = stratified_split(numbers(300), labels, 0.02, random);
  ASSERT_EQ(split.chosen.size(), 6u);
  for (std::int32_t label = 0; label < 30; ++label) EXPECT_LE(with_label(split.chosen, labels, label), 1);
}

TEST(StratifiedSplit, DividesSeveralLabelsInAboutTheSameProportion) {
  Random random = stream(3);
  LabelLists rows;
  for (int i = 0; i < 600; ++i) {
    std::vector<std::int32_t> row;
    for (std::int32_t label = 0; label < 6; ++label) {
      if (random.below(8) < static_cast<std::uint32_t>(label + 1)) row.push_back(label);
    }
    rows.push_back(row);
  }
  const Lists labels = lists(rows);
  const auto all = numbers(rows.size());
  const Split split = stratified_split(all, labels, 0.3, random);
  expect_parted(split, all);
  EXPECT_NEAR(static_cast<double>(split.chosen.size()), 180, 6);
  for (std::int32_t label = 0; label < 6; ++label) {
    const double size = with_label(all, labels, label);  // a draw without strata would deviate by 4 to 10
    EXPECT_NEAR(with_label(split.chosen, labels, label), 0.3 * size, 2 + 0.01 * size) << label;
  }
}

TEST(StratifiedSplit, SplitsTheGivenDocumentsAlone) {
  const Lists labels = lists({{0}, {}, {1}, {0}, {}, {1}, {0}, {1}, {0}, {1}});
  const std::vector<std::uint32_t> some{0, 2, 3, 5, 6, 7, 8, 9};
  Random random = stream(1);
  const Split split = stratified_split(some, labels, 0.5, random);
  expect_parted(split, some);
  EXPECT_EQ(with_label(split.chosen, labels, 0), 2);
  EXPECT_EQ(with_label(split.chosen, labels, 1), 2);
}

TEST(StratifiedSplit, DividesDocumentsWithoutLabelsToo) {
  const Lists labels = lists(LabelLists(10));
  Random random = stream(1);
  const Split split = stratified_split(numbers(10), labels, 0.3, random);
  expect_parted(split, numbers(10));
  EXPECT_EQ(split.chosen.size(), 3u);
}

TEST(StratifiedSplit, LeavesNoSideEmptyAtTheExtremes) {
  LabelLists rows;
  for (std::int32_t k = 0; k < 12; ++k) rows.push_back({k % 3});
  const Lists labels = lists(rows);
  for (const double share : {0.0, 0.001, 0.999, 1.0}) {
    Random random = stream(1);
    const Split split = stratified_split(numbers(12), labels, share, random);
    EXPECT_EQ(split.chosen.size(), share < 0.5 ? 1u : 11u) << share;
  }
  Random random = stream(1);
  EXPECT_TRUE(stratified_split({}, labels, 0.5, random).rest.empty());
}

TEST(StratifiedSplit, DependsOnTheSeedAlone) {
  LabelLists rows;
  for (std::int32_t k = 0; k < 60; ++k) rows.push_back({k % 4});
  const Lists labels = lists(rows);
  Random a = stream(7), b = stream(7), c = stream(8);
  const Split first = stratified_split(numbers(60), labels, 0.3, a);
  EXPECT_EQ(first.chosen, stratified_split(numbers(60), labels, 0.3, b).chosen);
  EXPECT_NE(first.chosen, stratified_split(numbers(60), labels, 0.3, c).chosen);
}

TEST(StratifiedFolds, CoverAllDocumentsAndShareOutEveryClass) {
  LabelLists rows;
  for (std::int32_t k = 0; k < 103; ++k) rows.push_back({k < 3 ? 0 : k < 40 ? 1 : 2});
  const Lists labels = lists(rows);
  constexpr std::size_t kFolds = 5;
  Random random = stream(1);
  const auto fold_of = stratified_folds(numbers(rows.size()), labels, kFolds, random);
  ASSERT_EQ(fold_of.size(), rows.size());
  for (std::uint32_t fold = 0; fold < kFolds; ++fold) {
    std::vector<std::uint32_t> in;
    for (std::uint32_t d = 0; d < rows.size(); ++d) {
      if (fold_of[d] == fold) in.push_back(d);
    }
    EXPECT_NEAR(static_cast<double>(in.size()), 103.0 / kFolds, 1) << fold;
    for (const std::int32_t label : {0, 1, 2}) {
      const double size = with_label(numbers(rows.size()), labels, label);
      EXPECT_LT(std::abs(with_label(in, labels, label) - size / kFolds), 1.2) << fold << " " << label;
    }
  }
  EXPECT_LT(*std::max_element(fold_of.begin(), fold_of.end()), kFolds);
}

}  // namespace
}  // namespace idne
