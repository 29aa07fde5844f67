#pragma once

#include <cstddef>
#include <cstdint>

#include "math/kernels.h"

/// The loops of skip-gram with negative sampling, as those of kernels.h: chosen at run time, with sums in a fixed
/// order.
namespace idne {

/// One thread's range of the dimensions: rows that predict, and rows that are predicted, of `blocks` blocks each. They
/// may be the same rows.
struct PairRows {
  float* inputs;
  float* outputs;
  std::size_t blocks;

  std::size_t width() const { return blocks * kBlock; }
};

/// Every input with every output: pair (c, k) is input c with output k, at c · output_count + k.
struct PairWindow {
  const std::uint32_t* inputs;
  std::size_t input_count;
  const std::uint32_t* outputs;
  std::size_t output_count;

  std::size_t pairs() const { return input_count * output_count; }
};

/// The partial sums of all pairs' products: those of block b begin at scores + b · block_stride.
void window_scores(const PairRows& rows, const PairWindow& window, std::size_t block_stride, float* scores);

/// Adds to each input Σ slope · output, and to each output Σ slope · input, with the rows as they were before; each sum
/// times the row's own scale. A row that is there several times gets all its sums. `scratch` has room for
/// (input_count + output_count) · kBlock.
struct PairScales {
  const float* inputs;
  const float* outputs;
};
void window_update(const PairRows& rows, const PairWindow& window, const float* slopes, const PairScales& scales,
                   float* scratch);

/// Each x becomes 1 / (1 + exp(−x)).
void logistic(float* values, std::size_t count);

}  // namespace idne
