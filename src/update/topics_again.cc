#include "update/topics_again.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"
#include "methods/attention.h"
#include "methods/topic_fit.h"
#include "model/tensors.h"
#include "text/coherence.h"
#include "text/families.h"

namespace idne {
namespace {

constexpr std::size_t kFirstWords = 10;

class TopicsAgain {
 public:
  TopicsAgain(const Model& former, const Corpus& corpus, MatrixView before, const Merge& merge, const Run& run)
      : former_(former), corpus_(corpus), merge_(merge), run_(run), count_(former.topics().size()) {
    const MatrixView topics = former.topics().vectors;
    topic_ = topics_by_product(before, topics, run.threads);
    for (std::size_t i = 0; i < before.rows; ++i) {
      const auto row = before.row(i);
      const double length = std::sqrt(dot(row.data(), row.data(), row.size()));
      fits_.push_back(length > 0 ? dot(row.data(), topics.row(topic_[i]).data(), row.size()) / length : 0);
    }
    // Where it is known whose documents they were, that counts, and not what they look most like.
    const ModelTensors tensors(former);
    if (!tensors.has(layout::kDocumentTopics)) return;
    const std::span<const std::int32_t> kept = tensors.numbers32(layout::kDocumentTopics);
    for (std::size_t i = 0; i < topic_.size(); ++i) {
      const Origin& origin = merge.rows[i];
      if (origin.keeps_text()) topic_[i] = static_cast<std::uint32_t>(kept[origin.old]);
    }
  }

  std::vector<TopicMoved> fit(Model& model) {
    const TopicClusters clusters(corpus_.counts, corpus_.words(), &corpus_.network, count_ + 1, run_);
    if (clusters.documents().empty()) {  // no document has a word: all stays, and nothing tells where they belong
      ModelMaker(model).set(layout::kDocumentTopics, std::vector<std::int32_t>(corpus_.documents()));
      return {};
    }
    const Clusters found = found_clusters(clusters);
    const MatrixView words = model.word_vectors();
    const Activation activation = activation_of(model);
    const std::vector<std::uint32_t> families = word_families(corpus_.vocabulary.words.strings(), corpus_.languages);
    TopicVectors vectors = fit_topics(clusters, found, model.documents().vectors, run_);
    keep_empty_ones(found, vectors.vectors);
    FittedTopics topics = judge_topics(corpus_.counts, words, families, std::move(vectors), activation, true, run_,
                                       TopicOrder::AsTheyAre);
    std::vector<TopicMoved> moved;
    for (std::size_t k = 0; k < found.count; ++k) {
      moved.push_back(compare(k, clusters, found, families, topics.words[k]));
    }
    measure_words(topics);
    store_names(moved, model);
    store_topics(model, std::move(topics), activation);
    ModelMaker(model).info().options["topics"] = static_cast<std::int64_t>(found.count);
    return moved;
  }

 private:
  /// A topic that has lost its documents stays where it was: they may come back. So does one that has all of them:
  /// nothing tells it from others.
  void keep_empty_ones(const Clusters& found, std::vector<float>& vectors) const {
    const MatrixView former = former_.topics().vectors;
    const std::vector<std::size_t> sizes = found.sizes();
    const bool alone = std::ranges::count(sizes, std::size_t{0}) + 1 >= static_cast<std::ptrdiff_t>(sizes.size());
    for (std::size_t k = 0; k < count_; ++k) {
      if (sizes[k] == 0 || alone) std::ranges::copy(former.row(k), vectors.data() + k * former.columns);
    }
  }

  /// Documents that came and fit no topic, as one in twenty of the others does, may become one.
  std::vector<char> strange_documents(const TopicClusters& clusters) const {
    std::vector<double> usual;
    for (const std::uint32_t i : clusters.documents()) {
      if (merge_.rows[i].old != Origin::kNone) usual.push_back(fits_[i]);
    }
    std::vector<char> strange(clusters.documents().size());
    if (usual.empty()) return strange;
    constexpr std::size_t kOneIn = 20;
    const auto limit = usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / kOneIn);
    std::nth_element(usual.begin(), limit, usual.end());
    for (std::size_t n = 0; n < strange.size(); ++n) {
      const std::uint32_t i = clusters.documents()[n];
      strange[n] = merge_.rows[i].old == Origin::kNone && fits_[i] < *limit;
    }
    return strange;
  }

