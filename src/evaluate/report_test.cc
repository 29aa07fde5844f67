#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "contains.h"
#include "evaluate/test_evaluations.h"
#include "idne/error.h"

namespace idne {
namespace {

/// Many contestants with long names, at the paper's ratios.
Evaluation large(std::size_t columns = 5) {
  std::vector<Cell> cells;
  for (const std::string name : {"idne topics=32 dim=256 start=text", "idne topics=32 dim=256 start=random", "lsa"}) {
    for (std::size_t c = 1; c <= columns; ++c) {
      cells.push_back(cell(name, Task::Classification, 0.02 * static_cast<double>(c), {0.5, 1, 0.8}));
    }
    cells.push_back(cell(name, Task::InductiveLinks, 0.1, {},
                         "this method diverged at step 17 of 5000, see "
                         "/a/path/without/any/space/that/is/longer/than/the/narrowest/of/terminals/could/ever/show"));
  }
  return evaluation_of(std::move(cells));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string line_with(const std::string& text, const std::string& part) {
  for (const std::string& line : lines_of(text)) {
    if (line.find(part) != std::string::npos) return line;
  }
  return "";
}

/// Characters, without escape sequences.
std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b') {
      at = line.find('m', at);
    } else {
      columns += (static_cast<unsigned char>(line[at]) & 0xC0) != 0x80;
    }
  }
  return columns;
}

TEST(Cell, StatisticsOfAKnownSample) {
  // Mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, so s = √(32/7) and t with 7 degrees is 2.364624.
  const Cell c = cell("", Task::Classification, 0, {2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(c.mean(), 5);
  EXPECT_NEAR(c.deviation(), 2.138090, 1e-6);
  EXPECT_NEAR(c.interval(), 1.787488, 1e-5);
}

TEST(Cell, IntervalOfTwoRepeatsHasTheFatTail) {
  EXPECT_NEAR(cell("", Task::Classification, 0, {0.8, 0.9}).interval(), 12.706205 * 0.05, 1e-6);
}

TEST(Cell, IntervalsBeyondTheTableFollowStudentsT) {
  // Half the sample at −1 and half at 1: s = √(n/(n − 1)), so the interval is t/√(n − 1).
  for (const auto& [degrees, quantile] : {std::pair{31u, 2.039513}, {61u, 1.999624}, {119u, 1.980100}}) {
    std::vector<double> values(degrees + 1, 1.0);
    std::fill_n(values.begin(), values.size() / 2, -1.0);
    EXPECT_NEAR(cell("", Task::Classification, 0, values).interval() * std::sqrt(degrees), quantile, 2e-5) << degrees;
  }
}

TEST(Cell, OneRepeatHasNoSpread) {
  const Cell c = cell("", Task::Classification, 0, {0.7});
  EXPECT_EQ(c.mean(), 0.7);
  EXPECT_EQ(c.deviation(), 0);
  EXPECT_EQ(c.interval(), 0);
  EXPECT_TRUE(std::isnan(cell("", Task::Classification, 0, {}).mean()));
}

TEST(Tasks, AreFoundByTheirNames) {
  EXPECT_EQ(known_tasks().size(), 5u);
  for (const Task task : known_tasks()) EXPECT_EQ(find_task(task_name(task)), task);
  try {
    find_task("clustering");
    FAIL();
  } catch (const Error& error) {
    const std::string what = error.what();
    for (const char* part : {"clustering", "classification", "inductive-links", "suggest-links", "suggest-labels"}) {
      EXPECT_TRUE(contains(what, part)) << what;
    }
  }
}

TEST(Table, SaysThatItWasInterrupted) {
  Evaluation evaluation = evaluation_of({cell("idne", Task::Classification, 0.1, {})});
  evaluation.interrupted = true;
  EXPECT_TRUE(contains(as_table(evaluation, false, 80), "Interrupted: 0 of 3 repeats"));
}

TEST(Csv, OneRowPerCell) {
  const auto lines = lines_of(as_csv(small()));
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0],
            "method,task,ratio,metric,mean,std,interval,difference,difference_interval,repeats,train_seconds,"
            "score_seconds,failure");
  EXPECT_EQ(lines[1], "idne,classification,0.02,micro_auc,0.960000,0.010000,0.024841,,,3,1.500,0.250,");
  EXPECT_EQ(lines[4],
            "cane,classification,0.02,micro_auc,0.910000,0.010000,0.024841,-0.050000,0.000000,3,1.500,0.250,");
  EXPECT_EQ(lines[6], "cane,inductive-links,0.1,micro_auc,,,,,,0,1.500,0.250,cannot embed new documents");
}

TEST(Csv, QuotesWhatWouldBreakARow) {
  const auto csv = as_csv(evaluation_of({cell("a,b", Task::Classification, 0.1, {}, "said \"no\"\nand left")}));
  EXPECT_TRUE(contains(csv, "\n\"a,b\",classification,"));
  EXPECT_TRUE(csv.ends_with(",\"said \"\"no\"\"\nand left\"\n"));
  EXPECT_TRUE(contains(as_csv(evaluation_of({cell("\"x\"", Task::Classification, 0.1, {})})), "\n\"\"\"x\"\"\",cl"));
}

