#include "idne/report.h"

#include <fmt/format.h>

#include "explain/html_parts.h"
#include "text/markup.h"

namespace idne {
namespace {

std::string figures(const std::vector<std::pair<std::string, std::string>>& figures) {
  std::string html = "<dl class=\"figures\">";
  for (const auto& [name, value] : figures) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escape_markup(name), escape_markup(value));
  }
  return html + "</dl>\n";
}

std::vector<ShownTopic> shown(const TopicDescriptions& topics) {
  std::vector<ShownTopic> result;
  for (const TopicDescription& topic : topics.topics) {
    ShownTopic& one = result.emplace_back(ShownTopic{topic.name, topic.named, {}});
    for (const RankedWord& word : topic.words) one.words.push_back(word.word);
  }
  return result;
}

std::string topics_table(const TopicDescriptions& topics) {
  if (topics.topics.empty()) return "";
  const double largest = topics.topics.front().share;
  const std::vector<ShownTopic> words = shown(topics);
  std::string html =
      "<h2>Topics</h2>\n<table>\n<tr><th class=\"tight\">topic</th><th>words</th><th class=\"tight\">coherence</th>"
      "<th>share of the documents</th></tr>\n";
  for (const TopicDescription& topic : topics.topics) {
    html += fmt::format(
        "<tr><td>{}</td><td>{}{}</td><td>{:.2f}</td><td class=\"part\"><div><span>{:.1f} %</span><em><i "
        "style=\"width:{:.1f}%\"></i>"
        "</em></div></td></tr>\n",
        topic.topic, topic.named ? fmt::format("<b><bdi>{}</bdi></b><br>", escape_markup(topic.name)) : "",
        joined_words(words, topic.topic, kShownTopicWords), topic.coherence, 100 * topic.share,
        largest > 0 ? 100 * topic.share / largest : 0);
  }
  return html + "</table>\n";
}

std::string suggestions(std::string_view heading, const std::vector<ReportedSuggestion>& list, bool percents) {
  if (list.empty()) return "";
  std::string html = fmt::format("<section><h2>{}</h2>\n<table>\n", heading);
  for (const ReportedSuggestion& one : list) {
    html +=
        fmt::format("<tr><td class=\"tight\">{}</td><td><bdi>{}</bdi>{}</td><td class=\"tight\">{}</td></tr>\n",
                    percents ? html_percent(one.score) : fmt::format("{:.3f}", one.score), escape_markup(one.name),
                    one.title.empty() ? "" : fmt::format("<br><bdi class=\"here\">{}</bdi>", escape_markup(one.title)),
                    one.is_correct ? "<b>true</b>" : "");
  }
  return html + "</table></section>\n";
}

}  // namespace

std::string report_page(const Report& report) {
  const std::vector<ShownTopic> words = shown(report.topics);
  std::string body = fmt::format("<p class=\"kind\">What was learnt</p>\n<h1><bdi>{}</bdi></h1>\n{}",
                                 escape_markup(report.title), figures(report.figures));
  for (const ReportedText& text : report.texts) {
    body += fmt::format("<h2><bdi>{}</bdi></h2>\n{}<div class=\"two\">\n{}{}</div>\n", escape_markup(text.title),
                        explained_text(text.explanation, words), suggestions("Suggested labels", text.labels, true),
                        suggestions("Suggested links", text.links, false));
    if (!text.remark.empty()) body += fmt::format("<p class=\"note\">{}</p>\n", escape_markup(text.remark));
  }
  return html_page(report.title, true, body + topics_table(report.topics) + std::string(kFooter));
}

}  // namespace idne