  Clusters found_clusters(const TopicClusters& clusters) const {
    Clusters start{count_, {}};
    std::vector<char> free;
    for (const std::uint32_t i : clusters.documents()) {
      start.of_row.push_back(topic_[i]);
      free.push_back(!merge_.rows[i].keeps_text());
    }
    const std::vector<char> strange = strange_documents(clusters);
    const auto many = static_cast<std::size_t>(std::ranges::count(strange, 1));
    // As large as a cluster must be to be one (kmeans.cc), and as a topic should be.
    constexpr std::size_t kFewest = 10, kPart = 6;
    if (count_ < kMostTopics && many >= kFewest && many * kPart * (count_ + 1) >= start.of_row.size()) {
      Clusters more = start;
      ++more.count;
      for (std::size_t n = 0; n < strange.size(); ++n) {
        if (strange[n]) more.of_row[n] = static_cast<std::uint32_t>(count_);
      }
      more = clusters.assign_free(std::move(more), std::vector<char>(free.size(), 1), run_);
      for (std::size_t n = 0; n < free.size(); ++n) {
        if (!free[n] && more.of_row[n] != count_) more.of_row[n] = start.of_row[n];
      }
      std::size_t members = 0, new_ones = 0;
      for (std::size_t n = 0; n < more.of_row.size(); ++n) {
        if (more.of_row[n] != count_) continue;
        ++members;
        new_ones += merge_.rows[clusters.documents()[n]].old == Origin::kNone;
      }
      if (2 * new_ones > members) return more;  // it is what came, not what was there
    }
    return clusters.assign_free(std::move(start), free, run_);
  }

  /// Whether topic k is still the one that it was, by its documents; if so its words stay as far as they still fit.
  TopicMoved compare(std::size_t k, const TopicClusters& clusters, const Clusters& found,
                     const std::vector<std::uint32_t>& families, RankedTopicWords& now) const {
    TopicMoved moved{k + 1, std::nullopt, 0};
    if (k >= count_) return moved;
    std::vector<std::uint32_t> had, has;
    std::size_t stayed = 0;
    for (std::size_t n = 0; n < found.of_row.size(); ++n) {
      const std::uint32_t i = clusters.documents()[n];
      if (found.of_row[n] == k) has.push_back(i);
      if (merge_.rows[i].old == Origin::kNone || topic_[i] != k) continue;
      had.push_back(i);
      stayed += found.of_row[n] == k;
    }
    if (!had.empty() && 2 * stayed <= had.size()) return moved;
    moved.former = k + 1;
    const FormerWords before = former_words(k);
    keep_words(before.words, before.weights, frequencies(before.words, had), frequencies(before.words, has), families,
               now);
    const auto shown = std::span(now.words).first(std::min(kFirstWords, now.words.size()));
    for (const std::uint32_t word : before.words) {
      if (std::ranges::count(shown, word)) moved.words_kept += 1 / static_cast<double>(before.words.size());
    }
    return moved;
  }

  /// The first words that a topic had.
  struct FormerWords {
    std::vector<std::uint32_t> words;
    std::vector<float> weights;
  };
  FormerWords former_words(std::size_t k) const {
    const Topics& topics = former_.topics();
    const std::size_t each = topics.ranked.size() / count_;
    const bool weighed = topics.word_weights.size() == topics.ranked.size();
    FormerWords former;
    for (std::size_t n = k * each; n < k * each + std::min(kFirstWords, each); ++n) {
      const float weight = weighed ? topics.word_weights[n] : 0;
      if (weighed && !(weight > 0)) break;  // what fills up a short list
      former.words.push_back(static_cast<std::uint32_t>(topics.ranked[n]));
      former.weights.push_back(weight);
    }
    return former;
  }

