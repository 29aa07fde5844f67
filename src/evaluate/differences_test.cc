#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "contains.h"
#include "evaluate/report.h"
#include "evaluate/test_evaluations.h"

namespace idne {
namespace {

std::string line_that_starts(const std::string& text, const std::string& start, std::size_t after = 0) {
  std::istringstream stream(text.substr(after));
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(start)) return line;
  }
  return "";
}

/// Suggestions of three contestants; `ece` is best when small.
Evaluation suggested() {
  std::vector<Cell> cells;
  const auto add = [&](const std::string& name, Task task, const std::string& metric, std::vector<double> values) {
    cells.push_back(cell(name, task, 0.1, std::move(values), "", metric));
  };
  for (const auto& [name, more] : {std::pair{"idne", 0.0}, {"idne, vectors only", -0.1}, {"tfidf", 0.05}}) {
    add(name, Task::SuggestLinks, "recall@10", {0.5 + more, 0.6 + more});
    add(name, Task::SuggestLinks, "mrr", {0.4, 0.5 + more});
    add(name, Task::SuggestLabels, "p@1", {0.8, 0.8});
    add(name, Task::SuggestLabels, "ece", {0.2 + more, 0.2 + more});
  }
  return evaluation_of(std::move(cells));
}

TEST(Differences, ArePairedByHand) {
  // −5, −5 and −2 points: mean −4, s = √3, t with 2 degrees 4.302653.
  const Cell reference = cell("a", Task::Classification, 0.1, {0.95, 0.96, 0.92});
  const auto difference = paired_difference(cell("b", Task::Classification, 0.1, {0.90, 0.91, 0.90}), reference);
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->mean(), -0.04, 1e-12);
  EXPECT_NEAR(difference->interval(), 4.302653 * 0.01, 1e-6);
}

TEST(Differences, AreOfTheRepeatsThatBothHave) {
  Cell late = cell("b", Task::Classification, 0.1, {0.7, 0.9});
  late.repeats = {1, 3};
  const auto difference = paired_difference(late, cell("a", Task::Classification, 0.1, {0.1, 0.5, 0.2}));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->repeats, (std::vector<std::size_t>{1}));
  EXPECT_NEAR(difference->mean(), 0.2, 1e-12);
  late.repeats = {3, 4};
  EXPECT_FALSE(paired_difference(late, cell("a", Task::Classification, 0.1, {0.1, 0.5, 0.2})));
}

TEST(Differences, AreToTheFirstContestantInTheSameColumn) {
  const Evaluation evaluation = small();
  EXPECT_FALSE(difference_to_first(evaluation, evaluation.cells[0]));
  EXPECT_NEAR(difference_to_first(evaluation, evaluation.cells[3])->mean(), -0.05, 1e-12);
  EXPECT_NEAR(difference_to_first(evaluation, evaluation.cells[4])->mean(), 0.01, 1e-12);
  EXPECT_FALSE(difference_to_first(evaluation, evaluation.cells[5])) << "a failure has none";
}

TEST(Differences, StandBelowTheFiguresOfATable) {
  const std::string table = as_table(small(), false, 100);
  const std::size_t at = table.find("minus idne");
  ASSERT_NE(at, std::string::npos) << table;
  EXPECT_EQ(line_that_starts(table, "minus", at), "minus idne        2 %       10 %") << table;
  EXPECT_EQ(line_that_starts(table, "cane", at), "cane        -5.0 ±0.0  +1.0 ±2.5") << table;
  EXPECT_EQ(table.find("minus idne", at + 1), std::string::npos) << "cane has no links to compare\n" << table;
}

TEST(Differences, ColumnsOfSuggestionsAreMetrics) {
  const std::string table = as_table(suggested(), false, 100);
  EXPECT_TRUE(contains(table, "\nFigures: × 100, mean")) << table;
  EXPECT_TRUE(contains(table, "\nSuggested links, 10 % of the documents hidden\n")) << table;
  EXPECT_TRUE(contains(line_that_starts(table, "tfidf"), "60.0 ±63.5*")) << table;
  EXPECT_TRUE(contains(line_that_starts(table, "tfidf", table.find("minus")), "+5.0 ±0.0")) << table;
  const std::size_t labels = table.find("Suggested labels");
  EXPECT_TRUE(contains(line_that_starts(table, "idne, vectors only", labels), " 10.0 ±0.0*"))
      << "the smallest error is the best\n"
      << table;
  EXPECT_TRUE(contains(line_that_starts(table, "tfidf", table.find("minus", labels)), "0.0 ±0.0"));
  EXPECT_FALSE(contains(table, "+0.0"));
  EXPECT_FALSE(contains(table, "-0.0"));
}

TEST(Differences, FitTheWidth) {
  for (std::size_t width = 60; width <= 120; ++width) {
    std::istringstream stream(as_table(suggested(), false, width));
    for (std::string line; std::getline(stream, line);) {
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      ASSERT_LE(columns, static_cast<std::ptrdiff_t>(width)) << line;
    }
  }
}

TEST(Differences, StandInEveryFormat) {
  const std::string csv = as_csv(suggested());
  EXPECT_TRUE(contains(csv, "\nidne,suggest-links,0.1,recall@10,0.550000,0.070711,0.635310,,,2,")) << csv;
  EXPECT_TRUE(contains(csv, "\ntfidf,suggest-links,0.1,recall@10,0.600000,0.070711,0.635310,0.050000,0.000000,2,"));
  const std::string markdown = as_markdown(suggested());
  EXPECT_TRUE(
      contains(markdown, "\n\n| minus idne | recall@10 | mrr |\n|---|---:|---:|\n| idne, vectors only | -10.0 ±0.0 |"))
      << markdown;
  const std::string latex = as_latex(suggested());
  EXPECT_TRUE(contains(latex, "\\label{table:suggestions-cora}")) << latex;
  EXPECT_TRUE(contains(latex, " & recall@10 & mrr & p@1 & ece \\\\ \\hline\nidne & 55.00 &")) << latex;
  EXPECT_TRUE(
      contains(latex, "\\\\ \\hline\n\\multicolumn{5}{l}{minus idne} \\\\\nidne, vectors only & $-10.00 \\pm 0.00$ &"))
      << latex;
}

TEST(Differences, OneContestantHasNone) {
  const auto evaluation = evaluation_of({cell("idne", Task::Classification, 0.1, {0.9, 0.91})});
  for (const auto& text : {as_table(evaluation, false, 80), as_markdown(evaluation), as_latex(evaluation)}) {
    EXPECT_FALSE(contains(text, "minus")) << text;
  }
}

TEST(Differences, OneRepeatHasNoInterval) {
  const auto evaluation =
      evaluation_of({cell("a", Task::Classification, 0.1, {0.9}), cell("b", Task::Classification, 0.1, {0.8})});
  EXPECT_FALSE(contains(as_table(evaluation, false, 80), "±"));
  EXPECT_TRUE(contains(as_latex(evaluation), "b & $-10.00$\n"));
}

}  // namespace
}  // namespace idne
