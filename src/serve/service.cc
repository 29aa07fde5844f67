#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace idne {
namespace {

/// Costly to make, and not for two threads at once.
Tokenizer& own_tokenizer() {
  static thread_local Tokenizer tokenizer;
  return tokenizer;
}

bool is_zero(std::span<const float> vector) {
  return std::all_of(vector.begin(), vector.end(), [](float x) { return x == 0; });
}

std::unordered_map<std::string_view, std::size_t> rows_by_id(const StringsView& ids) {
  std::unordered_map<std::string_view, std::size_t> rows;
  rows.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) rows.emplace(ids[row], row);
  return rows;
}

/// As index() finds them, so that scores of one list can be compared with those of another.
float cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    ab += static_cast<double>(a[d]) * b[d];
    aa += static_cast<double>(a[d]) * a[d];
    bb += static_cast<double>(b[d]) * b[d];
  }
  return aa * bb > 0 ? static_cast<float>(ab / std::sqrt(aa * bb)) : 0;
}

}  // namespace

Service::Service(Model model, const std::filesystem::path& model_path, const std::filesystem::path& corpus,
                 const Run& run)
    : model_(std::move(model)),
      name_(model_path.filename().string()),
      encoder_(model_),
      rows_(rows_by_id(model_.strings("documents.ids"))),
      index_(open_search_index(model_, model_path, run)),
      keywords_(model_),
      main_topics_(idne::main_topics(model_, run.threads)) {
  if (!corpus.empty()) texts_.emplace(model_, rows_, corpus, run);
  if (has_topics()) related_ = similar_topics(model_);
}

std::size_t Service::row_of(const std::string& id) const {
  const auto found = rows_.find(id);
  if (found == rows_.end()) throw RequestError(404, fmt::format("the model has no document with the id '{}'", id));
  return found->second;
}

KnownText Service::text_of_document(std::size_t row) const {
  if (texts_) {
    if (const std::string_view text = (*texts_)[row]; !text.empty()) return known_text(encoder_, std::string(text));
  }
  return document_text(model_, row);
}

KnownText Service::text_of_subject(const Subject& subject) const {
  return subject.document ? text_of_document(row_of(*subject.document)) : known_text(encoder_, *subject.text);
}

std::vector<float> Service::vector_of(const Subject& subject) const {
  if (subject.document) {
    const auto row = model_.documents().row(row_of(*subject.document));
    return {row.begin(), row.end()};
  }
  std::vector<float> vector(encoder_.dimensions());
  if (subject.topic) {
    if (!has_topics()) throw RequestError(400, "this model's method has no topics");
    if (*subject.topic < 1 || *subject.topic > model_.topics().rows) {
      throw RequestError(404, fmt::format("there are {} topics", model_.topics().rows));
    }
    encoder_.encode_vector(model_.topics().row(*subject.topic - 1), {}, vector);
    return vector;
  }
  const auto words = encoder_.words(subject.word ? *subject.word : *subject.text, own_tokenizer());
  if (words.empty() && subject.word) {
    throw RequestError(404, fmt::format("the model does not know the word '{}'", *subject.word));
  }
  encoder_.encode(words, {}, vector);
  return vector;
}

Json Service::info() const {
  Json json = info_json(model_);
  json["name"] = name_;
  json["texts"] = texts_.has_value();
  json["search"] = search_json(index_.documents);
  return json;
}

Json Service::topics(std::size_t words, std::size_t examples) const {
  if (!has_topics()) throw RequestError(400, "this model's method has no topics");
  const std::lock_guard lock(topics_mutex_);
  const auto found = topics_.find({words, examples});
  if (found != topics_.end()) return found->second;
  constexpr std::size_t kKept = 16;  // the page asks in two or three ways
  if (topics_.size() == kKept) topics_.clear();
  Json json = to_json(describe_topics(model_, {words, examples, {}}, 1));
  constexpr std::size_t kRelated = 5;
  for (Json& topic : json["topics"]) {
    Json related = Json::array();
    for (const SimilarTopics& pair : related_) {
      const std::size_t number = topic["topic"];
      if (related.size() == kRelated || pair.cosine <= 0) break;
      if (pair.first == number || pair.second == number) {
        related.push_back({{"topic", pair.first == number ? pair.second : pair.first}, {"similarity", pair.cosine}});
      }
    }
    topic["related"] = std::move(related);
  }
  return topics_[{words, examples}] = std::move(json);
}

