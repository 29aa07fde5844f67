#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "math/adam.h"

/// The few loops in which the time goes, compiled for several instruction sets and chosen at run time (Highway).
/// All of them are fixed in the order of their sums, whatever the vector width: the same input gives the same bits on
/// every CPU that has fused multiply-add.
namespace idne {

/// Dimensions are cut in blocks of this many: the unit of work between threads, and of the order of sums.
inline constexpr std::size_t kBlock = 64;

/// One term of a weighted sum of rows.
struct Term {
  std::uint32_t row;
  float weight;
};

/// out[0 … width) = Σ weight · rows[row · stride … + width), in the order of the terms.
void weighted_sum(const float* rows, std::size_t stride, const Term* terms, std::size_t count, std::size_t width,
                  float* out);

/// The dot product of two vectors: one partial sum per block, added in the order of the blocks.
float dot(const float* a, const float* b, std::size_t width);

/// The partial sums of dot() on their own: out[k] for block k. REQUIRES: both vectors are whole blocks.
void dot_blocks(const float* a, const float* b, std::size_t blocks, float* out);

/// One word of a training step: its gradient is the sum of document gradients terms[begin … next word's begin).
struct WordGradient {
  std::uint32_t word;
  std::uint32_t begin;
};

/// One thread's range of the word space: for each word its vector, then Adam's two moments, `blocks` blocks each, side
/// by side in memory because a step reads and writes all three.
struct WordSlice {
  float* records;
  std::size_t blocks;

  std::size_t width() const { return blocks * kBlock; }
  std::size_t stride() const { return 3 * width(); }
  float* word(std::size_t w) const { return records + w * stride(); }
};

/// For each word: gathers its gradient from `gradients` (rows of slice.width()) and applies Adam at once. Then leaves
/// in products[word · blocks …] the partial sums of its new vector's dot product with topic guess[word] (rows of
/// slice.width()), unless `topics` is null. `words` has one more entry than `count`, for the last one's end.
void adam_words(const WordSlice& slice, const WordGradient* words, std::size_t count, const Term* terms,
                const float* gradients, const Adam& adam, const float* topics, const std::uint16_t* guess,
                float* products);

/// The instruction set in use, for `idne info` and the benchmarks.
std::string kernel_target();

}  // namespace idne
