#include "idne/report.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

Report small_report() {
  Report report{"<notes> & \"more\"", {{"documents", "1,234"}}, {{}, WordRanking::Product, 0, 0, 0}, {}};
  report.topics.topics.push_back({1, "moon, <b>", false, 0.75, 0.6, 0.5, {{"moon", 1}, {"<b>", 1}}, {}});
  report.topics.topics.push_back({2, "Baking & more", true, 0.25, 0.6, 0.25, {{"flour", 1}}, {}});
  const std::string_view text = "A moon & flour";
  Explanation explanation{
      {{1, 0.8}, {2, 0.2}},
      {{text.substr(0, 2), {}, {}, 0}, {text.substr(2, 4), 0, 1, 0.9f}, {text.substr(6), {}, {}, 0}}};
  report.texts.push_back({"New <one>",
                          explanation,
                          {{0.91, "sky", "", true}, {0.05, "food", "", false}},
                          {{0.7654, "a/b", "The <moon>", true}},
                          "9 of 10"});
  return report;
}

bool has(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

TEST(Report, ShowsTopicsTextsAndWhatIsTrue) {
  const std::string page = report_page(small_report());
  for (const char* part : {"1,234", "75.0 %", "25.0 %", "flour", "91 %", "0.765", "9 of 10", ">moon</mark>"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  EXPECT_TRUE(has(page, "<bdi>Baking &amp; more</bdi>")) << "a name that somebody gave";
  EXPECT_TRUE(has(page, "<td>0.25</td>")) << "coherence";
  const auto row = [&](std::string_view name) {
    const std::size_t at = page.find(name);
    return page.substr(at, page.find("</tr>", at) - at);
  };
  EXPECT_TRUE(has(row("<bdi>sky"), "true"));
  EXPECT_FALSE(has(row("<bdi>food"), "true"));
  EXPECT_TRUE(has(row("<bdi>a/b"), "true"));
}

TEST(Report, IsSafeAndLoadsNothing) {
  const std::string page = report_page(small_report());
  for (const char* raw : {"<notes>", "<one>", "<moon>", "<b>,", "<script", "http://", "https://", "src="}) {
    EXPECT_FALSE(has(page, raw)) << raw;
  }
  EXPECT_TRUE(has(page, "&lt;notes&gt; &amp; &quot;more&quot;"));
}

TEST(Report, WithoutTopicsOrSuggestions) {
  Report report = small_report();
  report.topics.topics.clear();
  report.texts[0].labels.clear();
  report.texts[0].links.clear();
  const std::string page = report_page(report);
  EXPECT_FALSE(has(page, "Suggested"));
  EXPECT_FALSE(has(page, "<h2>Topics"));
}

}  // namespace
}  // namespace idne
