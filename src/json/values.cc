#include "json/values.h"

#include "idne/error.h"
#include "text/strings.h"

namespace idne {
namespace {

Json to_json(const std::vector<TopicShare>& topics, TopicNames names) {
  Json json = Json::array();
  for (const TopicShare& topic : topics) {
    json.push_back({{"topic", topic.topic}, {"name", names[topic.topic - 1]}, {"share", topic.share}});
  }
  return json;
}

Json to_json(const std::vector<TopicPart>& parts, TopicNames names) {
  Json json = Json::array();
  for (const TopicPart& part : parts) {
    json.push_back({{"topic", part.topic}, {"name", names[part.topic - 1]}, {"part", part.part}});
  }
  return json;
}

/// Scripts look words up and compare them: they get them in small letters.
std::string word_of(const Words& words, std::uint32_t word) { return in_small_letters(words.shown(word)); }

Json to_json(const std::vector<WordPart>& parts, const Words& words) {
  Json json = Json::array();
  for (const WordPart& part : parts) json.push_back({{"word", word_of(words, part.word)}, {"part", part.part}});
  return json;
}

Json to_json(const std::vector<WordPair>& pairs, const Words& words) {
  Json json = Json::array();
  for (const WordPair& p : pairs)
    json.push_back({{"word", word_of(words, p.a)}, {"with", word_of(words, p.b)}, {"part", p.part}});
  return json;
}

Json to_json(const LinkParts& parts) {
  return {{"words", parts.words}, {"space", parts.space}, {"votes", parts.votes}};
}

Json to_json(const std::vector<Voter>& voters, const Documents& documents) {
  Json json = Json::array();
  for (const Voter& voter : voters) {
    json.push_back(
        {{"id", documents.ids[voter.document]}, {"title", documents.titles[voter.document]}, {"weight", voter.weight}});
  }
  return json;
}

Json to_json(const TopicDescription& topic) {
  Json words = Json::array(), documents = Json::array();
  for (const RankedWord& word : topic.words) {
    words.push_back({{"word", in_small_letters(word.word)}, {"shown", word.word}, {"score", word.score}});
  }
  for (const ExampleDocument& document : topic.documents) {
    documents.push_back({{"id", document.id}, {"title", document.title}, {"share", document.share}});
  }
  return {{"topic", topic.topic},         {"name", topic.name}, {"named", topic.named}, {"share", topic.share},
          {"coherence", topic.coherence}, {"npmi", topic.npmi}, {"words", words},       {"documents", documents}};
}

}  // namespace

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_shallow(std::string_view text) {
  constexpr int kDeepest = 10;
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw Error("it is nested too deeply");
    return true;
  };
  return Json::parse(text, shallow, false);
}

Json info_json(const Model& model) {
  const ModelInfo& info = model.info();
  Json json{{"method", info.method},
            {"documents", model.documents().size()},
            {"links", info.links},
            {"groups", info.groups},
            {"words", model.words().strings.size()},
            {"topics", model.has_topics() ? model.topics().size() : 0},
            {"dim", model.documents().vectors.columns},
            {"labels", model.labels().names.size()},
            {"dropped", info.dropped}};
  if (!model.documents().untrained.empty()) json["untrained"] = model.documents().untrained.size();
  if (info.loss) json["loss"] = *info.loss;
  Json options = Json::object();
  for (const auto& [name, value] : info.options) {
    std::visit([&, &name = name](const auto& one) { options[name] = one; }, value);
  }
  json["options"] = std::move(options);
  return json;
}

Json search_json(const DocumentIndex& index) {
  return {{"index", index.exact() ? "exact" : "hnsw"}, {"recall", index.recall()}};
}

Json to_json(const TopicDescriptions& topics) {
  Json list = Json::array();
  for (const TopicDescription& topic : topics.topics) list.push_back(to_json(topic));
  return {{"topics", list},
          {"coherence", topics.coherence},
          {"npmi", topics.npmi},
          {"diversity", topics.diversity},
          {"rank", topics.ranking == WordRanking::Product ? "product" : "distinctive"}};
}

Json to_json(std::span<const Hit> hits, const Model& model) {
  const StringsView &ids = model.documents().ids, &titles = model.documents().titles;
  Json json = Json::array();
  for (const Hit& hit : hits) json.push_back({{"id", ids[hit.row]}, {"score", hit.score}, {"title", titles[hit.row]}});
  return json;
}

Json to_json(const Suggestions& suggestions, const Model& model, TopicNames topics) {
  const Words& words = model.words();
  const StringsView& names = model.labels().names;
  const StringsView &ids = model.documents().ids, &titles = model.documents().titles;
  Json labels = Json::array(), links = Json::array();
  for (const SuggestedLabel& label : suggestions.labels) {
    labels.push_back(
        {{"label", names[label.label]}, {"probability", label.probability}, {"words", to_json(label.words, words)}});
  }
  for (const SuggestedLink& link : suggestions.links) {
    links.push_back({{"id", ids[link.document]},
                     {"score", link.score},
                     {"title", titles[link.document]},
                     {"parts", to_json(link.parts)},
                     {"topics", to_json(link.topics, topics)},
                     {"words", to_json(link.words, words)},
                     {"pairs", to_json(link.pairs, words)},
                     {"voters", to_json(link.voters, model.documents())},
                     {"reasons", to_json(link.reasons, words)}});
  }
  return {{"labels", labels}, {"links", links}, {"doubts", suggestions.doubts}};
}

Json to_json(const Explanation& explanation, const Model& model, TopicNames topics, const Run& run) {
  const Words& words = model.words();
  Json tokens = Json::array();
  constexpr std::size_t kTokensAtOnce = 1024;
  for (const ExplainedToken& token : explanation.tokens) {
    if (tokens.size() % kTokensAtOnce == 0) run.check();
    tokens.push_back({{"text", token.text},
                      {"word", token.word ? Json(word_of(words, *token.word)) : Json()},
                      {"topic", token.topic ? Json(*token.topic) : Json()},
                      {"weight", token.weight}});
  }
  return {{"topics", to_json(explanation.topics, topics)}, {"tokens", tokens}};
}

Json to_json(const PairExplanation& pair, const Model& model, TopicNames names) {
  const Words& words = model.words();
  Json topics = Json::array();
  for (const TopicPair& p : pair.topics) {
    topics.push_back({{"topic", p.a}, {"with", p.b}, {"part", p.part}, {"names", {names[p.a - 1], names[p.b - 1]}}});
  }
  return {{"score", pair.score},
          {"cosine", pair.cosine},
          {"topics", topics},
          {"other_topics", pair.other_topics},
          {"words", to_json(pair.words, words)},
          {"other_words", pair.other_words},
          {"first", {{"topics", to_json(pair.topics_a, names)}, {"words", to_json(pair.words_a, words)}}},
          {"second", {{"topics", to_json(pair.topics_b, names)}, {"words", to_json(pair.words_b, words)}}}};
}

}  // namespace idne