TEST(Table, ShowsFiguresIntervalsAndSeconds) {
  const std::string table = as_table(small(), false, 100);
  for (const char* part : {"cora: 2,211 documents, 5,001 links, 7 labels, 3 repeats", "micro AUC × 100", "95 %"}) {
    EXPECT_TRUE(contains(table, part)) << table;
  }
  EXPECT_TRUE(contains(line_with(table, "2 %"), "10 %")) << table;
  EXPECT_EQ(line_with(table, "96.0"), "idne  96.0 ±2.5*  97.0 ±0.0      1.50     0.25") << table;
  EXPECT_EQ(line_with(table, "91.0"), "cane  91.0 ±2.5   98.0 ±2.5*     1.50     0.25") << table;
}

TEST(Table, FailedCellIsADashWithItsReasonBelow) {
  const std::string table = as_table(small(), false, 100);
  EXPECT_TRUE(contains(table, "– cane: cannot embed new documents\n")) << table;
  EXPECT_EQ(line_with(table, "cane     –"), "cane     –              –        –") << table;
}

TEST(Table, FailureAtSomeRatiosNamesThem) {
  Evaluation evaluation = small();
  evaluation.cells[4] = cell("cane", Task::Classification, 0.1, {}, "diverged\nbadly");
  EXPECT_TRUE(contains(as_table(evaluation, false, 100), "– cane at 10 %: diverged badly\n"));
}

TEST(Table, ColourMarksTheBestInBold) {
  const std::string table = as_table(small(), true, 100);
  EXPECT_TRUE(contains(table, "\x1b[1m96.0 ±2.5\x1b[0m")) << table;
  EXPECT_TRUE(contains(table, "\x1b[1m98.0 ±2.5\x1b[0m")) << table;
  EXPECT_FALSE(contains(table, "\x1b[1m91.0"));
  EXPECT_FALSE(contains(table, "*"));
}

TEST(Table, AllThatPrintTheSameBestAreMarked) {
  const auto evaluation =
      evaluation_of({cell("a", Task::Classification, 0.1, {0.9001}), cell("b", Task::Classification, 0.1, {0.9002}),
                     cell("c", Task::Classification, 0.1, {0.89})});
  const std::string table = as_table(evaluation, false, 80);
  EXPECT_TRUE(contains(line_with(table, "a  "), "90.0*"));
  EXPECT_TRUE(contains(line_with(table, "b  "), "90.0*"));
  EXPECT_TRUE(contains(line_with(table, "c  "), "89.0 "));
  // Two decimals tell them apart.
  EXPECT_TRUE(contains(as_latex(evaluation), "a & 90.01"));
  EXPECT_TRUE(contains(as_latex(evaluation), "b & \\textbf{90.02}"));
}

TEST(Table, OneContestantIsNotBestOfAnything) {
  const auto evaluation = evaluation_of({cell("idne", Task::Classification, 0.1, {0.9, 0.91})});
  EXPECT_FALSE(contains(as_table(evaluation, false, 80), "*"));
  EXPECT_FALSE(contains(as_markdown(evaluation), "**"));
  EXPECT_FALSE(contains(as_latex(evaluation), "textbf"));
}

TEST(Table, OneRepeatHasNoInterval) {
  const auto evaluation = evaluation_of({cell("idne", Task::Classification, 0.1, {0.9})});
  EXPECT_FALSE(contains(as_table(evaluation, false, 80), "±"));
  EXPECT_FALSE(contains(as_markdown(evaluation), "±"));
  EXPECT_FALSE(contains(as_latex(evaluation), "pm"));
}

TEST(Table, FitsTheWidth) {
  for (const std::size_t columns : {1u, 2u, 5u, 15u}) {
    for (std::size_t width = 60; width <= 200; ++width) {
      for (const bool colour : {false, true}) {
        const std::string table = as_table(large(columns), colour, width);
        for (const std::string& line : lines_of(table)) ASSERT_LE(columns_of(line), width) << table;
        EXPECT_TRUE(contains(table, "76.7"));
      }
    }
  }
}

TEST(Table, IntervalsGoBeforeNamesAreCut) {
  const std::string wide = as_table(large(), false, 200), middle = as_table(large(), false, 100),
                    narrow = as_table(large(), false, 70);
  const std::string name = "idne topics=32 dim=256 start=random";
  EXPECT_TRUE(contains(wide, name + "  76.7 ±62.5"));
  EXPECT_TRUE(contains(middle, name + "  76.7*  ")) << middle;
  EXPECT_FALSE(contains(narrow, name + "  76.7"));
  EXPECT_TRUE(contains(narrow, "idne ")) << narrow;
  EXPECT_TRUE(contains(narrow, "=random  76.7*")) << "the end of a name is what differs\n" << narrow;
  EXPECT_TRUE(contains(narrow, "no ±"));
  EXPECT_FALSE(contains(wide, "no ±"));
}