  /// The share of documents that have each of these words.
  std::vector<double> frequencies(const std::vector<std::uint32_t>& words,
                                  const std::vector<std::uint32_t>& documents) const {
    std::vector<double> with(words.size());
    for (const std::uint32_t i : documents) {
      const auto row = corpus_.counts.row(i);
      for (std::size_t n = 0; n < words.size(); ++n) {
        const auto found = std::ranges::lower_bound(row, words[n], {}, &WordCount::word);
        with[n] += found != row.end() && found->word == words[n];
      }
    }
    for (double& value : with) value /= static_cast<double>(std::max<std::size_t>(1, documents.size()));
    return with;
  }

  /// The first words that a topic had stay first where its documents still have them, half as often at least: people
  /// know it by these. Others of their families go to the end.
  void keep_words(const std::vector<std::uint32_t>& before, std::span<const float> weights,
                  const std::vector<double>& had, const std::vector<double>& has,
                  const std::vector<std::uint32_t>& families, RankedTopicWords& now) const {
    RankedTopicWords kept;
    std::vector<char> taken(corpus_.words());
    std::vector<std::uint32_t> taken_families;
    for (std::size_t n = 0; n < before.size(); ++n) {
      if (2 * has[n] < had[n] || taken[before[n]]) continue;
      const auto place = static_cast<std::size_t>(std::ranges::find(now.words, before[n]) - now.words.begin());
      kept.words.push_back(before[n]);
      kept.weights.push_back(place < now.words.size() ? now.weights[place] : weights[n]);
      taken[before[n]] = 1;
      if (families[before[n]] != kNoFamily) taken_families.push_back(families[before[n]]);
    }
    for (const bool of_taken_family : {false, true}) {
      for (std::size_t place = 0; place < now.words.size() && kept.words.size() < kRankedTopicWords; ++place) {
        const std::uint32_t word = now.words[place];
        const bool same_family = std::ranges::count(taken_families, families[word]) > 0;
        if (taken[word] || same_family != of_taken_family) continue;
        kept.words.push_back(word);
        kept.weights.push_back(now.weights[place]);
      }
    }
    now = std::move(kept);
  }

  /// NPMI of the words that are shown.
  void measure_words(FittedTopics& topics) const {
    std::vector<std::vector<std::uint32_t>> lists;
    for (const RankedTopicWords& list : topics.words) {
      const auto first = static_cast<std::ptrdiff_t>(std::min(kCoherenceWords, list.words.size()));
      lists.emplace_back(list.words.begin(), list.words.begin() + first);
    }
    const std::vector<double> values = npmi(corpus_.counts, lists);
    topics.npmi.assign(values.begin(), values.end());
  }

  void store_names(const std::vector<TopicMoved>& moved, Model& model) const {
    const StringsView& names = former_.topics().names;
    if (names.size() == 0) return;
    std::vector<std::string> kept;
    for (const TopicMoved& topic : moved)
      kept.emplace_back(topic.former ? names[*topic.former - 1] : std::string_view());
    ModelMaker(model).set_strings(layout::kTopicNames, kept);
  }

  const Model& former_;
  const Corpus& corpus_;
  const Merge& merge_;
  const Run& run_;
  const std::size_t count_;
  std::vector<std::uint32_t> topic_;  ///< of each document, before
  std::vector<double> fits_;          ///< its product with that topic, at unit length
};

}  // namespace

std::vector<TopicMoved> fit_topics_again(const Model& former, const Corpus& corpus, MatrixView before,
                                         const Merge& merge, const Run& run, Model& model) {
  std::vector<TopicMoved> moved;
  if (former.topics().ranked.empty()) {  // not fitted: they stay where they are
    const std::vector<double> shares =
        topic_shares(corpus.counts, model.word_vectors(), model.topics().vectors, activation_of(model));
    ModelMaker(model).set(layout::kTopicShares, std::vector<float>(shares.begin(), shares.end()));
    for (std::size_t k = 1; k <= former.topics().size(); ++k) moved.push_back({k, k, 1});
    return moved;
  }
  return TopicsAgain(former, corpus, before, merge, run).fit(model);
}

}  // namespace idne
