#include "math/dense.h"

#include <algorithm>

#include "math/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/dense.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>

#ifndef IDNE_MATH_DENSE_SHARED
#define IDNE_MATH_DENSE_SHARED
namespace idne {

/// A tile of the result is so many rows by two vectors: with one vector of b for each column and one broadcast element
/// of a, that fills the sixteen registers of AVX2.
inline constexpr std::size_t kTileRows = 6;
inline constexpr std::size_t kTileVectors = 2;
/// The widest panel on any CPU, in bytes: two vectors of AVX-512.
inline constexpr std::size_t kWidestPanel = 128;

/// Part of a tile's sums: a is packed `rows` per step, b a panel's width per step.
template <class T>
struct Tile {
  std::size_t rows;
  const T* a;
  const T* b;
  std::size_t steps;
  T* out;
  std::size_t stride;  ///< from row to row of out
  Into into;
};

}  // namespace idne
#endif

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using PanelTag = hn::CappedTag<T, kWidestPanel / kTileVectors / sizeof(T)>;

std::size_t FloatPanelWidth() { return kTileVectors * hn::MaxLanes(PanelTag<float>()); }
std::size_t DoublePanelWidth() { return kTileVectors * hn::MaxLanes(PanelTag<double>()); }

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void put(D d, hn::Vec<D> sum, Into into, T* HWY_RESTRICT out) {
  if (into == Into::Add) sum = hn::Add(hn::LoadU(d, out), sum);
  if (into == Into::Subtract) sum = hn::Sub(hn::LoadU(d, out), sum);
  hn::StoreU(sum, d, out);
}

