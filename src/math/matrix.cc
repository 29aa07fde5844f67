#include "math/matrix.h"

#include <algorithm>

namespace idne {

Matrix::Matrix(MatrixView floats)
    : rows_(floats.rows), columns_(floats.columns), values_(floats.data, floats.data + floats.rows * floats.columns) {}

double Matrix::trace() const {
  double sum = 0;
  for (std::size_t k = 0; k < rows_; ++k) sum += (*this)(k, k);
  return sum;
}

void Matrix::add_to_diagonal(double value) {
  for (std::size_t k = 0; k < rows_; ++k) (*this)(k, k) += value;
}

void Matrix::make_symmetric() {
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t c = 0; c < r; ++c) (*this)(r, c) = (*this)(c, r) = ((*this)(r, c) + (*this)(c, r)) / 2;
  }
}

void Matrix::scale_row(std::size_t r, double by) {
  for (double& value : row(r)) value *= by;
}

Matrix Matrix::transposed() const {
  Matrix result(columns_, rows_);
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t c = 0; c < columns_; ++c) result(c, r) = (*this)(r, c);
  }
  return result;
}

std::vector<float> Matrix::floats() const {
  std::vector<float> result(values_.size());
  std::transform(values_.begin(), values_.end(), result.begin(), [](double x) { return static_cast<float>(x); });
  return result;
}

PartFactor<double> plain(const Matrix& matrix) {
  return {matrix.values().data(), matrix.rows(), matrix.columns(), matrix.columns(), false};
}

PartFactor<double> transposed(const Matrix& matrix) {
  return {matrix.values().data(), matrix.rows(), matrix.columns(), matrix.columns(), true};
}

Matrix product(const PartFactor<double>& a, const PartFactor<double>& b, const Run& run) {
  Matrix result(a.rows(), b.columns());
  Packed<double>(b, run).multiply(a, Into::Place, result.values().data(), result.columns(), run);
  return result;
}

double sum_of_products(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) sum += a.values()[k] * b.values()[k];
  return sum;
}

Matrix symmetric_product(MatrixView a, MatrixView b, const Run& run) {
  constexpr std::size_t kRows = 1024;
  Matrix sum(a.columns, a.columns);
  std::vector<float> part(a.columns * a.columns);
  for (std::size_t begin = 0; begin < a.rows; begin += kRows) {
    const std::size_t count = std::min(kRows, a.rows - begin);
    const MatrixView left{a.data + begin * a.columns, count, a.columns};
    const MatrixView right{b.data + begin * b.columns, count, b.columns};
    multiply({left, true}, {right}, part, false, run);
    for (std::size_t k = 0; k < part.size(); ++k) sum.values()[k] += static_cast<double>(part[k]);
  }
  sum.make_symmetric();
  return sum;
}

}  // namespace idne
