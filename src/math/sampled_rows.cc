#include "math/sampled_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace idne {
namespace {

/// Rows that are multiplied from both sides while they are in the cache.
constexpr std::size_t kAtOnce = 128;

/// What a row must have to stand for itself, so that about `most` rows are taken. Rows are counted by the first bits of
/// their numbers, an eighth of an octave together.
double least_alone(std::span<const float> curvature, std::size_t most) {
  constexpr int kShift = 20;
  constexpr std::size_t kBuckets = std::size_t{1} << (31 - kShift);
  std::vector<double> sums(kBuckets);
  std::vector<std::size_t> counts(kBuckets);
  double below = 0;  // of the rows that share what is left
  for (const float value : curvature) {
    const std::size_t bucket = std::bit_cast<std::uint32_t>(std::abs(value)) >> kShift;
    sums[bucket] += static_cast<double>(value);
    below += static_cast<double>(value);
    ++counts[bucket];
  }
  double left = static_cast<double>(most);
  for (std::size_t bucket = kBuckets; bucket-- > 1;) {
    const double least = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bucket << kShift)));
    const auto alone = static_cast<double>(counts[bucket]);
    if (counts[bucket] > 0 && (left <= alone || (below - sums[bucket]) / (left - alone) > least)) break;
    left -= alone;
    below -= sums[bucket];
  }
  return left > 0 ? std::max(0.0, below) / left : 0;
}

}  // namespace

void SampledRows::choose(const SparseFeatures& sparse, const Packed<float>& dense, std::span<const float> curvature,
                         std::size_t most) {
  sparse_columns_ = sparse.columns();
  width_ = dense.columns();
  rows_.clear(), weights_.clear(), values_.clear(), numbers_.clear();
  offsets_.assign(1, 0);
  const double least = least_alone(curvature, most);
  double passed = 0.5;
  for (std::size_t row = 0; row < curvature.size(); ++row) {
    const auto own = static_cast<double>(curvature[row]);
    if (own >= least) {
      if (own > 0) rows_.push_back(row), weights_.push_back(curvature[row]);
      continue;
    }
    passed += own / least;
    if (passed < 1) continue;
    passed -= 1;
    rows_.push_back(row), weights_.push_back(static_cast<float>(least));
  }
  dense_.resize(size() * width_);
  for (std::size_t n = 0; n < size(); ++n) {
    const auto [numbers, values] = sparse.row(rows_[n]);
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    values_.insert(values_.end(), values.begin(), values.end());
    offsets_.push_back(values_.size());
    dense.copy_row(rows_[n], dense_.data() + n * width_);
  }
  terms_.resize(std::min(kAtOnce, size()));
  sums_.resize(width_);
}

void SampledRows::multiply(std::span<const float> in, std::span<float> out) {
  std::ranges::fill(out, 0.0f);
  const float constant = in[sparse_columns_ + width_];
  float* out_dense = out.data() + sparse_columns_;
  double out_constant = 0;
  for (std::size_t begin = 0; begin < size(); begin += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, size() - begin);
    const float* rows = dense_.data() + begin * width_;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t row = begin + n;
      float product = constant + dot(rows + n * width_, in.data() + sparse_columns_, width_);
      for (std::size_t e = offsets_[row]; e < offsets_[row + 1]; ++e) product += values_[e] * in[numbers_[e]];
      product *= weights_[row];
      for (std::size_t e = offsets_[row]; e < offsets_[row + 1]; ++e) out[numbers_[e]] += values_[e] * product;
      terms_[n] = {static_cast<std::uint32_t>(n), product};
      out_constant += static_cast<double>(product);
    }
    weighted_sum(rows, width_, terms_.data(), count, width_, sums_.data());
    for (std::size_t d = 0; d < width_; ++d) out_dense[d] += sums_[d];
  }
  out_dense[width_] = static_cast<float>(out_constant);
}

}  // namespace idne
