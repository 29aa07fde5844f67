#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/parts.h"
#include "model/reading.h"
#include "search/cosine.h"
#include "search/index_state.h"
#include "text/strings.h"

namespace idne {
namespace {

/// Between two looks at whether to go on.
constexpr std::size_t kRowsAtOnce = 4096;

/// Costly to make, and not for two threads at once.
Tokenizer& own_tokenizer() {
  static thread_local Tokenizer tokenizer;
  return tokenizer;
}

/// A word's beginning as words are matched: "Ger" and "Gér" are "ger". A single letter is one too, which no word is.
std::string folded_prefix(std::string_view prefix) {
  std::string folded;
  Token token;
  std::size_t end = 0;
  own_tokenizer().start(prefix);
  while (own_tokenizer().next(token)) {
    folded.append(folded.empty() ? "" : " ").append(token.word);
    end = token.end;
  }
  const std::string_view rest = trimmed(prefix.substr(end));
  if (!rest.empty()) folded.append(folded.empty() ? "" : " ").append(lower_ascii(rest));
  return folded;
}

/// Words as they are shown, as words are matched. Nothing where these are the model's words: without stems.
std::vector<std::string> folded_forms(const Model& model) {
  std::vector<std::string> folded;
  const StringsView& forms = model.words().forms;
  if (!reading_of(model).stems) return folded;
  for (std::size_t w = 0; w < forms.size(); ++w) {
    folded.push_back(joined_words(folded_words(forms[w], own_tokenizer())));
  }
  return folded;
}

bool is_zero(std::span<const float> vector) {
  return std::all_of(vector.begin(), vector.end(), [](float x) { return x == 0; });
}

SearchIndex open_index(const Model& model, const std::filesystem::path& path, Start start, const Run& run) {
  constexpr std::size_t kMost = 200'000;  // a search looks at 100,000 in 13 ms
  const std::size_t documents = model.documents().size();
  if (start == Start::AtOnce && documents >= IndexState::kExactBelow && documents <= kMost) {
    if (auto kept = load_search_index(model, path, run.threads)) return std::move(*kept);
    return {DocumentIndex::of_all(model), {}, "", "", false};
  }
  return open_search_index(model, path, run, IndexWriting::Later);
}

std::unordered_map<std::string_view, std::size_t> rows_by_id(const StringsView& ids) {
  std::unordered_map<std::string_view, std::size_t> rows;
  rows.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) rows.emplace(ids[row], row);
  return rows;
}

}  // namespace

// The model is a copy, because to write over a file that is mapped ends the process.
Service::Service(const ServiceFiles& files, FeedbackFile* feedback, Start start, const Run& run)
    : files_(files),
      model_(Model::load(files.model, Model::Load::Copy)),
      name_(files.model.filename().string()),
      version_(version_of(model_)),
      feedback_(feedback),
      encoder_(model_),
      rows_(rows_by_id(model_.documents().ids)),
      index_(open_index(model_, files.model, start, run)),
      suggester_(encoder_, [this](std::span<const float> query,
                                  std::size_t count) { return index_.documents.search(query, count); }),
      answers_(open_answers(encoder_, version_, index_, files.model, run)),
      topics_(std::move(answers_.topics)),
      stop_words_(stop_words_of(model_).words),
      folded_forms_(folded_forms(model_)) {
  if (!files.corpus.empty()) texts_.emplace(encoder_, rows_, name_, files.corpus, run);
  keywords_ =
      std::async(std::launch::async, [this] {
        return KeywordIndex(model_, texts_ ? TextOf([this](std::size_t row) { return (*texts_)[row]; }) : TextOf());
      }).share();
}

std::size_t Service::row_of(const std::string& id) const {
  const auto found = rows_.find(id);
  if (found == rows_.end())
    throw RequestError(404, fmt::format("the model has no document with the id '{}'", tsv_cell(id)));
  return found->second;
}

KnownText Service::text_of_document(std::size_t row, const Run& run) const {
  if (texts_) {
    if (const std::string_view text = (*texts_)[row]; !text.empty()) {
      return known_text(encoder_, std::string(text), own_tokenizer(), run);
    }
  }
  return document_text(model_, row);
}