TEST(Table, NamesCannotSteerTheTerminal) {
  auto evaluation = small();
  evaluation.cells[5].failure =
      "bad document \x1b[2J\xC2\x9B"
      "31m";
  EXPECT_FALSE(contains(as_table(evaluation, false, 100), "\x1b"));
  EXPECT_FALSE(contains(as_table(evaluation, false, 100), "\xC2\x9B"));
}

TEST(Formats, AContestantStandsOnlyInTheTasksItWasRunIn) {
  const Evaluation evaluation = evaluation_of({cell("idne", Task::Classification, 0.1, {0.95, 0.96}),
                                               cell("idne", Task::InductiveLinks, 0.1, {0.91, 0.92}),
                                               cell("idne, text only", Task::Classification, 0.1, {0.93, 0.94})});
  const std::string name = "idne, text only";
  for (const auto& text : {as_table(evaluation, false, 100), as_markdown(evaluation), as_latex(evaluation)}) {
    const std::size_t first = text.find(name), below = text.find("minus idne");
    ASSERT_LT(first, below) << text;
    const std::size_t second = text.find(name, first + 1);  // its difference
    ASSERT_GT(second, below) << text;
    EXPECT_EQ(text.find(name, second + 1), std::string::npos) << text;
    EXPECT_FALSE(contains(text, "–")) << text;
    EXPECT_FALSE(contains(text, "NA")) << text;
  }
  // Best of one is no news.
  EXPECT_TRUE(contains(as_table(evaluation, false, 100), "95.5 ±6.4*"));
  EXPECT_FALSE(contains(line_with(as_table(evaluation, false, 100), "91.5"), "*"));
}

TEST(Latex, AContestantOfOneInductiveTaskIsNotAvailableInTheOther) {
  const std::string text = as_latex(
      evaluation_of({cell("a", Task::InductiveClassification, 0.1, {0.9}), cell("a", Task::InductiveLinks, 0.1, {0.8}),
                     cell("b", Task::InductiveLinks, 0.1, {0.7})}));
  EXPECT_TRUE(contains(text, "a & \\textbf{90.00} & \\textbf{80.00} \\\\\nb & NA & 70.00 \\\\ \\hline\n")) << text;
}

TEST(Formats, TakeAnEmptyEvaluation) {
  const Evaluation nothing;
  for (const auto& text : {as_table(nothing, true, 80), as_csv(nothing), as_markdown(nothing)}) {
    EXPECT_FALSE(text.empty());
  }
  EXPECT_EQ(as_latex(nothing), "");
}

TEST(Markdown, ATablePerTask) {
  Evaluation evaluation = small();
  for (const std::size_t k : {0u, 1u, 2u}) evaluation.cells[k].contestant = "idne|x_y";
  const std::string text = as_markdown(evaluation);
  EXPECT_EQ(line_with(text, "96.0"), "| idne\\|x\\_y | **96.0** ±2.5 | 97.0 ±0.0 | 1.50 | 0.25 |") << text;
  EXPECT_EQ(line_with(text, "91.0"), "| cane | 91.0 ±2.5 | **98.0** ±2.5 | 1.50 | 0.25 |");
  EXPECT_TRUE(contains(text, "| cane | – | – | – |"));
  EXPECT_TRUE(contains(text, "\n- cane: cannot embed new documents\n"));
  EXPECT_TRUE(contains(text, "### Inductive links, 10 % of the documents hidden"));
}

TEST(Latex, HasThePapersForm) {
  const std::string text = as_latex(small());
  for (const char* part :
       {"\\begin{table}", "\\caption{Micro AUC scores on cora. Means of 3 repeats",
        "\\label{table:classification-cora}", "\\begin{tabular}{l|cc}", "\\multicolumn{2}{c}{cora}",
        "& 2\\% & 10\\% \\\\ \\hline", "idne & \\textbf{96.00} & 97.00 \\\\",
        "cane & 91.00 & \\textbf{98.00} \\\\ \\hline\n\\multicolumn{3}{l}{minus idne} \\\\\n",
        "cane & $-5.00 \\pm 0.00$ & $+1.00 \\pm 2.48$\n\\end{tabular}", "\\end{table}", "\\label{table:induction-cora}",
        "\\multicolumn{1}{c}{Inductive link prediction}", "cane & NA\n", "% NA: cane: cannot embed new documents\n"}) {
    EXPECT_TRUE(contains(text, part)) << part << "\nin\n" << text;
  }
}

TEST(Latex, EscapesItsOwnCharacters) {
  Evaluation evaluation = evaluation_of({cell("a_b & 50% #1 {x} ~^\\ $", Task::Classification, 0.1, {0.9})});
  evaluation.corpus = "My_Corpus";
  const std::string text = as_latex(evaluation);
  EXPECT_TRUE(
      contains(text, "a\\_b \\& 50\\% \\#1 \\{x\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{} \\$ &"))
      << text;
  EXPECT_TRUE(contains(text, "on My\\_Corpus"));
  EXPECT_TRUE(contains(text, "\\label{table:classification-my-corpus}"));
}

}  // namespace
}  // namespace idne
