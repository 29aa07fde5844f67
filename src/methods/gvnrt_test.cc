#include "methods/gvnrt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "idne/error.h"
#include "method_checks.h"
#include "network/walks.h"
#include "small_corpus.h"

namespace idne {
namespace {

SparseRows counts_of(const Corpus& corpus, double threshold) {
  WalkSettings settings;
  settings.walks = 3;
  settings.length = 10;
  settings.threshold = threshold;
  return cooccurrences(draw_walks(corpus.network, settings, {}), corpus.documents(), settings, {});
}

/// One step as plainly as it can be written, in double precision: the oracle for the trainer.
class PlainGvnrt {
 public:
  PlainGvnrt(const Corpus& corpus, const GvnrtSettings& settings, const GvnrtParameters& start)
      : corpus_(corpus), settings_(settings) {
    for (const auto* part : {&start.words, &start.nodes, &start.biases}) {
      values.insert(values.end(), part->begin(), part->end());
    }
    gradient.resize(values.size());
    mean_.resize(values.size());
    variance_.resize(values.size());
  }

  double loss(const GvnrtStep& step) const {
    double sum = 0;
    for (std::size_t q = 0; q < step.rows.size(); ++q) sum += std::pow(error(step, q), 2);
    return sum;
  }

  void find_gradient(const GvnrtStep& step) {
    std::fill(gradient.begin(), gradient.end(), 0);
    touched_.clear();
    const std::size_t p = settings_.dimensions;
    for (std::size_t q = 0; q < step.rows.size(); ++q) {
      const std::uint32_t i = step.rows[q], j = step.columns[q % step.columns.size()];
      const double slope = 2 * error(step, q);
      const std::vector<double> vector = mean_of_words(j);
      for (std::size_t d = 0; d < p; ++d) gradient[node(i) + d] += slope * vector[d], touched_.insert(node(i) + d);
      gradient[bias(i)] += slope, touched_.insert(bias(i));
      for (const WordCount& entry : corpus_.counts.row(j)) {
        const double share = static_cast<double>(entry.count) / static_cast<double>(corpus_.counts.length(j));
        for (std::size_t d = 0; d < p; ++d) {
          gradient[entry.word * p + d] += slope * share * values[node(i) + d], touched_.insert(entry.word * p + d);
        }
      }
    }
  }

  void advance(const GvnrtStep& step) {
    find_gradient(step);
    const auto t = static_cast<double>(++steps_);
    const double rate = settings_.learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    for (const std::size_t at : touched_) {
      mean_[at] = 0.9 * mean_[at] + 0.1 * gradient[at];
      variance_[at] = 0.999 * variance_[at] + 0.001 * gradient[at] * gradient[at];
      values[at] -= rate * mean_[at] / (std::sqrt(variance_[at]) + 1e-8);
    }
  }

  std::vector<double> values;  ///< words, nodes, biases
  std::vector<double> gradient;

 private:
  std::size_t node(std::size_t i) const { return (corpus_.words() + i) * settings_.dimensions; }
  std::size_t bias(std::size_t i) const { return (corpus_.words() + corpus_.documents()) * settings_.dimensions + i; }
  std::vector<double> mean_of_words(std::uint32_t j) const {
    std::vector<double> vector(settings_.dimensions);
    for (const WordCount& entry : corpus_.counts.row(j)) {
      const double share = static_cast<double>(entry.count) / static_cast<double>(corpus_.counts.length(j));
      for (std::size_t d = 0; d < vector.size(); ++d) vector[d] += share * values[entry.word * vector.size() + d];
    }
    return vector;
  }
  double error(const GvnrtStep& step, std::size_t q) const {
    const std::vector<double> vector = mean_of_words(step.columns[q % step.columns.size()]);
    double score = values[bias(step.rows[q])];
    for (std::size_t d = 0; d < vector.size(); ++d) score += vector[d] * values[node(step.rows[q]) + d];
    return score - step.targets[q];
  }