KnownText Service::text_of_subject(const Subject& subject, const Run& run) const {
  return subject.document ? text_of_document(row_of(*subject.document), run)
                          : known_text(encoder_, *subject.text, own_tokenizer(), run);
}

std::vector<float> Service::vector_of(const Subject& subject, const Run& run) const {
  if (subject.document) {
    const auto row = model_.documents().vectors.row(row_of(*subject.document));
    return {row.begin(), row.end()};
  }
  std::vector<float> vector(encoder_.dimensions());
  if (subject.topic) {
    if (!has_topics()) throw RequestError(400, "this model's method has no topics");
    if (*subject.topic < 1 || *subject.topic > model_.topics().size()) {
      throw RequestError(404, fmt::format("there are {} topics", model_.topics().size()));
    }
    encoder_.encode_vector(model_.topics().vectors.row(*subject.topic - 1), {}, vector);
    return vector;
  }
  const auto words = subject.word ? encoder_.words_asked_for(*subject.word, own_tokenizer())
                                  : encoder_.words(*subject.text, own_tokenizer(), run);
  if (words.empty() && subject.word) {
    throw RequestError(404, fmt::format("the model does not know the word '{}'", tsv_cell(*subject.word)));
  }
  encoder_.encode(words, {}, vector);
  return vector;
}

const KeywordIndex& Service::keywords(const Run& run) const {
  constexpr std::chrono::milliseconds kOften{20};
  while (keywords_.wait_for(kOften) != std::future_status::ready) run.check();
  return keywords_.get();
}

Json Service::info(bool may_edit) const {
  Json json = info_json(model_);
  json["name"] = name_;
  json["version"] = version_;
  json["texts"] = texts_.has_value();
  json["feedback"] = may_edit && feedback_ != nullptr;
  json["renaming"] = may_edit && files_.edit;
  const auto dates = model_.documents().dates;
  json["dates"] = std::any_of(dates.begin(), dates.end(), [](auto date) { return date > 0; });
  json["search"] = search_json(index_.documents);
  return json;
}

Json Service::topics(std::size_t words, std::size_t examples) const {
  if (!has_topics()) throw RequestError(400, "this model's method has no topics");
  return topics_.cut(words, examples);
}

Json Service::times(const std::string& by) const {
  if (by != "year" && by != "month") throw RequestError(400, R"("by" must be "year" or "month")");
  return to_json(topic_times(model_, by == "year" ? Period::Year : Period::Month, 1));
}

Json Service::words(std::string_view given, std::size_t count) const {
  const StringsView& words = model_.words().strings;
  const std::string prefix = folded_prefix(given);
  std::vector<std::size_t> found;
  for (std::size_t w = 0; w < words.size() && found.size() < count; ++w) {
    if (words[w].starts_with(prefix) || (!folded_forms_.empty() && folded_forms_[w].starts_with(prefix))) {
      found.push_back(w);
    }
  }
  return words_json(model_, found);
}

Json Service::documents(std::size_t from, std::size_t count, const Filter& filter, const Run& run) const {
  const auto wanted = [&](std::size_t row) {
    if (filter.topic && answers_.main_topics[row] != *filter.topic) return false;
    return !filter.label || has_label(row, *filter.label);
  };
  Json list = Json::array();
  std::size_t total = 0;
  for (std::size_t row = 0; row < model_.documents().size(); ++row) {
    if (row % kRowsAtOnce == 0) run.check();
    if (!filter.topic && !filter.label && list.size() == count) break;
    if (!wanted(row)) continue;
    if (total++ >= from && list.size() < count) list.push_back(document_json(model_, row, answers_.main_topics[row]));
  }
  if (!filter.topic && !filter.label) total = model_.documents().size();
  return documents_json(std::move(list), total);
}

Json Service::rows(std::string_view label, const Run& run) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < model_.documents().size(); ++row) {
    if (row % kRowsAtOnce == 0) run.check();
    if (has_label(row, label)) rows.push_back(row);
  }
  return {{"rows", rows}};
}

