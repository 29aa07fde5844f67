#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"
#include "text/tfidf.h"

/// What turns a document's words and vector into probabilities of labels: one logistic regression per label against the
/// rest, over TF-IDF at unit length and the vector at unit length, side by side. docs/labels.md
namespace idne {

/// Documents to learn labels from. One of words and vectors may be missing.
struct LabelledDocuments {
  ListsView labels;  ///< of each document
  std::size_t label_count;
  MatrixView vectors = {};             ///< none: the words alone decide
  const CountMatrix* words = nullptr;  ///< of the documents
  const BagsView* bags = nullptr;      ///< or here; neither: the vectors alone decide
  const Tfidf* tfidf = nullptr;        ///< what the words weigh

  bool has_words() const { return words || bags; }
  std::size_t words_in(std::size_t i) const { return bags ? bags->words()[i].size() : words->row(i).size(); }
  std::vector<WordCount> bag(std::size_t i) const;
};

/// How closely the regressions should follow the documents (C of logistic regression), and what their log odds are
/// multiplied by and moved by afterwards, so that probabilities are right as often as they say (Platt's scaling, one
/// for all labels): regressions are a little too sure, or not sure enough, of documents that they have not seen.
struct LabelFit {
  double c = 10, slope = 1, shift = 0;
  std::uint64_t changed = 0;  ///< documents that have changed since this was found
};

/// A label's log odds are constant + vector at unit length · its row + Σ over words of weight · TF-IDF at unit length.
struct LabelWeights {
  std::vector<float> rows;  ///< label × (dimension + 1), the constant last
  Lists word_labels;        ///< of each word the labels that it speaks for or against, rising; no rows without words
  std::vector<float> word_weights;  ///< as many as word_labels has values
  LabelFit fit;                     ///< with which they were found

  bool empty() const { return rows.empty(); }
  bool operator==(const LabelWeights& other) const {
    return rows == other.rows && word_labels.offsets == other.word_labels.offsets &&
           word_labels.values == other.word_labels.values && word_weights == other.word_weights;
  }
};

/// A head to begin from.
class FormerHead {
 public:
  /// That of `model` for labels and late words with these names. Must not outlive them. REQUIRES: other words are the
  /// same as before.
  FormerHead(const Model& model, const StringsView& names, const StringsView& late_words);
  const std::optional<LabelFit>& fit() const { return fit_; }
  /// The weights that a label's regression had, of so many words, of the vector, of the constant; empty for a new one.
  std::vector<float> start(std::size_t label, std::size_t words) const;

 private:
  struct WordWeight {
    std::uint32_t word;
    float weight;
  };
  void take_words(const Model& model, const StringsView& late_words);

  std::optional<LabelFit> fit_;
  MatrixView rows_;
  std::vector<std::optional<std::size_t>> number_;  ///< that each label had
  std::vector<std::vector<WordWeight>> words_;      ///< of each label that there was
};

/// Learns from the documents that have labels and words or a vector; a label that all of them have, or fewer than two,
/// gets its frequency alone. Empty if there are not two labels to learn. Of each label so many words are kept, the
/// weightiest, that there are about two million in all. The result does not depend on run.threads.
/// The processes of a run share the labels out: they have the same documents.
LabelWeights fit_label_head(const LabelledDocuments& documents, const Run& run, const FormerHead* former = nullptr);
/// The same from these documents alone.
LabelWeights fit_label_head(const LabelledDocuments& documents, std::span<const std::uint32_t> chosen, const Run& run,
                            const FormerHead* former);

/// A model with nearly the same words and vectors, and how many of its documents have changed since.
struct FormerLabels {
  const Model* model;
  std::uint64_t changed;
};
/// Gives a model the head that its own documents teach it, or none if there are not two labels to learn. If fewer than
/// a tenth of the documents have changed since the former model's fit was found, learning begins from its weights.
void learn_labels(Model& model, const Run& run, std::optional<FormerLabels> former = {});

/// Whether no document has several labels: then the labels' probabilities sum to one.
bool one_label_each(const ListsView& labels);

/// Tells the labels of texts. Safe for use by several threads at once.
class LabelHead {
 public:
  /// A model's, which may have learned from vectors alone, or nothing. The model and `tfidf` must live as long.
  LabelHead(const Model& model, const Tfidf& tfidf);
  /// `tfidf` may be nullptr if `weights` have no words. What is given must live as long.
  LabelHead(const LabelWeights& weights, std::size_t label_count, const Tfidf* tfidf, bool one_label);

  /// Whether no labels were learned.
  bool empty() const { return rows_.rows == 0; }
  /// Whether words count, beside the vector.
  bool sees_words() const { return word_labels_.size() > 0; }

  /// The probability of each label. REQUIRES: `vector` is as long as those that were learned from, or zeros, or empty;
  /// the words are below tfidf.words().
  std::vector<double> probabilities(std::span<const WordCount> words, std::span<const float> vector) const;

  /// What each of the text's words adds to a label's log odds as a word, in their order; what it adds through the
  /// vector is not among it.
  std::vector<double> word_parts(std::size_t label, std::span<const WordCount> words) const;
  /// What the vector at unit length is multiplied by for a label's log odds.
  std::span<const float> direction(std::size_t label) const { return rows_.row(label).first(rows_.columns - 1); }
  double constant(std::size_t label) const { return static_cast<double>(rows_.row(label).back()); }

 private:
  /// The labels that a word speaks for or against, and its weights there.
  struct OfWord {
    std::span<const std::int32_t> labels;
    const float* weights;
  };
  OfWord of_word(std::uint32_t word) const;

  MatrixView rows_;
  ListsView word_labels_, late_labels_;  ///< those of late words, if they are kept apart
  std::span<const float> word_weights_, late_weights_;
  const Tfidf* tfidf_;
  bool one_label_;
};

}  // namespace idne
