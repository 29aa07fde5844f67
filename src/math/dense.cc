#include "math/dense.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "math/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/dense.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once a target
#include <hwy/highway.h>

#ifndef IDNE_MATH_DENSE_SHARED
#define IDNE_MATH_DENSE_SHARED
namespace idne {

/// A tile of the result is so many rows by two vectors: with one vector of b for each column and one broadcast element
/// of a, that fills the sixteen registers of AVX2.
inline constexpr std::size_t kTileRows = 6;
inline constexpr std::size_t kTileVectors = 2;

/// Part of a tile's sums: a is packed tile_rows a step, b is packed a panel's width a step.
struct Tile {
  const float* a;
  const float* b;
  std::size_t steps;
  float* out;
  std::size_t stride;  ///< from row to row of out
  bool add;            ///< to what is in out, instead of to zero
};

}  // namespace idne
#endif

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::size_t PanelWidth() { return kTileVectors * hn::MaxLanes(hn::CappedTag<float, 16>()); }

/// One chain of fused multiply-adds for each element of the result, in order.
template <std::size_t kRows>
HWY_INLINE void multiply_rows(const Tile& tile) {
  const hn::CappedTag<float, 16> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  using Vector = hn::Vec<decltype(d)>;
  Vector left[kRows], right[kRows];
  for (std::size_t r = 0; r < kRows; ++r) {
    left[r] = tile.add ? hn::LoadU(d, tile.out + r * tile.stride) : hn::Zero(d);
    right[r] = tile.add ? hn::LoadU(d, tile.out + r * tile.stride + kLanes) : hn::Zero(d);
  }
  const float* HWY_RESTRICT a = tile.a;
  const float* HWY_RESTRICT b = tile.b;
  for (std::size_t step = 0; step < tile.steps; ++step, a += kRows, b += kTileVectors * kLanes) {
    const Vector b_left = hn::LoadU(d, b), b_right = hn::LoadU(d, b + kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector factor = hn::Set(d, a[r]);
      left[r] = hn::MulAdd(factor, b_left, left[r]);
      right[r] = hn::MulAdd(factor, b_right, right[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    hn::StoreU(left[r], d, tile.out + r * tile.stride);
    hn::StoreU(right[r], d, tile.out + r * tile.stride + kLanes);
  }
}

void MultiplyTile(std::size_t rows, const Tile& tile) {
  switch (rows) {
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

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {
namespace {

HWY_EXPORT(PanelWidth);
HWY_EXPORT(MultiplyTile);

/// Threads share out pieces of so many rows; a piece of a for so many steps stays in the second-level cache, a panel of
/// b in the first.
constexpr std::size_t kPieceRows = 8 * kTileRows;
constexpr std::size_t kPieceSteps = 256;
/// Below so many multiplications starting threads costs more than it saves.
constexpr std::size_t kWorthThreads = std::size_t{1} << 20;

/// Copies columns first … first + count of a factor's steps begin … end, `width` a step, zeros beyond `count`.
void pack(const Factor& factor, std::size_t begin, std::size_t end, std::size_t first, std::size_t count,
          std::size_t width, float* out) {
  const float* data = factor.matrix.data;
  const std::size_t stride = factor.matrix.columns;
  if (factor.transposed) {
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t k = begin; k < end; ++k) out[(k - begin) * width + c] = data[(first + c) * stride + k];
    }
  } else {
    for (std::size_t k = begin; k < end; ++k) {
      std::copy_n(data + k * stride + first, count, out + (k - begin) * width);
    }
  }
  if (count == width) return;
  for (std::size_t k = 0; k < end - begin; ++k) std::fill(out + k * width + count, out + (k + 1) * width, 0.0f);
}

/// A product with b packed in panels, of which any piece of rows can be worked out on its own.
class Product {
 public:
  Product(const Factor& a, const Factor& b, float* out, bool add)
      : a_{a.matrix, !a.transposed},
        rows_(a.rows()),
        steps_(a.columns()),
        columns_(b.columns()),
        width_(HWY_DYNAMIC_DISPATCH(PanelWidth)()),
        packed_(std::make_unique_for_overwrite<float[]>(panels() * steps_ * width_)),
        out_(out),
        add_(add) {}

  std::size_t panels() const { return (columns_ + width_ - 1) / width_; }
  std::size_t pieces() const { return (rows_ + kPieceRows - 1) / kPieceRows; }
  void pack_panel(const Factor& b, std::size_t p) {
    pack(b, 0, steps_, p * width_, panel_columns(p), width_, packed_.get() + p * steps_ * width_);
  }
  void work_out(std::size_t piece) const;

 private:
  std::size_t panel_columns(std::size_t p) const { return std::min(width_, columns_ - p * width_); }
  void multiply_tile(std::size_t rows, std::size_t p, const Tile& tile) const;

  Factor a_;  ///< transposed, because its rows are packed as if they were columns
  std::size_t rows_, steps_, columns_, width_;
  std::unique_ptr<float[]> packed_;
  float* out_;
  bool add_;
};

void Product::work_out(std::size_t piece) const {
  const std::size_t first = piece * kPieceRows, last = std::min(rows_, first + kPieceRows);
  alignas(64) float packed[kPieceRows * kPieceSteps];
  for (std::size_t begin = 0; begin < steps_; begin += kPieceSteps) {
    const std::size_t end = std::min(steps_, begin + kPieceSteps);
    for (std::size_t row = first; row < last; row += kTileRows) {
      const std::size_t rows = std::min(kTileRows, last - row);
      pack(a_, begin, end, row, rows, rows, packed + (row - first) * kPieceSteps);
    }
    for (std::size_t p = 0; p < panels(); ++p) {
      for (std::size_t row = first; row < last; row += kTileRows) {
        multiply_tile(std::min(kTileRows, last - row), p,
                      {.a = packed + (row - first) * kPieceSteps,
                       .b = packed_.get() + (p * steps_ + begin) * width_,
                       .steps = end - begin,
                       .out = out_ + row * columns_ + p * width_,
                       .stride = columns_,
                       .add = add_ || begin > 0});
      }
    }
  }
}

/// The last panel may be wider than what is left of the result: it goes through a tile of its own.
void Product::multiply_tile(std::size_t rows, std::size_t p, const Tile& tile) const {
  const std::size_t columns = panel_columns(p);
  if (columns == width_) return HWY_DYNAMIC_DISPATCH(MultiplyTile)(rows, tile);
  alignas(64) float whole[kTileRows * kTileVectors * 16] = {};
  Tile padded = tile;
  padded.out = whole;
  padded.stride = width_;
  if (tile.add) {
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(tile.out + r * tile.stride, columns, whole + r * width_);
  }
  HWY_DYNAMIC_DISPATCH(MultiplyTile)(rows, padded);
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(whole + r * width_, columns, tile.out + r * tile.stride);
}

}  // namespace

void multiply(const Factor& a, const Factor& b, std::span<float> out, bool add, int threads) {
  if (out.empty()) return;
  if (a.columns() == 0) {
    if (!add) std::fill(out.begin(), out.end(), 0.0f);
    return;
  }
  Product product(a, b, out.data(), add);
  if (out.size() * a.columns() < kWorthThreads) threads = 1;
  parallel_for(threads, product.panels(), [&](std::size_t p, std::size_t) { product.pack_panel(b, p); });
  parallel_for(threads, product.pieces(), [&](std::size_t piece, std::size_t) { product.work_out(piece); });
}

}  // namespace idne
#endif