Json Service::document(const std::string& id, const std::optional<std::string>& query, const Run& run) const {
  const std::size_t row = row_of(id);
  Json json = document_json(model_, row, answers_.main_topics[row]);
  json["whole"] = texts_ && !(*texts_)[row].empty();
  const KnownText text = text_of_document(row, run);
  const Explanation explanation =
      has_topics() ? idne::explain(model_, text, run) : Explanation{{}, {{text.text, {}, {}, 0}}};
  json.update(to_json(explanation, model_, answers_.names, run));

  const auto links = links_of(row);
  std::vector<Hit> linked;
  for (const std::int32_t to : links) {
    const auto number = static_cast<std::size_t>(to);
    linked.push_back({number, cosine_of(model_.documents().vectors.row(row), model_.documents().vectors.row(number))});
  }
  std::stable_sort(linked.begin(), linked.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  constexpr std::size_t kLinks = 100, kSimilar = 10;
  linked.resize(std::min(kLinks, linked.size()));
  json["links"] = to_json(std::span<const Hit>(linked), model_);
  json["links_total"] = links.size();

  std::vector<Hit> others;
  constexpr std::size_t kMostLookedAt = 1000;  // of those looked at: a document may be linked with all
  for (const Hit& hit : index_.documents.neighbours(row, std::min(kMostLookedAt, kSimilar + links.size()))) {
    const bool is_linked = std::binary_search(links.begin(), links.end(), static_cast<std::int32_t>(hit.row));
    if (!is_linked && others.size() < kSimilar) others.push_back(hit);
  }
  json["similar"] = to_json(std::span<const Hit>(others), model_);
  if (query) json["found"] = keywords(run).found_words(*query, text.text, run);
  return json;
}

Json Service::map() const { return map_json(model_, index_.map, answers_.main_topics, answers_.areas); }

std::vector<std::string> Service::notes() const {
  std::vector<std::string> notes;
  if (!index_.note.empty()) notes.push_back(index_.note);
  if (texts_ && !texts_->note().empty()) notes.push_back(texts_->note());
  return notes;
}

Json Service::embed(const std::vector<std::string>& texts, const Run& run) const {
  Json vectors = Json::array();
  std::vector<float> vector(encoder_.dimensions());
  for (const std::string& text : texts) {
    run.check();
    encoder_.encode(encoder_.words(text, own_tokenizer(), run), {}, vector);
    vectors.push_back(vector);
  }
  return vectors_json(std::move(vectors));
}

Json Service::similar(const Subject& subject, std::size_t count, const Run& run) const {
  const std::vector<float> query = vector_of(subject, run);
  if (is_zero(query)) return Json::array();
  const std::vector<Hit> hits = subject.document ? index_.documents.neighbours(row_of(*subject.document), count)
                                                 : index_.documents.search(query, count);
  return to_json(std::span(hits), model_);
}

Json Service::suggest(const Subject& subject, std::size_t count, std::size_t reasons, const Run& run) const {
  const SuggestionCounts counts{count, count, 3, reasons};
  if (subject.document) return suggest_missing(*subject.document, counts, run);
  const std::vector<WordCount> words = suggester_.words(*subject.text, own_tokenizer(), run);
  return to_json(suggester_.suggest(words, counts, run), model_, answers_.names);
}

Json Service::explain(const Subject& subject, const Run& run) const {
  if (!has_topics()) throw RequestError(400, "this model's method has no topics");
  const KnownText text = text_of_subject(subject, run);
  return to_json(idne::explain(model_, text, run), model_, answers_.names, run);
}

Json Service::explain_pair(const Subject& first, const Subject& second, std::size_t top, const Run& run) const {
  const KnownText a = text_of_subject(first, run), b = text_of_subject(second, run);
  return to_json(idne::explain_pair(encoder_, a, b, top, run), model_, answers_.names);
}

Json Service::search(const std::string& query, std::size_t count, std::size_t snippets, const Run& run) const {
  std::vector<float> vector(encoder_.dimensions());
  encoder_.encode(encoder_.words(query, own_tokenizer()), {}, vector);
  const std::vector<MergedHit> hits = merged_search(keywords(run), index_.documents, query, vector, count, run);
  Json json = to_json(hits, query, model_);
  constexpr std::size_t kSnippetBytes = 180;
  for (std::size_t n = 0; n < std::min(snippets, hits.size()); ++n) {
    run.check();
    const std::string_view text = texts_ ? (*texts_)[hits[n].row] : std::string_view();
    json["results"][n]["snippet"] = to_json(keywords(run).snippet(query, text, kSnippetBytes));
  }
  return json;
}

}  // namespace idne
