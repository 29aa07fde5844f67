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
    std::vector<float> products(count_);
    for (std::size_t i = 0; i < before.rows; ++i) {
      topic_products(topics, before.row(i), products);
      const auto best = std::ranges::max_element(products);
      main_topic_.push_back(static_cast<std::uint32_t>(best - products.begin()));
      const double length = std::sqrt(dot(before.row(i).data(), before.row(i).data(), before.columns));
      fits_.push_back(length > 0 ? static_cast<double>(*best) / length : 0);
    }
  }

  std::vector<TopicMoved> fit(Model& model) {
    const TopicClusters clusters(corpus_.counts, corpus_.words(), &corpus_.network, count_ + 1, run_);
    if (clusters.documents().empty()) return {};
    const Clusters found = found_clusters(clusters);
    const MatrixView words = model.word_vectors();
    const Activation activation = activation_of(model);
    const std::vector<std::uint32_t> families = word_families(corpus_.vocabulary.words.strings(), corpus_.languages);
    FittedTopics topics =
        judge_topics(corpus_.counts, words, families, fit_topics(clusters, found, model.documents().vectors, run_),
                     activation, true, run_, TopicOrder::AsTheyAre);
    std::vector<TopicMoved> moved;
    for (std::size_t k = 0; k < found.count; ++k) moved.push_back(compare(k, clusters, found, topics.words[k]));
    measure_words(topics);
    store_names(moved, model);
    store_topics(model, std::move(topics), activation);
    ModelMaker(model).info().options["topics"] = static_cast<std::int64_t>(found.count);
    return moved;
  }

 private:
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
    for (const std::uint32_t i : clusters.documents()) start.of_row.push_back(main_topic_[i]);
    const std::vector<char> strange = strange_documents(clusters);
    const auto many = static_cast<std::size_t>(std::ranges::count(strange, 1));
    // As large as a cluster must be to be one (kmeans.cc), and as a topic should be.
    constexpr std::size_t kFewest = 10, kPart = 6;
    if (many >= kFewest && many * kPart * (count_ + 1) >= start.of_row.size()) {
      Clusters more = start;
      ++more.count;
      for (std::size_t n = 0; n < strange.size(); ++n) {
        if (strange[n]) more.of_row[n] = static_cast<std::uint32_t>(count_);
      }
      more = clusters.find_from(std::move(more), run_);
      std::size_t members = 0, new_ones = 0;
      for (std::size_t n = 0; n < more.of_row.size(); ++n) {
        if (more.of_row[n] != count_) continue;
        ++members;
        new_ones += merge_.rows[clusters.documents()[n]].old == Origin::kNone;
      }
      if (2 * new_ones > members) return more;  // it is what came, not what was there
    }
    return clusters.find_from(std::move(start), run_);
  }

  /// Whether topic k is still the one that it was, by its documents; if so its words stay as far as they still fit.
  TopicMoved compare(std::size_t k, const TopicClusters& clusters, const Clusters& found, RankedTopicWords& now) {
    TopicMoved moved{k + 1, std::nullopt, 0};
    if (k >= count_) return moved;
    std::size_t had = 0, stayed = 0;
    for (std::size_t n = 0; n < found.of_row.size(); ++n) {
      const std::uint32_t i = clusters.documents()[n];
      if (merge_.rows[i].old == Origin::kNone || main_topic_[i] != k) continue;
      ++had;
      stayed += found.of_row[n] == k;
    }
    if (had > 0 && 2 * stayed <= had) return moved;
    moved.former = k + 1;
    const std::vector<std::uint32_t> before = former_words(k);
    keep_words(before, now);
    const std::size_t first = std::min(kFirstWords, before.size());
    for (std::size_t n = 0; n < first; ++n) {
      const auto end = now.words.begin() + static_cast<std::ptrdiff_t>(std::min(kFirstWords, now.words.size()));
      moved.words_kept += std::find(now.words.begin(), end, before[n]) != end ? 1.0 / static_cast<double>(first) : 0;
    }
    return moved;
  }

  std::vector<std::uint32_t> former_words(std::size_t k) const {
    const std::span<const std::int32_t> ranked = former_.topics().ranked;
    const std::size_t each = ranked.size() / count_;
    std::vector<std::uint32_t> words;
    for (const std::int32_t word : ranked.subspan(k * each, each)) words.push_back(static_cast<std::uint32_t>(word));
    return words;
  }

  /// The first words that a topic had stay first where it still weighs them: people know it by these.
  static void keep_words(const std::vector<std::uint32_t>& before, RankedTopicWords& now) {
    constexpr std::size_t kStillWeighed = 40;  // among its first so many
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < std::min(kFirstWords, before.size()); ++n) {
      const auto found = std::ranges::find(now.words, before[n]) - now.words.begin();
      const auto place = static_cast<std::size_t>(found);
      if (place < std::min(kStillWeighed, now.words.size()) && !std::ranges::count(order, place))
        order.push_back(place);
    }
    std::vector<char> taken(now.words.size());
    for (const std::size_t place : order) taken[place] = 1;
    for (std::size_t place = 0; place < now.words.size(); ++place) {
      if (!taken[place]) order.push_back(place);
    }
    RankedTopicWords sorted;
    for (const std::size_t place : order) {
      sorted.words.push_back(now.words[place]);
      sorted.weights.push_back(now.weights[place]);
    }
    now = std::move(sorted);
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
  std::vector<std::uint32_t> main_topic_;  ///< of each document, before
  std::vector<double> fits_;               ///< its product with that topic, at unit length
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