Json Service::words(std::string_view prefix, std::size_t count) const {
  const StringsView words = model_.strings("words.strings");
  const auto counts = model_.numbers64("words.counts");
  const bool vectors = model_.has("words.vectors");
  Json list = Json::array();
  for (std::size_t w = 0; w < words.size() && list.size() < count; ++w) {
    if (!words[w].starts_with(prefix)) continue;
    Json word{{"word", words[w]}, {"count", counts[w]}};
    if (vectors) {
      double square = 0;
      for (const float x : model_.words().row(w)) square += static_cast<double>(x) * x;
      word["norm"] = std::sqrt(square);
    }
    list.push_back(std::move(word));
  }
  return {{"words", list}};
}

Json Service::brief(std::size_t row) const {
  const StringsView names = model_.strings("labels.names");
  Json labels = Json::array();
  for (const std::int32_t label : model_.list("documents.labels", row)) {
    labels.push_back(names[static_cast<std::size_t>(label)]);
  }
  return {{"row", row},
          {"id", model_.strings("documents.ids")[row]},
          {"title", model_.strings("documents.titles")[row]},
          {"labels", labels},
          {"topic", main_topics_[row] == 0 ? Json() : Json(main_topics_[row])}};
}

Json Service::documents(std::size_t from, std::size_t count, const Filter& filter) const {
  const StringsView names = model_.strings("labels.names");
  const auto wanted = [&](std::size_t row) {
    if (filter.topic && main_topics_[row] != *filter.topic) return false;
    if (!filter.label) return true;
    const auto labels = model_.list("documents.labels", row);
    return std::any_of(labels.begin(), labels.end(),
                       [&](std::int32_t label) { return names[static_cast<std::size_t>(label)] == *filter.label; });
  };
  Json list = Json::array();
  std::size_t total = 0;
  for (std::size_t row = 0; row < model_.documents().rows; ++row) {
    if (!filter.topic && !filter.label && list.size() == count) break;
    if (!wanted(row)) continue;
    if (total++ >= from && list.size() < count) list.push_back(brief(row));
  }
  if (!filter.topic && !filter.label) total = model_.documents().rows;
  return {{"total", total}, {"documents", list}};
}

