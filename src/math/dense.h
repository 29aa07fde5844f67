#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "idne/matrix.h"
#include "idne/run.h"

/// Products of dense matrices. Each element is a chain of fused multiply-adds over 256 of a's columns, then the next
/// 256, and so on, the chains added in order: the same input gives the same bits at any number of threads, in company
/// of any other rows and columns, and on every CPU that has fused multiply-add.
namespace idne {

/// A matrix, or its transpose, as a factor of a product.
struct Factor {
  MatrixView matrix;
  bool transposed = false;

  std::size_t rows() const { return transposed ? matrix.columns : matrix.rows; }
  std::size_t columns() const { return transposed ? matrix.rows : matrix.columns; }
};

/// The same for floats or doubles that may be part of a larger matrix, whose rows are `stride` apart.
template <class T>
struct PartFactor {
  const T* data;
  std::size_t stored_rows, stored_columns, stride;
  bool transposed = false;

  std::size_t rows() const { return transposed ? stored_columns : stored_rows; }
  std::size_t columns() const { return transposed ? stored_rows : stored_columns; }
};

/// What becomes of a product: it is put into the result's place, or added to what is there, or taken from it.
enum class Into { Place, Add, Subtract };

/// A matrix packed once, to be the right factor of many products. Immutable: threads may share it.
template <class T>
class Packed {
 public:
  Packed(const PartFactor<T>& matrix, const Run& run);

  std::size_t rows() const { return steps_; }
  std::size_t columns() const { return columns_; }

  void copy_row(std::size_t row, T* out) const;

  /// a · this, to `out`, whose rows are `stride` apart. Throws Interrupted when run.stopped says so, which is asked
  /// many times a second whatever the size. REQUIRES: a.columns() == rows(), out overlaps neither factor.
  void multiply(const PartFactor<T>& a, Into into, T* out, std::size_t stride, const Run& run) const;

 private:
  struct Piece;
  std::size_t panels() const { return (columns_ + width_ - 1) / width_; }
  std::size_t panel_columns(std::size_t p) const;
  void multiply_piece(const Piece& piece, const Run& run) const;

  std::size_t steps_, columns_;
  std::size_t width_;            ///< of a panel, which is so many columns, step after step
  std::unique_ptr<T[]> values_;  ///< panel after panel
};

extern template class Packed<float>;
extern template class Packed<double>;

/// out (row after row) = a · b, or out += a · b.
/// REQUIRES: a.columns() == b.rows(), out.size() == a.rows() · b.columns(), out overlaps neither factor.
void multiply(const Factor& a, const Factor& b, std::span<float> out, bool add, int threads);
/// The same, stopping as Packed::multiply does.
void multiply(const Factor& a, const Factor& b, std::span<float> out, bool add, const Run& run);

}  // namespace idne
