#include "suggest_text.h"

#include <algorithm>
#include <cmath>

#include "terminal.h"

namespace idne::app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string with_space(std::string text, std::string_view more, std::string_view between = " ") {
  if (!text.empty()) text += between;
  return text += more;
}

/// "for: dose fever  against: guitar"
std::string words_of(const SuggestedLabel& label, const Words& words) {
  std::string speak, against;
  for (const WordPart& part : label.words) {
    std::string& side = part.part > 0 ? speak : against;
    side = with_space(std::move(side), words.shown(part.word));
  }
  std::string text;
  if (!speak.empty()) text = "for: " + speak;
  return against.empty() ? text : with_space(std::move(text), "against: " + against, "  ");
}

void print_labels(const Suggestions& suggestions, const Model& model) {
  Rows rows;
  for (const SuggestedLabel& label : suggestions.labels) {
    rows.push_back({fmt::format("{:.1f} %", 100 * label.probability), std::string(model.labels().names[label.label]),
                    words_of(label, model.words())});
  }
  const bool reasons = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row[2].empty(); });
  print_table({">probability", "label", reasons ? "words" : ""}, rows);
}

/// "dose physician dose–infection": words of the text, with the document's word where it is another.
std::string reasons_of(const SuggestedLink& link, const Words& words) {
  std::string text;
  for (const WordPair& p : link.reasons) {
    if (p.part <= 0) continue;
    text = with_space(std::move(text), p.a == p.b ? std::string(words.shown(p.a))
                                                  : fmt::format("{}–{}", words.shown(p.a), words.shown(p.b)));
  }
  return text;
}

/// The two that count most, within so many columns: "Volcano; Lava".
std::string voters_of(const SuggestedLink& link, const Documents& documents, std::size_t columns) {
  std::vector<std::string> titles;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, link.voters.size()); ++k) {
    const std::size_t row = link.voters[k].document;
    titles.push_back(printable_line(documents.titles[row].empty() ? documents.ids[row] : documents.titles[row]));
  }
  if (titles.size() < 2) return titles.empty() ? "" : cut_to_columns(titles[0], columns);
  const std::size_t both = columns - 2;
  const auto room_beside = [&](const std::string& other) {
    return std::max(both / 2, both - std::min(both, columns_of(other)));
  };
  return cut_to_columns(titles[0], room_beside(titles[1])) + "; " + cut_to_columns(titles[1], room_beside(titles[0]));
}

/// Without the sign of a zero.
std::string part(double value) { return fmt::format("{:.2f}", std::abs(value) < 0.005 ? 0.0 : value); }

/// A line per link, with its reasons below it: side by side they would not fit beside a title.
void print_links(const Suggestions& suggestions, const Model& model) {
  constexpr std::size_t kNumbers = 28;   // columns that stand before the last one
  constexpr std::size_t kWidestId = 20;  // longer ones, such as addresses, push their title aside
  constexpr std::string_view kVoters = "  linked from ";
  const std::size_t edge = terminal_width(stdout).value_or(10000);  // a pipe has none
  const std::size_t voters_width = std::max<std::size_t>(edge, 60) - kNumbers - kVoters.size();
  const Documents& documents = model.documents();
  std::size_t id_width = columns_of("link to");
  for (const SuggestedLink& link : suggestions.links) {
    const std::size_t width = columns_of(printable_line(documents.ids[link.document]));
    if (width <= kWidestId) id_width = std::max(id_width, width);
  }
  const auto beside = [&](const std::string& id, std::string_view title) {
    const std::size_t width = columns_of(id);
    return fmt::format("{}{}  {}", id, std::string(width < id_width ? id_width - width : 0, ' '), title);
  };
  Rows rows;
  for (const SuggestedLink& link : suggestions.links) {
    rows.push_back({fmt::format("{:.3f}", link.score), part(link.parts.words), part(link.parts.space),
                    part(link.parts.votes),
                    beside(printable_line(documents.ids[link.document]), documents.titles[link.document])});
    const std::string reasons = reasons_of(link, model.words());
    if (!reasons.empty()) rows.push_back({"", "", "", "", "  through " + reasons});
    const std::string voters = voters_of(link, documents, voters_width);
    if (!voters.empty()) rows.push_back({"", "", "", "", std::string(kVoters) + voters});
  }
  print_table({">score", ">words", ">space", ">votes", beside("link to", "title")}, rows);
}

}  // namespace

void print_suggestions(const Suggestions& suggestions, const Model& model) {
  if (!suggestions.labels.empty()) print_labels(suggestions, model);
  if (!suggestions.labels.empty() && !suggestions.links.empty()) print_result("\n");
  if (!suggestions.links.empty()) print_links(suggestions, model);
}

}  // namespace idne::app
