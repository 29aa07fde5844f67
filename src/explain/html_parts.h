#pragma once

#include <map>
#include <string>
#include <string_view>

#include "idne/explain.h"

/// What idne's HTML pages are put together from.
namespace idne {

/// As many topics as there are underlines that differ; the first two are the paper's.
constexpr std::size_t kShown = 5;
/// Which mark, 1 … kShown, each of the shown topics has.
using Marks = std::map<std::size_t, std::size_t>;

/// A whole page without scripts, which loads nothing.
std::string html_page(std::string_view title, bool wide, std::string_view body);
/// The text, with the words that belong to the marked topics marked.
std::string marked_text(const Explanation& explanation, const Marks& marks);
/// "Topic 3", with the name that somebody gave it.
std::string html_topic(std::span<const ShownTopic> topics, std::size_t topic);
/// The first words of a topic, with commas between.
std::string joined_words(std::span<const ShownTopic> topics, std::size_t topic, std::size_t count);
std::string topic_card(std::span<const ShownTopic> topics, std::size_t topic, std::size_t mark, std::string_view figure,
                       std::size_t words, const std::string& here);
std::string html_percent(double share);
/// What a text is about: its topics as a bar and as cards, and the marked text.
std::string explained_text(const Explanation& explanation, std::span<const ShownTopic> topics);

constexpr std::string_view kFooter = "<footer class=\"note\">Made by idne.</footer>\n";

}  // namespace idne
