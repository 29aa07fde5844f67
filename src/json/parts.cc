#include "json/parts.h"

#include <algorithm>

#include "math/unit.h"
#include "text/strings.h"

namespace idne {

Json document_json(const Model& model, std::size_t row, std::size_t topic) {
  Json labels = Json::array();
  for (const std::int32_t label : model.documents().labels[row]) {
    labels.push_back(model.labels().names[static_cast<std::size_t>(label)]);
  }
  return {{"row", row},
          {"id", model.documents().ids[row]},
          {"title", model.documents().titles[row]},
          {"labels", labels},
          {"topic", topic == 0 ? Json() : Json(topic)}};
}

Json documents_json(Json documents, std::size_t total) {
  return {{"total", total}, {"documents", std::move(documents)}};
}

Json words_json(const Model& model, std::span<const std::size_t> words) {
  const bool vectors = model.words().vectors.rows > 0;
  Json list = Json::array();
  for (const std::size_t w : words) {
    Json word{{"word", in_small_letters(model.words().shown(w))},
              {"shown", model.words().shown(w)},
              {"count", model.words().counts[w]}};
    if (vectors) word["norm"] = length_of(model.words().vectors.row(w));
    list.push_back(std::move(word));
  }
  return {{"words", list}};
}

Json to_json(const TopicDescriptions& topics, std::span<const std::vector<SimilarTopics>> related) {
  Json json = to_json(topics);
  for (std::size_t k = 0; k < topics.topics.size(); ++k) {
    Json list = Json::array();
    for (const SimilarTopics& pair : related[k])
      list.push_back({{"topic", pair.second}, {"similarity", pair.similarity}});
    json["topics"][k]["related"] = std::move(list);
  }
  return json;
}

Json to_json(const TopicTimes& times) {
  Json topics = Json::array();
  for (std::size_t k = 0; k < times.names.size(); ++k) {
    topics.push_back(
        {{"topic", k + 1}, {"name", times.names[k]}, {"share", times.all[k]}, {"shares", times.shares[k]}});
  }
  return {{"by", times.by == Period::Year ? "year" : "month"},
          {"periods", times.periods},
          {"documents", times.documents},
          {"topics", std::move(topics)},
          {"undated", times.undated},
          {"wordless", times.wordless}};
}

namespace {

/// −1 … 1 as 0 … 65535.
unsigned map_number(float place) {
  constexpr float kHalf = 32767.5f;
  return static_cast<unsigned>(std::clamp((place + 1) * kHalf, 0.0f, 65535.0f));
}

}  // namespace

Json place_json(float x, float y) { return {{"x", map_number(x)}, {"y", map_number(y)}}; }

Json map_json(const Model& model, std::span<const float> places, const std::vector<std::size_t>& main_topics,
              std::span<const MapArea> areas) {
  const std::size_t documents = model.documents().size();
  std::vector<unsigned> x(documents), y(documents);
  for (std::size_t row = 0; row < documents; ++row) {
    x[row] = map_number(places[2 * row]);
    y[row] = map_number(places[2 * row + 1]);
  }
  std::vector<std::int32_t> labels(documents, -1);
  for (std::size_t row = 0; row < documents; ++row) {
    const auto own = model.documents().labels[row];
    if (!own.empty()) labels[row] = own.front();
  }
  Json names = Json::array();
  const StringsView& strings = model.labels().names;
  for (std::size_t n = 0; n < strings.size(); ++n) names.push_back(strings[n]);
  const ListsView& links = model.documents().links;
  std::vector<std::size_t> degrees(links.size());
  for (std::size_t row = 0; row < links.size(); ++row) degrees[row] = links[row].size();
  Json named = Json::array();
  for (const MapArea& area : areas) {
    named.push_back({{"topic", area.topic == 0 ? Json() : Json(area.topic)},
                     {"x", map_number(area.x)},
                     {"y", map_number(area.y)},
                     {"documents", area.documents},
                     {"name", area.name}});
  }
  return {{"documents", documents},   {"x", x},          {"y", y},           {"topic", main_topics},
          {"label", labels},          {"labels", names}, {"links", degrees}, {"date", model.documents().dates},
          {"areas", std::move(named)}};
}

Json vectors_json(Json vectors) { return {{"vectors", std::move(vectors)}}; }

Json to_json(std::span<const MergedHit> hits, std::string_view query, const Model& model) {
  Json results = Json::array();
  for (const MergedHit& hit : hits) {
    results.push_back({{"row", hit.row},
                       {"id", model.documents().ids[hit.row]},
                       {"title", model.documents().titles[hit.row]},
                       {"score", hit.score},
                       {"words", hit.words},
                       {"cosine", hit.cosine ? Json(*hit.cosine) : Json()}});
  }
  return {{"query", query}, {"results", results}};
}

Json to_json(std::span<const SnippetPart> snippet) {
  Json parts = Json::array();
  for (const SnippetPart& part : snippet) parts.push_back({{"text", part.text}, {"match", part.match}});
  return parts;
}

}  // namespace idne