Json Service::document(const std::string& id) const {
  const std::size_t row = row_of(id);
  Json json = brief(row);
  json["whole"] = texts_ && !(*texts_)[row].empty();
  const KnownText text = text_of_document(row);
  const Explanation explanation =
      has_topics() ? idne::explain(model_, text) : Explanation{{}, {{text.text, {}, {}, 0}}};
  json.update(to_json(explanation, model_.strings("words.strings")));

  const auto links =
      model_.has("documents.links.offsets") ? model_.list("documents.links", row) : std::span<const std::int32_t>{};
  std::vector<Hit> linked;
  for (const std::int32_t to : links) {
    const auto number = static_cast<std::size_t>(to);
    linked.push_back({number, cosine(model_.documents().row(row), model_.documents().row(number))});
  }
  std::stable_sort(linked.begin(), linked.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  constexpr std::size_t kLinks = 100, kSimilar = 10;
  linked.resize(std::min(kLinks, linked.size()));
  json["links"] = to_json(std::span<const Hit>(linked), model_);
  json["links_total"] = links.size();

  std::vector<Hit> others;
  constexpr std::size_t kMost = 1000;  // of those looked at: a document may be linked with all
  for (const Hit& hit : index_.documents.neighbours(row, std::min(kMost, kSimilar + links.size()))) {
    const bool is_linked = std::binary_search(links.begin(), links.end(), static_cast<std::int32_t>(hit.row));
    if (!is_linked && others.size() < kSimilar) others.push_back(hit);
  }
  json["similar"] = to_json(std::span<const Hit>(others), model_);
  return json;
}

Json Service::map() const {
  const std::size_t documents = model_.documents().rows;
  std::vector<unsigned> x(documents), y(documents);
  constexpr float kHalf = 32767.5f;  // the map lies within -1 … 1
  for (std::size_t row = 0; row < documents; ++row) {
    const auto place = [&](std::size_t axis) {
      return static_cast<unsigned>(std::clamp((index_.map[2 * row + axis] + 1) * kHalf, 0.0f, 65535.0f));
    };
    x[row] = place(0);
    y[row] = place(1);
  }
  std::vector<std::int32_t> labels(documents, -1);
  for (std::size_t row = 0; row < documents; ++row) {
    const auto own = model_.list("documents.labels", row);
    if (!own.empty()) labels[row] = own.front();
  }
  Json names = Json::array();
  const StringsView strings = model_.strings("labels.names");
  for (std::size_t n = 0; n < strings.size(); ++n) names.push_back(strings[n]);
  return {{"documents", documents}, {"x", x}, {"y", y}, {"topic", main_topics_}, {"label", labels}, {"labels", names}};
}

Json Service::embed(const std::vector<std::string>& texts) const {
  Json vectors = Json::array();
  std::vector<float> vector(encoder_.dimensions());
  for (const std::string& text : texts) {
    encoder_.encode(encoder_.words(text, own_tokenizer()), {}, vector);
    vectors.push_back(vector);
  }
  return {{"vectors", vectors}};
}

Json Service::similar(const Subject& subject, std::size_t count) const {
  const std::vector<float> query = vector_of(subject);
  if (is_zero(query)) return Json::array();
  return to_json(std::span<const Hit>(index_.documents.search(query, count)), model_);
}

Json Service::suggest(const Subject& subject, std::size_t count, std::size_t reasons) const {
  const SuggestionCounts counts{count, count, 3, reasons};
  const auto search = [this](std::span<const float> query, std::size_t k) { return index_.documents.search(query, k); };
  if (!subject.document) {
    return to_json(idne::suggest(model_, encoder_, encoder_.words(*subject.text, own_tokenizer()), counts, search),
                   model_);
  }
  const std::size_t row = row_of(*subject.document);
  std::vector<std::int32_t> left_out{static_cast<std::int32_t>(row)};
  if (model_.has("documents.links.offsets")) {
    const auto links = model_.list("documents.links", row);
    left_out.insert(left_out.end(), links.begin(), links.end());
    std::sort(left_out.begin(), left_out.end());
  }
  return to_json(idne::suggest(model_, encoder_, text_of_document(row).counts, counts, search, left_out), model_);
}

Json Service::explain(const Subject& subject) const {
  if (!has_topics()) throw RequestError(400, "this model's method has no topics");
  const KnownText text = text_of_subject(subject);
  return to_json(idne::explain(model_, text), model_.strings("words.strings"));
}

Json Service::explain_pair(const Subject& first, const Subject& second, std::size_t top) const {
  const KnownText a = text_of_subject(first), b = text_of_subject(second);
  return to_json(idne::explain_pair(model_, a, b, top), model_.strings("words.strings"));
}

Json Service::search(const std::string& query, std::size_t count) const {
  std::vector<float> vector(encoder_.dimensions());
  encoder_.encode(encoder_.words(query, own_tokenizer()), {}, vector);
  Json results = Json::array();
  for (const MergedHit& hit : merged_search(keywords_, index_.documents, query, vector, count)) {
    results.push_back({{"row", hit.row},
                       {"id", model_.strings("documents.ids")[hit.row]},
                       {"title", model_.strings("documents.titles")[hit.row]},
                       {"score", hit.score},
                       {"words", hit.words},
                       {"cosine", hit.cosine ? Json(*hit.cosine) : Json()}});
  }
  return {{"query", query}, {"results", results}};
}

}  // namespace idne
