#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/feedback.h"
#include "idne/model.h"
#include "idne/run.h"

namespace idne {

/// Reads documents for a model as its own were read: a corpus in any form that read_collection takes. Links to
/// documents that only the model has are kept. Throws Error with file and line. `model` and what this gives go
/// together.
class Changes {
 public:
  Changes(const Model& model, const std::filesystem::path& path, bool strict, const Run& run);
  /// None.
  Changes() = default;
  const Collection& collection() const { return collection_; }

 private:
  Collection collection_;
};

struct UpdateOptions {
  bool whole = false;                ///< the changes are the whole corpus: what is not among them goes
  std::vector<std::string> removed;  ///< ids of documents that go, also if they are among the changes
  bool strict = false;               ///< what would be dropped from the changes is an error, where they are read
  /// Accepted links and labels are added, rejected ones remembered: suggestions leave them out.
  std::vector<Feedback> feedback;
  std::uint64_t steps = 0;  ///< of training that goes on over all documents, new words included
};

/// How well the model did on the documents that came, before it learned anything from them, beside what it does on its
/// own. Nothing where there was too little to tell.
struct Foreseen {
  std::size_t documents = 0;                  ///< added ones, or those with other texts, that have words
  double unknown_words = 0;                   ///< of their words, repeats included, those that the model lacks
  std::optional<double> usual_unknown_words;  ///< of the corpus that it was trained on
  std::vector<std::string> new_words;         ///< the most frequent ones that it lacks, as they are written
  std::size_t labelled = 0;                   ///< of these documents, those with a label that it knows
  double labels = 0, expected_labels = 0;     ///< share of them with a right label first, and what it had expected
  std::size_t linked = 0;                     ///< those with links to documents of the model
  double links = 0, usual_links = 0;          ///< mean reciprocal rank of the first right link; of its own documents
  double strange = 0;                         ///< share of them that no topic fits, as one in twenty of its own
  std::vector<std::string> strange_words;     ///< what those have in common
};

/// A topic after training went on.
struct TopicMoved {
  std::size_t topic;                  ///< its number now, from 1
  std::optional<std::size_t> former;  ///< the number that it had, which is the same; nothing if it is new
  double words_kept = 0;              ///< of its first ten words, those that it had before
};

struct UpdateReport {
  std::uint64_t added = 0, changed = 0, unchanged = 0, removed = 0;
  std::uint64_t accepted = 0, rejected = 0;  ///< links and labels, of the feedback
  std::uint64_t unknown_feedback = 0;        ///< that is about documents that the model does not have
  std::uint64_t unknown_removed = 0;         ///< ids that were to go and that the model does not have
  std::uint64_t links = 0, links_before = 0;
  Dropped dropped;                      ///< what the changes gave that could not be used
  std::vector<std::string> new_labels;  ///< that the model did not have
  std::vector<std::string> gone_labels;
  Foreseen foreseen;
  bool train_again = false;  ///< whether that is no longer enough
  std::string advice;        ///< "fine: …" or "train again: …", one line
  // With steps:
  std::uint64_t new_words = 0;
  double moved = 0;  ///< mean cosine between the vectors that documents had and those that they have now
  std::vector<TopicMoved> topics;
};

struct Updated {
  static constexpr std::uint32_t kNew = ~0u;
  Model model;
  UpdateReport report;
  /// Of each document the row that it had in the former model with the very same vector, or kNew.
  std::vector<std::uint32_t> former;
  bool has_index = false;  ///< of a file: whether its index was brought along
};

/// A model with documents added, changed and removed. The word space, topics, their numbers and names stay, and so do
/// vectors of documents whose text stays; new ones have the vector that TextEncoder gives. Labels are learned again.
/// With steps, words are trained further instead, and documents move with them. Throws Error if the model's method
/// cannot embed new documents, or does not keep their words. The result does not depend on run.threads.
Updated update_model(const Model& model, const Changes& changes, const UpdateOptions& options, const Run& run);

/// The same for a file; `to` may be the same one. `changes` is a corpus, or empty. If there is a search index of `from`
/// beside it, `to` gets one, unless training goes on, which moves all documents.
Updated update_model_file(const std::filesystem::path& from, const std::filesystem::path& changes,
                          const UpdateOptions& options, const std::filesystem::path& to, const Run& run);

}  // namespace idne