  const Corpus& corpus_;
  const GvnrtSettings settings_;
  std::uint64_t steps_ = 0;
  std::set<std::size_t> touched_;
  std::vector<double> mean_, variance_;
};

TEST(GvnrtEpoch, HasEachEntryOnceAndAsManyZeros) {
  const Corpus corpus = small_corpus(40, 20, 1);
  const SparseRows counts = counts_of(corpus, 2);
  GvnrtSettings settings;
  settings.batch = 7;
  const GvnrtEpoch epoch(counts, settings, 0);
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> seen, all;
  for (std::uint32_t i = 0; i < counts.rows(); ++i) {
    for (const Term& entry : counts.row(i)) all.insert({i, entry.row});
  }
  for (std::uint64_t s = 0; s < epoch.steps(); ++s) {
    const GvnrtStep step = epoch.step(s);
    const std::size_t size = step.columns.size();
    ASSERT_EQ(step.rows.size(), 2 * size);
    for (std::size_t q = 0; q < size; ++q) {
      seen.insert({step.rows[q], step.columns[q]});
      EXPECT_GT(step.targets[q], std::log(3.0));
      EXPECT_FALSE(all.contains({step.rows[size + q], step.columns[q]}));
      EXPECT_EQ(step.targets[size + q], 0);
    }
  }
  ASSERT_GT(all.size(), 50u);
  EXPECT_EQ(seen, all);
  EXPECT_NE(epoch.step(0).columns, GvnrtEpoch(counts, settings, 1).step(0).columns);
}

TEST(GvnrtTrainer, PlainGradientIsThatOfFiniteDifferences) {
  const Corpus corpus = small_corpus(12, 9, 3);
  GvnrtSettings settings;
  settings.dimensions = 3;
  settings.batch = 10;
  const SparseRows counts = counts_of(corpus, 1);
  const GvnrtStep step = GvnrtEpoch(counts, settings, 0).step(0);
  PlainGvnrt plain(corpus, settings, gvnrt_start(corpus, settings, 1));
  plain.find_gradient(step);
  std::size_t not_zero = 0;
  for (std::size_t at = 0; at < plain.values.size(); ++at) {
    const double kept = plain.values[at], h = 1e-5;
    plain.values[at] = kept + h;
    const double above = plain.loss(step);
    plain.values[at] = kept - h;
    const double below = plain.loss(step);
    plain.values[at] = kept;
    EXPECT_NEAR(plain.gradient[at], (above - below) / (2 * h), 1e-6) << at;
    not_zero += plain.gradient[at] != 0;
  }
  EXPECT_GT(not_zero, 40u);
}

TEST(GvnrtTrainer, FollowsThePlainOneStepByStep) {
  const Corpus corpus = small_corpus(40, 20, 1);
  const SparseRows counts = counts_of(corpus, 1);
  for (const std::size_t dimensions : {5u, 130u}) {
    GvnrtSettings settings;
    settings.dimensions = dimensions;
    settings.batch = 9;
    settings.learning_rate = 0.01;
    const GvnrtEpoch epoch(counts, settings, 0);
    const GvnrtParameters start = gvnrt_start(corpus, settings, 1);
    PlainGvnrt plain(corpus, settings, start);
    GvnrtTrainer trainer(corpus, settings, start, 2);
    trainer.advance(epoch, 0, epoch.steps(), epoch.steps(), {});
    for (std::uint64_t s = 0; s < epoch.steps(); ++s) plain.advance(epoch.step(s));
    const GvnrtParameters trained = trainer.parameters();
    std::vector<float> values = trained.words;
    values.insert(values.end(), trained.nodes.begin(), trained.nodes.end());
    values.insert(values.end(), trained.biases.begin(), trained.biases.end());
    ASSERT_EQ(values.size(), plain.values.size());
    double moved = 0, apart = 0;
    for (std::size_t at = 0; at < start.words.size(); ++at) moved += std::abs(values[at] - start.words[at]);
    for (std::size_t at = 0; at < values.size(); ++at) apart = std::max(apart, std::abs(values[at] - plain.values[at]));
    EXPECT_GT(moved / static_cast<double>(start.words.size()), 0.01);
    EXPECT_LT(apart, 2e-3) << dimensions;
  }
}

TEST(GvnrtTrainer, LossFalls) {
  const Corpus corpus = small_corpus(60, 40, 2);
  const SparseRows counts = counts_of(corpus, 1);
  GvnrtSettings settings;
  settings.dimensions = 16;
  settings.learning_rate = 0.02;
  GvnrtTrainer trainer(corpus, settings, gvnrt_start(corpus, settings, 1), 1);
  EXPECT_TRUE(std::isnan(trainer.recent_loss()));
  const GvnrtEpoch first(counts, settings, 0);
  trainer.advance(first, 0, 1, 1, {});
  const double before = trainer.recent_loss();
  for (std::uint64_t e = 1; e < 40; ++e) {
    const GvnrtEpoch epoch(counts, settings, e);
    trainer.advance(epoch, 0, epoch.steps(), 0, {});
  }
  EXPECT_LT(trainer.recent_loss(), 0.5 * before);
}

TEST(GvnrtTrainer, StopsOrThrowsWhatTheProgressCallbackThrowsAndCanGoOn) {
  const Corpus corpus = small_corpus(60, 40, 2);
  const SparseRows counts = counts_of(corpus, 0);
  GvnrtSettings settings;
  settings.dimensions = 256;
  settings.batch = 4;
  const GvnrtEpoch epoch(counts, settings, 0);
  const std::uint64_t steps = epoch.steps();
  ASSERT_GT(steps, 40u);
  const GvnrtParameters start = gvnrt_start(corpus, settings, 1);
  GvnrtTrainer plain(corpus, settings, start, 1);
  plain.advance(epoch, 0, steps, steps, {});
  for (const int threads : {1, 2, 4}) {
    GvnrtTrainer trainer(corpus, settings, start, threads);
    idne::Run run;
    std::uint64_t reported = 0;
    run.progress = [&](const Progress& progress) {
      reported = progress.done;
      throw std::runtime_error("the terminal is gone");
    };
    EXPECT_THROW(trainer.advance(epoch, 0, 20, 20, run), std::runtime_error);  // at the end at the latest
    int asked = 0;
    run.stopped = [&] { return ++asked > 1; };
    run.progress = {};
    EXPECT_THROW(trainer.advance(epoch, reported, steps, steps, run), Interrupted);
    trainer.advance(epoch, reported + 16, steps, steps, {});  // one block of steps was taken
    EXPECT_EQ(trainer.parameters().words, plain.parameters().words) << threads << " threads";
    EXPECT_EQ(trainer.parameters().biases, plain.parameters().biases) << threads << " threads";
  }
}

/// Two circles of documents, each with words of its own, and a few words that all share.
Corpus two_circles(std::uint32_t each) {
  Corpus corpus;
  for (std::uint32_t w = 0; w < 30; ++w) {
    corpus.vocabulary.words.add(fmt::format("w{}", w));
    corpus.vocabulary.counts.push_back(1);
  }
  Random random(4, Purpose::Generate, 0);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 2 * each; ++i) {
    const std::uint32_t side = i / each;
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 4; ++n) text.push_back(side * 10 + random.below(10)), text.push_back(20 + random.below(10));
    corpus.counts.add_row(count_words(text));
    links.push_back({i, i % each + 1 < each ? i + 1 : side * each, 1});
  }
  corpus.network = Network(2 * each, links, {});
  return corpus;
}

double cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) ab += a[k] * b[k], aa += a[k] * a[k], bb += b[k] * b[k];
  return ab / std::sqrt(aa * bb);
}

TEST(Gvnrt, SeparatesDocumentsThatDoNotMeet) {
  const Corpus corpus = two_circles(20);
  const Options options = options_with(gvnrt_method(), {{"dim", "8"}, {"epochs", "20"}, {"learning-rate", "0.01"}});
  const Model model = gvnrt_method().fit(corpus, options, {});
  double same = 0, other = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 20; ++j) {
      if (i != j) same += cosine(model.documents().vectors.row(i), model.documents().vectors.row(j)) / 380;
      other += cosine(model.documents().vectors.row(i), model.documents().vectors.row(20 + j)) / 400;
    }
  }
  EXPECT_GT(same, other + 0.3);
}

TEST(Gvnrt, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(100, 50, 5);
  const Options options =
      options_with(gvnrt_method(), {{"dim", "200"}, {"walks", "3"}, {"walk-length", "12"}, {"threshold", "1"}});
  expect_same_bits_at_any_number_of_threads(gvnrt_method(), corpus, options,
                                            {&layout::kDocumentVectors, &layout::kWordVectors});
}

TEST(Gvnrt, EncoderGivesADocumentItsStoredVector) {
  expect_encoder_gives_stored_vectors(gvnrt_method(), small_corpus(40, 25, 2),
                                      options_with(gvnrt_method(), {{"dim", "6"}, {"threshold", "1"}}));
}

TEST(Gvnrt, CorporaWithNothingToLearnFrom) {
  for (const Corpus& corpus : odd_corpora()) {
    const Model model = gvnrt_method().fit(corpus, options_with(gvnrt_method(), {{"dim", "4"}}), {});
    expect_finite_vectors(model, corpus);
    if (corpus.words() == 0 || corpus.network.links() == 0) {
      EXPECT_FALSE(model.info().loss);
    }
  }
}

TEST(Gvnrt, StopsWhenAsked) {
  const Corpus corpus = small_corpus(60, 30, 1);
  int asked = 0;
  const idne::Run run{.threads = 1, .progress = {}, .stopped = [&asked] { return ++asked > 4; }};
  EXPECT_THROW(gvnrt_method().fit(corpus, options_with(gvnrt_method(), {{"threshold", "0"}, {"epochs", "100"}}), run),
               Interrupted);
}

TEST(Gvnrt, ModelWithoutWordVectorsIsAnError) {
  Model model;
  EXPECT_THROW(gvnrt_method().encoder(model), Error);
}

}  // namespace
}  // namespace idne
