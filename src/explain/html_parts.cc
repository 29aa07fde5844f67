#include "explain/html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "idne/topics.h"
#include "text/markup.h"
#include "text/numbers.h"

namespace idne {
namespace {

constexpr std::size_t kMain = 2;
constexpr float kMarked = 0.5f;  // of a word's attention

/// Okabe and Ito's colours, which colour-blind readers tell apart; ink stays black or white, so that every word can be
/// read. Underlines differ too: solid, double, dashed, dotted, wavy.
constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--paper:#fdfdfb;--ink:#1c1d20;--soft:#5c5f66;--line:#dfdfda;--card:#f5f5f1;--tint:17%;
--c1:#009e73;--c2:#0072b2;--c3:#d55e00;--c4:#cc79a7;--c5:#e69f00;--rest:#b9bab5}
@media (prefers-color-scheme:dark){:root{--paper:#15171b;--ink:#e9e8e4;--soft:#a3a6ad;--line:#33363d;--card:#1d2026;
--tint:26%;--c1:#00b383;--c2:#56b4e9;--c3:#e8743b;--c4:#dd93bd;--c5:#f0e442;--rest:#565a63}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:48rem;margin:0 auto;padding:2.5rem 1.25rem 3rem}
main.wide{max-width:72rem}
.kind{margin:0;color:var(--soft);font-size:.85rem;letter-spacing:.02em}
h1{margin:.15rem 0 1.5rem;font-size:1.6rem;line-height:1.25;font-weight:650;overflow-wrap:anywhere;text-wrap:balance}
h2{margin:2.25rem 0 .75rem;font-size:1.05rem;font-weight:650;overflow-wrap:anywhere}
h1 bdi,h2 bdi{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
p{margin:.5rem 0}
.note{color:var(--soft);font-size:.9rem;max-width:44rem}
.bar{display:flex;gap:2px;height:.8rem;margin:0 0 1.25rem;border-radius:.4rem;overflow:hidden}
.bar span{min-width:2px;background:var(--rest)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:.9rem;margin:0 0 .9rem;padding:0;list-style:none}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.85rem 1rem;break-inside:avoid}
.cards.small{grid-template-columns:repeat(auto-fit,minmax(13rem,1fr))}
.cards.small li{padding:.6rem .85rem;font-size:.9rem}
.head{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;margin:0 0 .35rem;font-weight:650}
.head b{font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums}
.small .head b{font-size:1rem}
.words{margin:0;overflow-wrap:anywhere}
.here{margin:.35rem 0 0;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
.text{margin:1.25rem 0 0;font:1.12rem/2 Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;
white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;tab-size:4}
mark{color:inherit;background:none;border-radius:.2em;padding:0 .06em;text-decoration-line:underline;
text-decoration-thickness:.13em;text-underline-offset:.22em;text-decoration-skip-ink:none;
-webkit-print-color-adjust:exact;print-color-adjust:exact}
.t1{--c:var(--c1);text-decoration-style:solid}.t2{--c:var(--c2);text-decoration-style:double}
.t3{--c:var(--c3);text-decoration-style:dashed}.t4{--c:var(--c4);text-decoration-style:dotted}
.t5{--c:var(--c5);text-decoration-style:wavy}
mark.t2,mark.t5{text-decoration-thickness:.09em}mark.t4{text-decoration-thickness:.16em}
mark{text-decoration-color:var(--c);background:color-mix(in srgb,var(--c) var(--tint),transparent)}
.bar .t1,.bar .t2,.bar .t3,.bar .t4,.bar .t5{background:var(--c)}
.bar span,.part i{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2.5rem}
.two h2{margin-top:1.5rem}
.figures{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin:0 0 1.5rem}
.figures div{display:flex;gap:.5rem;align-items:baseline}
.figures dt{color:var(--soft)}
.figures dd{margin:0;font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse;font-size:.95rem}
th{text-align:start;color:var(--soft);font-weight:500;font-size:.85rem}
th,td{padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:baseline;overflow-wrap:anywhere}
tr{break-inside:avoid}
td.part{width:42%;padding-right:0}
.tight{width:1%;white-space:nowrap}
.part div{display:flex;align-items:center;gap:.6rem}
.part span{flex:none;width:4.4rem;white-space:nowrap;text-align:end;font-variant-numeric:tabular-nums}
.part em{flex:1;min-width:0}
.part i{display:block;height:.65rem;min-width:1px;border-radius:.15rem;background:var(--ink);opacity:.75}
.part i.against{background:repeating-linear-gradient(135deg,var(--ink) 0 1px,transparent 1px 4px);border:1px solid var(--ink)}
footer.note{max-width:none;margin-top:2.5rem;padding-top:.75rem;border-top:1px solid var(--line)}
@media (max-width:44rem){.two{grid-template-columns:minmax(0,1fr)}main{padding:1.5rem 1rem 2rem}h1{font-size:1.35rem}
td.part{width:46%}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#ccc;--card:#fff;--tint:17%;
--c1:#009e73;--c2:#0072b2;--c3:#d55e00;--c4:#cc79a7;--c5:#e69f00;--rest:#b9bab5}main{max-width:none;padding:0}
.text{font-size:11pt}}
)";

bool marked(const ExplainedToken& token, const Marks& marks) {
  return token.topic && token.weight > kMarked && marks.contains(*token.topic);
}

/// The marked words of a topic as they stand in the text, the strongest first, each once.
std::string words_here(const Explanation& explanation, std::size_t topic, const Marks& marks) {
  std::vector<const ExplainedToken*> own;
  for (const ExplainedToken& token : explanation.tokens) {
    if (token.topic == topic && marked(token, marks)) own.push_back(&token);
  }
  std::stable_sort(own.begin(), own.end(), [](const auto* a, const auto* b) { return a->weight > b->weight; });
  std::set<std::uint32_t> emitted;
  std::string html;
  for (const ExplainedToken* token : own) {
    if (emitted.size() == kShownTopicWords) break;
    if (!emitted.insert(*token->word).second) continue;
    html += fmt::format("{}<bdi>{}</bdi>", html.empty() ? "" : ", ", escape_markup(token->text));
  }
  return html;
}

}  // namespace

std::string html_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string html_page(std::string_view title, bool wide, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main{}>\n{}</main>\n</body>\n</html>\n",
      escape_markup(title), kStyle, wide ? " class=\"wide\"" : "", body);
}

std::string marked_text(const Explanation& explanation, const Marks& marks) {
  std::string html = "<div class=\"text\" dir=\"auto\" lang=\"\">";
  for (const ExplainedToken& token : explanation.tokens) {
    if (marked(token, marks)) {
      html += fmt::format("<mark class=\"t{}\" title=\"topic {}, {:.0f} % of its attention\">{}</mark>",
                          marks.at(*token.topic), *token.topic, 100 * token.weight, escape_markup(token.text));
    } else {
      html += escape_markup(token.text);
    }
  }
  return html + "</div>\n";
}

std::string html_topic(std::span<const ShownTopic> topics, std::size_t topic) {
  const bool named = topic <= topics.size() && topics[topic - 1].named;
  return fmt::format("Topic {}{}", topic,
                     named ? fmt::format(": <bdi>{}</bdi>", escape_markup(topics[topic - 1].name)) : "");
}

std::string joined_words(std::span<const ShownTopic> topics, std::size_t topic, std::size_t count) {
  std::string html;
  if (topic > topics.size()) return html;
  const auto& words = topics[topic - 1].words;
  for (std::size_t n = 0; n < std::min(count, words.size()); ++n) {
    html += fmt::format("{}<bdi>{}</bdi>", n ? ", " : "", escape_markup(words[n]));
  }
  return html;
}

std::string topic_card(std::span<const ShownTopic> topics, std::size_t topic, std::size_t mark, std::string_view figure,
                       std::size_t words, const std::string& here) {
  return fmt::format(
      "<li><p class=\"head\"><mark class=\"t{}\">{}</mark> <b>{}</b></p><p class=\"words\">{}</p>{}</li>\n", mark,
      html_topic(topics, topic), figure, joined_words(topics, topic, words),
      here.empty() ? "" : fmt::format("<p class=\"here\">Here: {}</p>", here));
}

namespace {

std::string share_bar(const std::vector<TopicShare>& topics) {
  std::string html = "<div class=\"bar\" role=\"img\" aria-label=\"shares of the topics\">";
  double shown = 0;
  for (std::size_t n = 0; n < std::min(kShown, topics.size()); ++n) {
    html += fmt::format("<span class=\"t{}\" style=\"flex:{:.4f}\" title=\"topic {}, {}\"></span>", n + 1,
                        topics[n].share, topics[n].topic, html_percent(topics[n].share));
    shown += topics[n].share;
  }
  if (shown < 0.999)
    html +=
        fmt::format("<span style=\"flex:{:.4f}\" title=\"all else, {}\"></span>", 1 - shown, html_percent(1 - shown));
  return html + "</div>\n";
}

std::string cards(const Explanation& explanation, std::span<const ShownTopic> shown, const Marks& marks) {
  const auto& topics = explanation.topics;
  std::string html;
  for (std::size_t n = 0; n < std::min(kShown, topics.size()); ++n) {
    if (n == 0) html += "<ul class=\"cards\">\n";
    if (n == kMain) html += "</ul>\n<ul class=\"cards small\">\n";
    html += topic_card(shown, topics[n].topic, n + 1, html_percent(topics[n].share), kShownTopicWords,
                       n < kMain ? words_here(explanation, topics[n].topic, marks) : "");
  }
  return html.empty() ? html : html + "</ul>\n";
}

/// How many words were known, how many are marked, and why.
std::string counts_note(const Explanation& explanation, const Marks& marks) {
  std::size_t known = 0, shown = 0;
  for (const ExplainedToken& token : explanation.tokens) {
    known += token.word.has_value();
    shown += marked(token, marks);
  }
  if (known == 0) return "<p class=\"note\">The model knows no word of this text.</p>\n";
  std::string note = fmt::format(
      "<p class=\"note\">A word is marked if more than half of its attention goes to one of the topics above: {} of "
      "the {} "
      "words that the model knows.",
      shown, known);
  if (explanation.topics.size() > kShown) {
    note += fmt::format(" {} smaller shares.",
                        counted(explanation.topics.size() - kShown, "more topic has", "more topics have"));
  }
  return note + "</p>\n";
}

}  // namespace

std::string explained_text(const Explanation& explanation, std::span<const ShownTopic> topics) {
  Marks marks;
  for (std::size_t n = 0; n < std::min(kShown, explanation.topics.size()); ++n) {
    marks[explanation.topics[n].topic] = n + 1;
  }
  return (explanation.topics.empty() ? "" : share_bar(explanation.topics)) + cards(explanation, topics, marks) +
         marked_text(explanation, marks) + counts_note(explanation, marks);
}

}  // namespace idne
