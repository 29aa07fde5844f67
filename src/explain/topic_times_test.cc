#include "idne/topic_times.h"

#include <gtest/gtest.h>

#include "explain/topic_test_models.h"
#include "idne/error.h"

namespace idne {
namespace {

/// Two topics, a word each; documents with these dates.
Model dated(std::vector<std::int64_t> dates, const std::vector<std::vector<WordCount>>& documents) {
  Model model = model_of({{1, 0}, {0, 1}}, documents);
  ModelMaker(model).set(layout::kDocumentDates, std::move(dates));
  return model;
}

TEST(TopicTimes, AreMeanSharesOfTheDocumentsOfAPeriod) {
  const Model model =
      dated({20150304, 20150000, 20171201, 0, 20180000}, {{{0, 1}}, {{0, 1}, {1, 1}}, {{1, 3}}, {{1, 1}}, {}});
  const TopicTimes times = topic_times(model, Period::Year, 2);
  EXPECT_EQ(times.periods, (std::vector<std::string>{"2015", "2017"}));
  EXPECT_EQ(times.documents, (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(times.shares, (std::vector<std::vector<double>>{{0.75, 0}, {0.25, 1}}));
  EXPECT_NEAR(times.all[0], 0.5, 1e-12);
  EXPECT_EQ(times.undated, 1u);
  EXPECT_EQ(times.wordless, 1u);
}

TEST(TopicTimes, ByMonthADateMustTellIt) {
  const Model model = dated({20150304, 20150000, 20151201}, {{{0, 1}}, {{0, 1}}, {{1, 1}}});
  const TopicTimes times = topic_times(model, Period::Month, 1);
  EXPECT_EQ(times.periods, (std::vector<std::string>{"2015-03", "2015-12"}));
  EXPECT_EQ(times.undated, 1u);
  EXPECT_EQ(times_tsv(times),
            "month\tdocuments\tw0, w1\tw1, w0\n2015-03\t1\t1.000000\t0.000000\n"
            "2015-12\t1\t0.000000\t1.000000\n");
}

TEST(TopicTimes, WithoutDatesSaySo) {
  EXPECT_THROW(topic_times(model_of({{1, 0}, {0, 1}}, {{{0, 1}}}), Period::Year, 1), Error);
  EXPECT_THROW(topic_times(dated({20150000}, {{{0, 1}}}), Period::Month, 1), Error);
  EXPECT_THROW(topic_times(dated({-5}, {{{0, 1}}}), Period::Year, 1), Error) << "whatever a file says";
}

TEST(TimesPicture, HasAChartPerTopicAndBreaksWhereNothingIsKnown) {
  const Model model = dated({20150000, 20160000, 20190000}, {{{0, 1}}, {{0, 1}, {1, 1}}, {{1, 1}}});
  const std::string svg = times_svg(topic_times(model, Period::Year, 1), "Over time");
  EXPECT_NE(svg.find("<title>topic 1: w0, w1</title>"), std::string::npos);
  EXPECT_NE(svg.find("100.0 % in 2015"), std::string::npos);
  EXPECT_NE(svg.find("100.0 % in 2019"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace idne
