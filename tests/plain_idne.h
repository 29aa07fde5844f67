#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "idne/corpus.h"
#include "methods/idne_trainer.h"

namespace idne {

/// IDNE's training loop as plainly as it can be written: one thread, one loop after the other, no tricks. In double
/// precision the oracle that the fast trainer follows step by step; in single precision the yardstick that it is
/// measured against.
template <class Real>
class PlainIdne {
 public:
  PlainIdne(const Corpus& corpus, const IdneSettings& settings, const std::vector<float>& words,
            const std::vector<float>& topics)
      : corpus_(corpus),
        settings_(settings),
        words_(words.begin(), words.end()),
        topics_(topics.begin(), topics.end()),
        gradient_(words.size()),
        mean_(words.size()),
        variance_(words.size()) {}

  const std::vector<Real>& words() const { return words_; }
  /// ∂loss/∂W of the last step's documents, before Adam.
  const std::vector<Real>& gradient() const { return gradient_; }

  /// A word is active if any topic has a positive product with it (always, with softmax).
  bool is_active(std::uint32_t word) const {
    if (settings_.activation == Activation::Softmax) return true;
    const std::size_t p = settings_.dimensions;
    for (std::size_t k = 0; k < settings_.topics; ++k) {
      Real product = 0;
      for (std::size_t d = 0; d < p; ++d) product += topics_[k * p + d] * words_[word * p + d];
      if (product > 0) return true;
    }
    return false;
  }

  /// The loss of the given documents (as PairDraws gives them); leaves its gradient in gradient().
  Real loss_and_gradient(const std::vector<std::uint32_t>& documents) {
    const std::size_t p = settings_.dimensions, batch = settings_.batch;
    forget_gradient();
    for (const std::uint32_t i : documents) {
      for (const WordCount& entry : corpus_.counts.row(i)) touched_.push_back(entry.word);
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    active_.resize(corpus_.words());
    for (const std::uint32_t word : touched_) active_[word] = is_active(word);

    vectors_.assign(documents.size() * p, 0);
    for (std::size_t s = 0; s < documents.size(); ++s) {
      const Real length = static_cast<Real>(corpus_.counts.length(documents[s]));
      for (const WordCount& entry : corpus_.counts.row(documents[s])) {
        if (!active_[entry.word]) continue;
        const Real share = static_cast<Real>(entry.count) / length;
        for (std::size_t d = 0; d < p; ++d) vectors_[s * p + d] += share * words_[entry.word * p + d];
      }
    }
    document_gradients_.assign(documents.size() * p, 0);
    Real loss = 0;
    for (std::size_t q = 0; q < 2 * batch; ++q) {
      const Real* first = &vectors_[(q % batch) * p];
      const Real* other = &vectors_[(batch + q) * p];
      Real score = 0;
      for (std::size_t d = 0; d < p; ++d) score += first[d] * other[d];
      const Real sign = q < batch ? 1 : -1;
      loss -= std::log(1 / (1 + std::exp(-sign * score)));
      const Real slope = -sign / (1 + std::exp(sign * score));
      for (std::size_t d = 0; d < p; ++d) {
        document_gradients_[(q % batch) * p + d] += slope * other[d];
        document_gradients_[(batch + q) * p + d] += slope * first[d];
      }
    }
    for (std::size_t s = 0; s < documents.size(); ++s) {
      const Real length = static_cast<Real>(corpus_.counts.length(documents[s]));
      for (const WordCount& entry : corpus_.counts.row(documents[s])) {
        if (!active_[entry.word]) continue;
        const Real share = static_cast<Real>(entry.count) / length;
        for (std::size_t d = 0; d < p; ++d) gradient_[entry.word * p + d] += share * document_gradients_[s * p + d];
      }
    }
    return loss;
  }

  /// One training step; the mean loss of a pair.
  Real step() {
    const auto documents =
        PairDraws{settings_.sampling, settings_.batch, settings_.seed}.documents(corpus_.network, steps_);
    const Real loss = loss_and_gradient(documents);
    ++steps_;
    const double t = static_cast<double>(steps_);
    const Real rate =
        static_cast<Real>(settings_.learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)));
    const std::size_t p = settings_.dimensions;
    for (const std::uint32_t word : touched_) {
      for (std::size_t at = word * p; at < (word + 1) * p; ++at) {
        mean_[at] = Real(0.9) * mean_[at] + Real(0.1) * gradient_[at];
        variance_[at] = Real(0.999) * variance_[at] + Real(0.001) * gradient_[at] * gradient_[at];
        words_[at] -= rate * mean_[at] / (std::sqrt(variance_[at]) + Real(1e-8));
      }
    }
    return loss / static_cast<Real>(2 * settings_.batch);
  }

 private:
  void forget_gradient() {
    const std::size_t p = settings_.dimensions;
    for (const std::uint32_t word : touched_)
      std::fill_n(gradient_.begin() + static_cast<std::ptrdiff_t>(word * p), p, 0);
    touched_.clear();
  }

  const Corpus& corpus_;
  const IdneSettings settings_;
  std::uint64_t steps_ = 0;
  std::vector<Real> words_, topics_, gradient_, mean_, variance_, vectors_, document_gradients_;
  std::vector<std::uint32_t> touched_;
  std::vector<char> active_;
};

}  // namespace idne
