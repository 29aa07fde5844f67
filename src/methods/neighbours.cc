#include "methods/neighbours.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/unit.h"

namespace idne {
namespace {

/// One level's rows at unit length.
std::vector<float> unit_rows(MatrixView levels, std::size_t first, std::size_t documents, int threads) {
  const float* data = levels.data + first * levels.columns;
  std::vector<float> rows(data, data + documents * levels.columns);
  rows_to_unit_length(rows, levels.columns, threads);
  return rows;
}

/// (rowsᵀ rows)^0.225, from docs/preset.md. A direction in which no document lies keeps a little, for new ones.
Eigen::MatrixXf stretch_of(const std::vector<float>& rows, std::size_t documents, int threads) {
  constexpr double kStretch = 0.225, kLeast = 1e-4;  // of the mean direction
  const std::size_t width = rows.size() / documents;
  const auto size = static_cast<Eigen::Index>(width);
  Eigen::MatrixXf gram(size, size);
  multiply({{rows.data(), documents, width}, true}, {{rows.data(), documents, width}}, {gram.data(), width * width},
           false, threads);
  const Eigen::MatrixXd exact = gram.cast<double>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((exact + exact.transpose()) / 2);
  const double mean = eigen.eigenvalues().mean();
  if (!(mean > 0)) return Eigen::MatrixXf::Identity(size, size);
  const Eigen::VectorXd roots = (eigen.eigenvalues() / mean).cwiseMax(kLeast).array().pow(kStretch);
  return (eigen.eigenvectors() * roots.asDiagonal() * eigen.eigenvectors().transpose()).cast<float>();
}

}  // namespace

std::vector<float> neighbour_levels(MatrixView text, const Network& network, std::size_t hops, int threads) {
  const std::size_t width = text.columns, size = text.rows * width;
  std::vector<float> level(text.data, text.data + size);
  rows_to_unit_length(level, width, threads);
  std::vector<float> levels = level;
  for (std::size_t hop = 0; hop < hops; ++hop) {
    level = network.neighbour_means(level, width, 1, threads);
    levels.insert(levels.end(), level.begin(), level.end());
  }
  return levels;
}

std::vector<float> stretch_of_levels(MatrixView levels, std::size_t documents, int threads) {
  std::vector<float> both;
  for (const std::size_t first : {std::size_t{0}, levels.rows - documents}) {
    const Eigen::MatrixXf one = stretch_of(unit_rows(levels, first, documents, threads), documents, threads);
    both.insert(both.end(), one.data(), one.data() + one.size());
  }
  return both;
}

std::vector<float> join_levels(MatrixView levels, std::size_t documents, MatrixView stretch, int threads) {
  const std::size_t width = levels.columns;
  std::vector<float> joined(2 * documents * width), half(documents * width);
  for (const std::size_t part : {0u, 1u}) {
    const std::vector<float> rows = unit_rows(levels, part == 0 ? 0 : levels.rows - documents, documents, threads);
    multiply({{rows.data(), documents, width}}, {{stretch.row(part * width).data(), width, width}}, half, false,
             threads);
    for (std::size_t i = 0; i < documents; ++i) {
      float* out = joined.data() + (2 * i + part) * width;
      std::copy_n(half.data() + i * width, width, out);
      to_unit_length({out, width});
    }
  }
  return joined;
}

std::vector<float> join_neighbours(MatrixView text, const Network& network, std::size_t hops, int threads) {
  const std::vector<float> levels = neighbour_levels(text, network, hops, threads);
  const MatrixView rows{levels.data(), (hops + 1) * text.rows, text.columns};
  const std::vector<float> stretch = stretch_of_levels(rows, text.rows, threads);
  return join_levels(rows, text.rows, {stretch.data(), 2 * text.columns, text.columns}, threads);
}

void join_new(MatrixView levels, std::size_t documents, MatrixView stretch, std::span<const float> text,
              std::span<const std::uint32_t> neighbours, std::span<float> out) {
  const std::size_t width = text.size();
  std::vector<float> own(text.begin(), text.end());
  to_unit_length(own);
  std::vector<float> mean = own;
  for (std::size_t first = 0; first + documents <= levels.rows; first += documents) {
    for (const std::uint32_t near : neighbours) {
      const auto row = levels.row(first + near);
      for (std::size_t k = 0; k < width; ++k) mean[k] += row[k];
    }
    for (float& value : mean) value /= static_cast<float>(neighbours.size() + 1);
  }
  to_unit_length(mean);
  for (std::size_t k = 0; k < width; ++k) {  // the stretch is symmetric
    out[k] = dot(own.data(), stretch.row(k).data(), width);
    out[width + k] = dot(mean.data(), stretch.row(width + k).data(), width);
  }
  to_unit_length(out.first(width));
  to_unit_length(out.subspan(width));
}

}  // namespace idne
