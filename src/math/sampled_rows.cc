#include "math/sampled_rows.h"

#include <algorithm>

namespace idne {
namespace {

/// Rows that are multiplied from both sides while they are in the cache.
constexpr std::size_t kAtOnce = 128;

/// What a row must have to stand for itself, so that about `most` rows are taken; 0: all are.
double least_alone(std::span<const float> curvature, std::size_t most) {
  double high = 0;
  for (const float value : curvature) high += static_cast<double>(value);
  high /= static_cast<double>(most);  // with this, no more are taken
  const auto taken = [&](double least) {
    const auto from = static_cast<float>(least), scale = static_cast<float>(1 / least);
    double sum = 0;
    for (const float value : curvature) sum += static_cast<double>(value < from ? value * scale : 1.0f);
    return sum;
  };
  double low = 0;
  constexpr int kHalvings = 12;
  for (int n = 0; n < kHalvings && high > 0; ++n) {
    const double middle = (low + high) / 2;
    (taken(middle) > static_cast<double>(most) ? low : high) = middle;
  }
  return high;
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
