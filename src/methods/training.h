#pragma once

#include <cstdint>
#include <vector>

#include "math/kernels.h"
#include "math/random.h"

/// What the trainers of several methods share.
namespace idne {

/// Adam's factor of the gradient's running mean over that of its square in step 0, 1 …, as TensorFlow writes it.
float adam_rate(double learning_rate, std::uint64_t step);

/// Rows of `width` numbers between −range and range; row i is of the stream first_stream + i.
std::vector<float> uniform_rows(std::size_t rows, std::size_t width, double range, std::uint64_t seed, Purpose purpose,
                                std::uint64_t first_stream, int threads);

/// The blocks of dimensions that one thread of a team owns.
struct Share {
  std::size_t thread, first_block, blocks;
};
/// One share a thread, of at most `threads`: no more than there are blocks.
std::vector<Share> share_out(std::size_t dimensions, int threads);

/// Copies a thread's dimensions of the rows, each of `dimensions` numbers, into its slice, and back. Dimensions beyond
/// the last are padding: zero vectors, zero gradients, zero steps.
void copy_into(const WordSlice& slice, std::size_t first_block, const std::vector<float>& rows, std::size_t dimensions);
void copy_out_of(const WordSlice& slice, std::size_t first_block, std::vector<float>& rows, std::size_t dimensions);

}  // namespace idne
