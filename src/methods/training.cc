#include "methods/training.h"

#include <algorithm>
#include <cmath>

#include "math/parallel.h"

namespace idne {

float adam_rate(double learning_rate, std::uint64_t step) {
  const auto t = static_cast<double>(step + 1);
  return static_cast<float>(learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)));
}

std::vector<float> uniform_rows(std::size_t rows, std::size_t width, double range, std::uint64_t seed, Purpose purpose,
                                std::uint64_t first_stream, int threads) {
  std::vector<float> values(rows * width);
  parallel_parts(threads, rows, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      Random random(seed, purpose, first_stream + row);
      for (std::size_t k = 0; k < width; ++k) {
        values[row * width + k] = static_cast<float>(range * (2 * random.uniform() - 1));
      }
    }
  });
  return values;
}

std::vector<Share> share_out(std::size_t dimensions, int threads) {
  const std::size_t blocks = (dimensions + kBlock - 1) / kBlock;
  const std::size_t team = std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, blocks);
  std::vector<Share> shares;
  for (std::size_t t = 0, first = 0; t < team; ++t) {
    shares.push_back({t, first, blocks / team + (t < blocks % team ? 1 : 0)});
    first += shares.back().blocks;
  }
  return shares;
}

void copy_into(const WordSlice& slice, std::size_t first_block, const std::vector<float>& rows,
               std::size_t dimensions) {
  const std::size_t from = first_block * kBlock, to = std::min(from + slice.width(), dimensions);
  for (std::size_t row = 0; row * dimensions < rows.size(); ++row) {
    std::copy(rows.data() + row * dimensions + from, rows.data() + row * dimensions + to, slice.word(row));
  }
}

void copy_out_of(const WordSlice& slice, std::size_t first_block, std::vector<float>& rows, std::size_t dimensions) {
  const std::size_t from = first_block * kBlock, to = std::min(from + slice.width(), dimensions);
  for (std::size_t row = 0; row * dimensions < rows.size(); ++row) {
    std::copy_n(slice.word(row), to - from, rows.data() + row * dimensions + from);
  }
}

}  // namespace idne
