#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "idne/error.h"
#include "idne/topics.h"
#include "model/tensors.h"
#include "text/strings.h"

namespace idne {
namespace {

constexpr std::size_t kLongestName = 200;

constexpr std::size_t kNameWords = 3;

/// The name that somebody gave to topic k, from 0.
std::string_view given_name(const Model& model, std::size_t k) {
  const StringsView& names = model.topics().names;
  return k < names.size() ? names[k] : std::string_view();
}

/// White space of any kind as one space, none at the ends.
std::string tidy_name(std::string_view text) {
  std::string name;
  for (const char c : trimmed(text)) {
    const bool space = static_cast<unsigned char>(c) <= ' ' || c == 0x7F;
    if (!space || !name.ends_with(' ')) name += space ? ' ' : c;
  }
  return name;
}

std::string checked_name(const std::string& text, const std::string& what) {
  if (!is_utf8(text)) throw Error(fmt::format("the name of {} is no UTF-8", what));
  std::string name = tidy_name(text);
  if (columns_of(name) > kLongestName) {
    throw Error(fmt::format("the name of {} is longer than {} characters", what, kLongestName));
  }
  return name;
}

}  // namespace

std::vector<ShownTopic> shown_topics(const Model& model, int threads) {
  const StringsView& strings = model.words().shown();
  std::vector<ShownTopic> shown;
  for (const auto& list : topic_words(model, own_ranking(model), kShownTopicWords, threads)) {
    const std::string_view given = given_name(model, shown.size());
    ShownTopic& topic = shown.emplace_back();
    for (const std::uint32_t word : list) topic.words.emplace_back(strings[word]);
    topic.named = !given.empty();
    const std::span first(topic.words.data(), std::min(kNameWords, topic.words.size()));
    topic.name = topic.named     ? std::string(given)
                 : first.empty() ? fmt::format("topic {}", shown.size())
                                 : fmt::format("{}", fmt::join(first, ", "));
  }
  return shown;
}

std::string in_a_row(const std::vector<std::string>& words) {
  const bool phrases =
      std::ranges::any_of(words, [](const std::string& word) { return word.find(' ') != std::string::npos; });
  return fmt::format("{}", fmt::join(words, phrases ? ", " : " "));
}

std::string ShownTopic::text() const {
  return fmt::format("{}{}{}", named ? name : "", named ? ": " : "", in_a_row(words));
}

std::vector<std::string> topic_names(const Model& model, int threads) {
  std::vector<std::string> names;
  for (ShownTopic& topic : shown_topics(model, threads)) names.push_back(std::move(topic.name));
  return names;
}

Model name_topics(const Model& model, const std::vector<TopicName>& names) {
  const std::size_t topics = model.topics().size();
  std::vector<std::string> all;
  for (std::size_t k = 0; k < topics; ++k) all.emplace_back(given_name(model, k));
  for (const TopicName& one : names) {
    if (one.topic < 1 || one.topic > topics) {
      throw Error(fmt::format("there is no topic {}: the model has {}, numbered from 1", one.topic, topics));
    }
    all[one.topic - 1] = checked_name(one.name, fmt::format("topic {}", one.topic));
  }
  Model result = model;
  ModelMaker maker(result);
  const bool any = std::any_of(all.begin(), all.end(), [](const std::string& name) { return !name.empty(); });
  if (any) {
    maker.set_strings(layout::kTopicNames, all);
  } else {
    maker.remove(layout::kTopicNames);
  }
  return result;
}

Model rename_label(const Model& model, std::string_view label, const std::string& name) {
  const std::string wanted = checked_name(name, fmt::format("the label '{}'", label));
  if (wanted.empty()) throw Error("a label needs a name");
  const StringsView& names = model.labels().names;
  const StringsView& own_names = model.labels().own_names;
  std::vector<std::string> all, own;
  std::size_t found = names.size();
  for (std::size_t n = 0; n < names.size(); ++n) {
    all.emplace_back(names[n]);
    own.emplace_back(n < own_names.size() ? own_names[n] : std::string_view());
    if (names[n] == label) found = n;
  }
  if (found == all.size()) throw Error(fmt::format("the model has no label '{}'", label));
  if (wanted != label && std::ranges::find(all, wanted) != all.end()) {
    throw Error(fmt::format("there is a label '{}' already", wanted));
  }
  all[found] = wanted;
  if (own[found].empty()) own[found] = label;
  if (own[found] == wanted) own[found].clear();
  Model result = model;
  ModelMaker maker(result);
  maker.set_strings(layout::kLabelNames, all);
  maker.remove(layout::kLabelOwnNames);
  if (std::ranges::any_of(own, [](const std::string& one) { return !one.empty(); })) {
    maker.set_strings(layout::kLabelOwnNames, own);
  }
  return result;
}

}  // namespace idne
