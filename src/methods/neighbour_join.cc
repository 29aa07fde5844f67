#include "methods/neighbour_join.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/matrix.h"
#include "math/symmetric_eigen.h"
#include "math/unit.h"
#include "model/tensors.h"

namespace idne {
namespace {

/// The text vectors, or their means over all hops, at unit length.
std::vector<float> unit_half(MatrixView hop_vectors, std::size_t documents, std::size_t half, int threads) {
  const std::size_t first = half == 0 ? 0 : hop_vectors.rows - documents;
  return unit_rows({hop_vectors.row(first).data(), documents, hop_vectors.columns}, threads);
}

/// (rowsᵀ rows)^power. A direction in which no document lies keeps a little, for new ones.
std::vector<float> scaling_of(MatrixView rows, double power, const Run& run) {
  constexpr double kSmallestShare = 1e-4;  // of the mean direction
  const SymmetricEigen eigen = symmetric_eigen(gram(rows, run), run);
  double mean = 0;
  for (const double value : eigen.values) mean += value / static_cast<double>(rows.columns);
  Matrix scaling(rows.columns, rows.columns);
  if (mean > 0 && power > 0) {
    Matrix scaled = eigen.vectors;
    for (std::size_t k = 0; k < rows.columns; ++k) {
      scaled.scale_row(k, std::pow(std::max(kSmallestShare, eigen.values[k] / mean), power));
    }
    scaling = product(transposed(eigen.vectors), plain(scaled), run);
    scaling.make_symmetric();
  } else {
    scaling.add_to_diagonal(1);
  }
  return scaling.floats();
}

constexpr const char *kHopsOption = "neighbours", *kStretchOption = "stretch";

}  // namespace

std::vector<OptionSpec> NeighbourJoin::options() {
  return {
      OptionSpec::whole(kHopsOption, 0, "hops of neighbours that documents' vectors are joined with").within(0, 100),
      OptionSpec::real(kStretchOption, kStretch, "how much joined vectors are stretched to where documents lie")
          .within(0, 1)};
}

NeighbourJoin::Plan NeighbourJoin::plan(const Options& options) {
  if (!options.has(kHopsOption)) return {};
  return {options.size(kHopsOption), options.real(kStretchOption)};
}

std::vector<float> NeighbourJoin::hop_vectors(MatrixView text, const Network& network, std::size_t hops, int threads) {
  const std::size_t width = text.columns;
  std::vector<float> last(text.data, text.data + text.rows * width);
  rows_to_unit_length(last, width, threads);
  std::vector<float> all = last;
  for (std::size_t hop = 0; hop < hops; ++hop) {
    last = network.neighbour_means(last, width, 1, threads);
    all.insert(all.end(), last.begin(), last.end());
  }
  return all;
}

std::vector<float> NeighbourJoin::spectral_scaling(MatrixView hop_vectors, std::size_t documents, double stretch,
                                                   const Run& run) {
  std::vector<float> both;
  for (const std::size_t half : {0u, 1u}) {
    const std::vector<float> rows = unit_half(hop_vectors, documents, half, run.threads);
    const std::vector<float> one = scaling_of({rows.data(), documents, hop_vectors.columns}, stretch, run);
    both.insert(both.end(), one.begin(), one.end());
  }
  return both;
}

std::vector<float> NeighbourJoin::join_documents(MatrixView hop_vectors, std::size_t documents, MatrixView scaling,
                                                 int threads) {
  const std::size_t width = hop_vectors.columns;
  std::vector<float> joined(2 * documents * width), half(documents * width);
  for (const std::size_t part : {0u, 1u}) {
    const std::vector<float> rows = unit_half(hop_vectors, documents, part, threads);
    multiply({{rows.data(), documents, width}}, {{scaling.row(part * width).data(), width, width}}, half, false,
             threads);
    for (std::size_t i = 0; i < documents; ++i) {
      float* out = joined.data() + (2 * i + part) * width;
      std::copy_n(half.data() + i * width, width, out);
      to_unit_length({out, width});
    }
  }
  return joined;
}

std::vector<float> NeighbourJoin::join_all(MatrixView text, const Network& network, const Plan& plan, const Run& run) {
  const std::vector<float> hop = hop_vectors(text, network, plan.hops, run.threads);
  const MatrixView rows{hop.data(), (plan.hops + 1) * text.rows, text.columns};
  const std::vector<float> scaling = spectral_scaling(rows, text.rows, plan.stretch, run);
  return join_documents(rows, text.rows, {scaling.data(), 2 * text.columns, text.columns}, run.threads);
}

void NeighbourJoin::join_model(Model& model, const Network& network, const Plan& plan, const Run& run) {
  const MatrixView text = model.documents().vectors;
  std::vector<float> hop = hop_vectors(text, network, plan.hops, run.threads);
  const MatrixView rows{hop.data(), (plan.hops + 1) * text.rows, text.columns};
  std::vector<float> scaling = spectral_scaling(rows, text.rows, plan.stretch, run);
  const MatrixView both{scaling.data(), 2 * text.columns, text.columns};
  std::vector<float> joined = join_documents(rows, text.rows, both, run.threads);
  hop.resize(plan.hops * text.rows * text.columns);
  ModelMaker maker(model);
  maker.set(layout::kHopVectors, std::move(hop), plan.hops * text.rows, text.columns);
  maker.set(layout::kSpectralScaling, std::move(scaling), both.rows, both.columns);
  maker.set(layout::kDocumentVectors, std::move(joined), text.rows, 2 * text.columns);
}

std::unique_ptr<NeighbourJoin> NeighbourJoin::of(const Model& model) {
  const ModelTensors tensors(model);
  if (!tensors.has(layout::kHopVectors)) return nullptr;
  return std::make_unique<NeighbourJoin>(tensors.matrix(layout::kHopVectors), model.documents().size(),
                                         tensors.matrix(layout::kSpectralScaling));
}

void NeighbourJoin::to_next_hop(std::span<const std::uint32_t> neighbours, std::size_t hop,
                                std::vector<float>& mean) const {
  for (const std::uint32_t near : neighbours) {
    const auto row = hop_vectors_.row(hop * documents_ + near);
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += row[k];
  }
  for (float& value : mean) value /= static_cast<float>(neighbours.size() + 1);
}

std::vector<float> NeighbourJoin::hop_rows(std::span<const float> text,
                                           std::span<const std::uint32_t> neighbours) const {
  std::vector<float> mean(text.begin(), text.end());
  to_unit_length(mean);
  std::vector<float> rows = mean;
  for (std::size_t hop = 0; hop + 1 < hops(); ++hop) {
    to_next_hop(neighbours, hop, mean);
    rows.insert(rows.end(), mean.begin(), mean.end());
  }
  return rows;
}

void NeighbourJoin::join(std::span<const float> text, std::span<const std::uint32_t> neighbours,
                         std::span<float> out) const {
  const std::size_t width = text.size();
  std::vector<float> own(text.begin(), text.end());
  to_unit_length(own);
  std::vector<float> mean = own;
  for (std::size_t hop = 0; hop < hops(); ++hop) to_next_hop(neighbours, hop, mean);
  to_unit_length(mean);
  for (std::size_t k = 0; k < width; ++k) {  // the scaling is symmetric
    out[k] = dot(own.data(), scaling_.row(k).data(), width);
    out[width + k] = dot(mean.data(), scaling_.row(width + k).data(), width);
  }
  to_unit_length(out.first(width));
  to_unit_length(out.subspan(width));
}

std::vector<double> NeighbourJoin::direction(std::span<const float> other, std::span<const double> text) const {
  // Both halves of the text are S t at unit length, so that the product is Σ r · S t / |S t| over the halves r.
  const std::size_t width = text.size();
  std::vector<double> towards(width);
  for (const std::size_t half : {0u, 1u}) {
    const auto row = other.subspan(half * width, width);
    std::vector<double> scaled_row(width);
    double square = 0;
    for (std::size_t d = 0; d < width; ++d) {
      const auto scaling = scaling_.row(half * width + d);
      double scaled_text = 0;
      for (std::size_t e = 0; e < width; ++e) {
        scaled_row[d] += static_cast<double>(scaling[e]) * row[e];
        scaled_text += scaling[e] * text[e];
      }
      square += scaled_text * scaled_text;
    }
    for (std::size_t d = 0; d < width && square > 0; ++d) towards[d] += scaled_row[d] / std::sqrt(square);
  }
  return towards;
}

}  // namespace idne
