#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "idne/encode.h"
#include "idne/explain.h"
#include "idne/feedback.h"
#include "idne/keywords.h"
#include "idne/search_index.h"
#include "idne/suggest.h"
#include "serve/kept_answers.h"
#include "serve/texts.h"
#include "serve/topic_answers.h"

namespace idne {

using Json = nlohmann::ordered_json;

/// What is asked about: exactly one of these.
struct Subject {
  std::optional<std::string> text, document, word;
  std::optional<std::size_t> topic;
};

/// A request that cannot be answered, for a reason that the client should hear.
class RequestError : public Error {
 public:
  RequestError(int status, const std::string& what) : Error(what), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

struct ServiceFiles {
  std::filesystem::path model;
  std::filesystem::path corpus;  ///< may be empty: documents are then shown by their known words
  /// Has a model file written by somebody alone, and then has the new one taken up. Empty: nobody may give names.
  std::function<void(const std::function<void()>& write)> edit{};
};

/// What to do where the index is still to be made. AtOnce: goes without, so that searches look at all documents and
/// there is no map; but not where there are so many that this would be slow, or so few that an index takes no time.
enum class Start { Whole, AtOnce };

/// A model and all that is asked of it. Answers are what the program prints with --format json; they come from several
/// threads at once. What may take long asks its Run whether to go on. Throws RequestError, Interrupted.
class Service {
 public:
  /// Loads all, and makes the index if it is not there. `feedback` may be null; else it must live as long. Throws
  /// Error, also if the corpus is not the model's.
  Service(const ServiceFiles& files, FeedbackFile* feedback, Start start, const Run& run);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// `may_edit`: who asks may give feedback and names.
  Json info(bool may_edit) const;
  Json topics(std::size_t words, std::size_t examples) const;
  /// Shares of topics over time, by "year" or "month".
  Json times(const std::string& by) const;
  Json words(std::string_view prefix, std::size_t count) const;
  struct Filter {
    std::optional<std::size_t> topic;
    std::optional<std::string> label;
  };
  Json documents(std::size_t from, std::size_t count, const Filter& filter, const Run& run) const;
  /// Of all documents with this label.
  Json rows(std::string_view label, const Run& run) const;
  /// With `query`, also which of its words search() would have found.
  Json document(const std::string& id, const std::optional<std::string>& query, const Run& run) const;
  Json map() const;
  Json place(const Subject& subject, const std::vector<std::string>& targets, const Run& run) const;
  Json embed(const std::vector<std::string>& texts, const Run& run) const;
  Json similar(const Subject& subject, std::size_t count, const Run& run) const;
  Json suggest(const Subject& subject, std::size_t count, std::size_t reasons, const Run& run) const;
  Json explain(const Subject& subject, const Run& run) const;
  Json explain_pair(const Subject& first, const Subject& second, std::size_t top, const Run& run) const;
  /// Whether two documents are linked, and with what both are, the nearest `count` of it; a text counts as linked with
  /// the twenty documents that it could best be linked to.
  Json links_in_common(const Subject& first, const Subject& second, std::size_t count, const Run& run) const;
  /// The first `snippets` of the results have a piece of their text.
  Json search(const std::string& query, std::size_t count, std::size_t snippets, const Run& run) const;
  /// Notes what somebody says of a suggestion: `verdict` is "accept", "reject" or "undo".
  struct Opinion {
    std::string kind, document, target, verdict;
  };
  Json take_feedback(const Opinion& opinion) const;

  /// Gives a topic or a label another name, in the model's file. Answers go on with the old one until the new model is
  /// taken up.
  struct Naming {
    std::optional<std::size_t> topic;
    std::optional<std::string> label;
    std::string name;
  };
  Json rename(const Naming& naming) const;

  /// Has its index, and the map.
  bool is_whole() const { return !index_.map.empty(); }
  const std::string& name() const { return name_; }
  std::size_t size() const { return model_.documents().size(); }
  /// Sixteen digits that differ for models that differ in anything.
  const std::string& version() const { return version_; }
  /// For a line each to the user: what went wrong with the file of the index, documents that only the corpus has.
  std::vector<std::string> notes() const;

 private:
  std::size_t row_of(const std::string& id) const;
  KnownText text_of_subject(const Subject& subject, const Run& run) const;
  KnownText text_of_document(std::size_t row, const Run& run) const;
  std::vector<float> vector_of(const Subject& subject, const Run& run) const;
  /// Waits for them if they are not there yet.
  const KeywordIndex& keywords(const Run& run) const;
  /// How much at home a text is here: the cosine to the nearest document, times the part of its words that the model
  /// knows. `own` is its row if it is a document, which is not near itself.
  float familiarity(std::string_view text, std::optional<std::size_t> own, const Run& run) const;
  /// What nineteen of twenty documents reach, read as texts. Found, once for all and to the end, when it is asked for
  /// the first time.
  float least_familiarity() const;
  std::span<const std::int32_t> links_of(std::size_t row) const;
  /// Rows in their order: of a document its links, of a text what it could best be linked to.
  std::vector<std::size_t> linked_with(const Subject& subject, const Run& run) const;
  bool has_topics() const { return model_.has_topics(); }
  Json suggest_missing(const std::string& id, const SuggestionCounts& counts, const Run& run) const;
  bool has_link(std::size_t row, std::size_t other) const;
  bool has_label(std::size_t row, std::string_view label) const;

  const ServiceFiles files_;
  Model model_;
  std::string name_, version_;
  FeedbackFile* feedback_;
  TextEncoder encoder_;
  std::unordered_map<std::string_view, std::size_t> rows_;
  SearchIndex index_;
  Suggester suggester_;
  KeptAnswers answers_;
  TopicAnswers topics_;
  StringTable stop_words_;
  std::vector<std::string> folded_forms_;  ///< of each word; empty without stems
  std::optional<DocumentTexts> texts_;
  mutable std::once_flag familiarity_known_;
  mutable float least_familiarity_ = 0;
  /// Made after the constructor has ended: those who search first wait for it. The last, for its thread uses the rest.
  std::shared_future<KeywordIndex> keywords_;
};

}  // namespace idne