template <std::size_t kRows, class T>
HWY_INLINE void multiply_rows(const Tile<T>& tile) {
  const PanelTag<T> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  using Vector = hn::Vec<decltype(d)>;
  Vector left[kRows], right[kRows];
  for (std::size_t r = 0; r < kRows; ++r) left[r] = right[r] = hn::Zero(d);
  const T* HWY_RESTRICT a = tile.a;
  const T* HWY_RESTRICT b = tile.b;
  for (std::size_t step = 0; step < tile.steps; ++step, a += kRows, b += kTileVectors * kLanes) {
    const Vector b_left = hn::LoadU(d, b), b_right = hn::LoadU(d, b + kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector factor = hn::Set(d, a[r]);
      left[r] = hn::MulAdd(factor, b_left, left[r]);
      right[r] = hn::MulAdd(factor, b_right, right[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    put(d, left[r], tile.into, tile.out + r * tile.stride);
    put(d, right[r], tile.into, tile.out + r * tile.stride + kLanes);
  }
}

template <class T>
HWY_INLINE void multiply_tile(const Tile<T>& tile) {
  switch (tile.rows) {
    case 1:
      return multiply_rows<1>(tile);
    case 2:
      return multiply_rows<2>(tile);
    case 3:
      return multiply_rows<3>(tile);
    case 4:
      return multiply_rows<4>(tile);
    case 5:
      return multiply_rows<5>(tile);
    default:
      return multiply_rows<kTileRows>(tile);
  }
}

void MultiplyFloatTile(const Tile<float>& tile) { multiply_tile(tile); }
void MultiplyDoubleTile(const Tile<double>& tile) { multiply_tile(tile); }

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {
namespace {

HWY_EXPORT(FloatPanelWidth);
HWY_EXPORT(DoublePanelWidth);
HWY_EXPORT(MultiplyFloatTile);
HWY_EXPORT(MultiplyDoubleTile);

std::size_t panel_width(float) { return HWY_DYNAMIC_DISPATCH(FloatPanelWidth)(); }
std::size_t panel_width(double) { return HWY_DYNAMIC_DISPATCH(DoublePanelWidth)(); }
void multiply_whole_tile(const Tile<float>& tile) { HWY_DYNAMIC_DISPATCH(MultiplyFloatTile)(tile); }
void multiply_whole_tile(const Tile<double>& tile) { HWY_DYNAMIC_DISPATCH(MultiplyDoubleTile)(tile); }

/// Threads share out pieces of so many rows; a piece of a for so many steps stays in the second-level cache, a panel of
/// b in the first.
constexpr std::size_t kPieceRows = 8 * kTileRows;
constexpr std::size_t kPieceSteps = 256;
/// Below so many multiplications starting threads costs more than it saves.
constexpr std::size_t kWorthThreads = std::size_t{1} << 20;
constexpr std::size_t kPanelsAtOnce = 16;  // that a thread packs

int worth_threads(std::size_t work, const Run& run) { return work < kWorthThreads ? 1 : run.threads; }

/// Copies columns first … first + count of a factor's steps begin … end, `width` per step, zeros beyond `count`.
template <class T>
void pack(const PartFactor<T>& factor, std::size_t begin, std::size_t end, std::size_t first, std::size_t count,
          std::size_t width, T* out) {
  if (factor.transposed) {
    for (std::size_t c = 0; c < count; ++c) {
      const T* from = factor.data + (first + c) * factor.stride;
      for (std::size_t k = begin; k < end; ++k) out[(k - begin) * width + c] = from[k];
    }
  } else {
    for (std::size_t k = begin; k < end; ++k) {
      std::copy_n(factor.data + k * factor.stride + first, count, out + (k - begin) * width);
    }
  }
  if (count == width) return;
  for (std::size_t k = 0; k < end - begin; ++k) std::fill(out + k * width + count, out + (k + 1) * width, T{0});
}

/// The last panel may be wider than what is left of the result: it goes through a tile of its own.
template <class T>
void multiply_tile(const Tile<T>& tile, std::size_t columns, std::size_t width) {
  if (columns == width) return multiply_whole_tile(tile);
  alignas(64) T whole[kTileRows * kWidestPanel / sizeof(T)] = {};
  Tile<T> padded = tile;
  padded.out = whole;
  padded.stride = width;
  if (tile.into != Into::Place) {
    for (std::size_t r = 0; r < tile.rows; ++r) std::copy_n(tile.out + r * tile.stride, columns, whole + r * width);
  }
  multiply_whole_tile(padded);
  for (std::size_t r = 0; r < tile.rows; ++r) std::copy_n(whole + r * width, columns, tile.out + r * tile.stride);
}

PartFactor<float> part(const Factor& factor) {
  const MatrixView& matrix = factor.matrix;
  return {matrix.data, matrix.rows, matrix.columns, matrix.columns, factor.transposed};
}

}  // namespace

template <class T>
struct Packed<T>::Piece {
  PartFactor<T> a;  ///< transposed, because its rows are packed as if they were columns
  std::size_t first_row, last_row;
  Into into;
  T* out;
  std::size_t stride;
};

template <class T>
Packed<T>::Packed(const PartFactor<T>& matrix, const Run& run)
    : steps_(matrix.rows()),
      columns_(matrix.columns()),
      width_(panel_width(T{})),
      values_(std::make_unique_for_overwrite<T[]>(panels() * steps_ * width_)) {
  parallel_parts(worth_threads(columns_ * steps_, run), panels(), kPanelsAtOnce,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t p = begin; p < end; ++p) {
                     run.check();
                     pack(matrix, 0, steps_, p * width_, panel_columns(p), width_, values_.get() + p * steps_ * width_);
                   }
                 });
}

template <class T>
std::size_t Packed<T>::panel_columns(std::size_t p) const {
  return std::min(width_, columns_ - p * width_);
}

template <class T>
void Packed<T>::copy_row(std::size_t row, T* out) const {
  for (std::size_t p = 0; p < panels(); ++p) {
    std::copy_n(values_.get() + (p * steps_ + row) * width_, panel_columns(p), out + p * width_);
  }
}

template <class T>
void Packed<T>::multiply(const PartFactor<T>& a, Into into, T* out, std::size_t stride, const Run& run) const {
  const std::size_t rows = a.rows();
  if (steps_ == 0 && into == Into::Place) {
    for (std::size_t r = 0; r < rows; ++r) std::fill_n(out + r * stride, columns_, T{0});
  }
  PartFactor<T> turned = a;
  turned.transposed = !a.transposed;
  parallel_parts(worth_threads(rows * steps_ * columns_, run), rows, kPieceRows,
                 [&](std::size_t begin, std::size_t end) {
                   multiply_piece({turned, begin, end, into, out, stride}, run);
                 });
}

template <class T>
void Packed<T>::multiply_piece(const Piece& piece, const Run& run) const {
  const std::size_t rows = piece.last_row - piece.first_row;
  const std::size_t tiles = (rows + kTileRows - 1) / kTileRows;
  // Of about the same height: one of a single row is slow.
  const auto first_of = [&](std::size_t tile) { return tile * rows / tiles; };
  alignas(64) T packed[kPieceRows * kPieceSteps];
  for (std::size_t begin = 0; begin < steps_; begin += kPieceSteps) {
    run.check();
    const std::size_t steps = std::min(kPieceSteps, steps_ - begin);
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t height = first_of(t + 1) - first_of(t);
      pack(piece.a, begin, begin + steps, piece.first_row + first_of(t), height, height,
           packed + first_of(t) * kPieceSteps);
    }
    for (std::size_t p = 0; p < panels(); ++p) {
      for (std::size_t t = 0; t < tiles; ++t) {
        multiply_tile<T>({.rows = first_of(t + 1) - first_of(t),
                          .a = packed + first_of(t) * kPieceSteps,
                          .b = values_.get() + (p * steps_ + begin) * width_,
                          .steps = steps,
                          .out = piece.out + (piece.first_row + first_of(t)) * piece.stride + p * width_,
                          .stride = piece.stride,
                          .into = piece.into == Into::Place && begin > 0 ? Into::Add : piece.into},
                         panel_columns(p), width_);
      }
    }
  }
}

template class Packed<float>;
template class Packed<double>;

void multiply(const Factor& a, const Factor& b, std::span<float> out, bool add, const Run& run) {
  if (out.empty()) return;
  const Packed<float> packed(part(b), run);
  packed.multiply(part(a), add ? Into::Add : Into::Place, out.data(), b.columns(), run);
}

void multiply(const Factor& a, const Factor& b, std::span<float> out, bool add, int threads) {
  Run run;
  run.threads = threads;
  multiply(a, b, out, add, run);
}

}  // namespace idne
#endif
