#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "explain/html_parts.h"
#include "text/markup.h"

namespace idne {
namespace {

/// With a true minus sign.
std::string signed_part(double part) { return fmt::format("{}{:.4f}", part < 0 ? "−" : "", std::abs(part)); }

/// A number with a bar as long as its share of `largest`; hatched where it speaks against.
std::string part_cell(double part, double largest) {
  const double width = largest > 0 ? 100 * std::abs(part) / largest : 0;
  return fmt::format("<td class=\"part\"><div><span>{}</span><em><i{} style=\"width:{:.1f}%\"></i></em></div></td>",
                     signed_part(part), part < 0 ? " class=\"against\"" : "", width);
}

std::string sum_row(std::string_view name, double sum) {
  return fmt::format("<tr><td colspan=\"2\">{}</td><td class=\"part\"><div><span>{}</span></div></td></tr>\n", name,
                     signed_part(sum));
}

/// A table of parts that ends with what is not listed and the whole.
template <class Pair, class Cell>
std::string parts_table(const std::vector<Pair>& pairs, double other, double score, const Cell& cell) {
  const double largest = pairs.empty() ? 0 : std::abs(pairs.front().part);
  std::string html = "<table>\n<tr><th>first text</th><th>second text</th><th>part of the score</th></tr>\n";
  for (const Pair& pair : pairs) {
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td>{}</tr>\n", cell(pair.a), cell(pair.b), part_cell(pair.part, largest));
  }
  return html + sum_row("all other pairs", other) + sum_row("<b>together</b>", score) + "</table>\n";
}

/// The topics with the largest parts on either side.
std::vector<TopicPart> main_topics(const PairExplanation& pair) {
  std::map<std::size_t, double> parts;
  for (const TopicPart& part : pair.topics_a) parts[part.topic] += part.part / 2;
  for (const TopicPart& part : pair.topics_b) parts[part.topic] += part.part / 2;
  std::vector<TopicPart> topics;
  for (const auto& [topic, part] : parts) topics.push_back({topic, part});
  std::stable_sort(topics.begin(), topics.end(),
                   [](const TopicPart& x, const TopicPart& y) { return std::abs(x.part) > std::abs(y.part); });
  topics.resize(std::min(kShown, topics.size()));
  return topics;
}

}  // namespace

std::string explanation_page(const ExplainedText& text, std::span<const ShownTopic> topics) {
  return html_page(text.title, false,
                   fmt::format("<p class=\"kind\">What a text is about</p>\n<h1><bdi>{}</bdi></h1>\n{}{}",
                               escape_markup(text.title), explained_text(text.explanation, topics), kFooter));
}

std::string pair_page(const ExplainedText& a, const ExplainedText& b, const PairExplanation& pair,
                      const StringsView& words, std::span<const ShownTopic> shown) {
  const std::vector<TopicPart> topics = main_topics(pair);
  Marks marks;
  for (const TopicPart& topic : topics) marks.emplace(topic.topic, marks.size() + 1);
  std::string body = fmt::format(
      "<p class=\"kind\">Why two texts are close</p>\n<h1><bdi>{}</bdi> <bdi>{}</bdi></h1>\n<dl "
      "class=\"figures\"><div><dt>cosine</dt>"
      "<dd>{:.3f}</dd></div><div><dt>score</dt><dd>{:.4f}</dd></div></dl>\n",
      escape_markup(a.title), escape_markup(b.title), pair.cosine, pair.score);
  if (!topics.empty()) body += "<ul class=\"cards small\">\n";
  for (const TopicPart& topic : topics) {
    body += topic_card(shown, topic.topic, marks[topic.topic], signed_part(topic.part), 6, "");
  }
  if (!topics.empty())
    body += "</ul>\n<p class=\"note\">Topics by what they add to the score, in all their pairs.</p>\n";
  body += "<div class=\"two\">\n";
  for (const ExplainedText* text : {&a, &b}) {
    body += fmt::format("<section><h2><bdi>{}</bdi></h2>\n{}</section>\n", escape_markup(text->title),
                        marked_text(text->explanation, marks));
  }
  body += "</div>\n<div class=\"two\">\n<section><h2>Words that carry the score</h2>\n";
  body += parts_table(pair.words, pair.other_words, pair.score,
                      [&](std::uint32_t word) { return fmt::format("<bdi>{}</bdi>", escape_markup(words[word])); });
  body += "</section>\n";
  if (!pair.topics.empty()) {
    body += "<section><h2>Topics that carry the score</h2>\n";
    body += parts_table(pair.topics, pair.other_topics, pair.score, [&](std::size_t topic) {
      const auto mark = marks.find(topic);
      const std::string name = html_topic(shown, topic);
      return mark == marks.end() ? name : fmt::format("<mark class=\"t{}\">{}</mark>", mark->second, name);
    });
    body += "</section>\n";
  }
  body +=
      "</div>\n<p class=\"note\">The score is the product of the two texts’ vectors. It is exactly the sum over all "
      "pairs "
      "of their words, and over all pairs of their topics.</p>\n";
  body += kFooter;
  return html_page(fmt::format("{} and {}", a.title, b.title), true, body);
}

}  // namespace idne
