#include "evaluate/rankers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "suggest/frequencies.h"
#include "suggest/label_head.h"
#include "text/tfidf.h"

namespace idne {
namespace {

constexpr std::array kRankers{
    RankerInfo{"tfidf", "cosine of TF-IDF; for labels, logistic regression on it", true},
    RankerInfo{"bm25", "BM25, links alone", false},
};

/// Of each word the documents that have it, and what it adds to their scores there.
class WeightedPostings {
 public:
  /// `weight` is asked for each document and each of its words.
  template <class Weight>
  WeightedPostings(const Corpus& corpus, const Weight& weight)
      : of_word_(corpus.words()), documents_(corpus.documents()) {
    for (std::uint32_t i = 0; i < documents_; ++i) {
      for (const WordCount& entry : corpus.counts.row(i)) of_word_[entry.word].push_back({i, weight(i, entry)});
    }
  }

  /// The documents with the largest sums over the words, `factor` times what the word adds there; ties by number.
  template <class Factor>
  std::vector<std::uint32_t> best(std::span<const WordCount> words, std::size_t count, const Factor& factor) const {
    std::vector<double> scores(documents_);
    std::vector<std::uint32_t> met;
    for (const WordCount& entry : words) {
      const double times = factor(entry);
      for (const auto& [document, weight] : of_word_[entry.word]) {
        if (scores[document] == 0) met.push_back(document);
        scores[document] += times * weight;
      }
    }
    const auto kept = met.begin() + static_cast<std::ptrdiff_t>(std::min(count, met.size()));
    std::partial_sort(met.begin(), kept, met.end(), [&](std::uint32_t a, std::uint32_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
    });
    met.erase(kept, met.end());
    return met;
  }

 private:
  struct Posting {
    std::uint32_t document;
    double weight;  ///< above 0
  };
  std::vector<std::vector<Posting>> of_word_;
  std::size_t documents_;
};

class TfidfRanker : public Adviser {
 public:
  TfidfRanker(const Corpus& corpus, const Lists* labels, std::size_t label_count, const Run& run)
      : tfidf_(document_frequencies(corpus.counts, corpus.words()), corpus.documents()), postings_(made(corpus)) {
    if (!labels) return;
    const ListsView view(labels->offsets, labels->values);
    weights_ =
        fit_label_head({.labels = view, .label_count = label_count, .words = &corpus.counts, .tfidf = &tfidf_}, run);
    if (!weights_.empty()) head_.emplace(weights_, label_count, &tfidf_, one_label_each(view));
  }

  /// The text's own length is the same for all documents, and left out.
  std::vector<std::uint32_t> links(std::span<const WordCount> words, std::size_t count) const override {
    return postings_.best(words, count,
                          [&](const WordCount& entry) { return static_cast<double>(tfidf_.weight(entry)); });
  }

  std::vector<LabelGuess> labels(std::span<const WordCount> words) const override {
    if (!head_ || words.empty()) return {};
    return by_probability(head_->probabilities(words, {}));
  }

 private:
  WeightedPostings made(const Corpus& corpus) const {
    std::vector<double> lengths(corpus.documents());
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = tfidf_.length(corpus.counts.row(i));
    return {corpus, [&](std::uint32_t i, const WordCount& entry) {
              return static_cast<double>(tfidf_.weight(entry)) / lengths[i];
            }};
  }

  Tfidf tfidf_;
  WeightedPostings postings_;
  LabelWeights weights_;
  std::optional<LabelHead> head_;
};

class Bm25Ranker : public Adviser {
 public:
  explicit Bm25Ranker(const Corpus& corpus) : postings_(made(corpus)) {}

  std::vector<std::uint32_t> links(std::span<const WordCount> words, std::size_t count) const override {
    return postings_.best(words, count, [](const WordCount& entry) { return static_cast<double>(entry.count); });
  }
  std::vector<LabelGuess> labels(std::span<const WordCount>) const override { return {}; }

 private:
  static WeightedPostings made(const Corpus& corpus) {
    constexpr double k1 = 1.2, b = 0.75;
    const auto documents = static_cast<double>(corpus.documents());
    const std::vector<std::uint32_t> frequencies = document_frequencies(corpus.counts, corpus.words());
    double mean_length = 0;
    std::vector<double> lengths(corpus.documents());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      lengths[i] = static_cast<double>(corpus.counts.length(i));
      mean_length += lengths[i] / documents;
    }
    return {corpus, [&](std::uint32_t i, const WordCount& entry) {
              const double n = frequencies[entry.word], f = entry.count;
              const double idf = std::log(1 + (documents - n + 0.5) / (n + 0.5));
              return idf * f * (k1 + 1) / (f + k1 * (1 - b + b * lengths[i] / mean_length));
            }};
  }

  WeightedPostings postings_;
};

}  // namespace

std::span<const RankerInfo> known_rankers() { return kRankers; }

const RankerInfo* find_ranker(std::string_view name) {
  const auto at = std::ranges::find(kRankers, name, &RankerInfo::name);
  return at == kRankers.end() ? nullptr : &*at;
}

std::unique_ptr<Adviser> make_ranker(const RankerInfo& ranker, const Corpus& corpus, const Lists* labels,
                                     std::size_t label_count, const Run& run) {
  if (ranker.labels) return std::make_unique<TfidfRanker>(corpus, labels, label_count, run);
  return std::make_unique<Bm25Ranker>(corpus);
}

}  // namespace idne
