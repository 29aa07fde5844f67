#include "methods/tadw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/cholesky.h"
#include "math/dense.h"
#include "math/kernels.h"
#include "math/matrix.h"
#include "math/random.h"
#include "math/symmetric_eigen.h"
#include "math/unit.h"
#include "methods/lsa.h"
#include "model/tensors.h"

namespace idne {
namespace {

const std::vector<OptionSpec>& tadw_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 256, "dimensions of the space: half for the network, half for the text").within(2, 8192),
      OptionSpec::whole("features", 128, "dimensions of the LSA vectors that the text is given as").within(1, 8192),
      OptionSpec::real("scale", 5, "length of the LSA vectors; the larger, the less H is held back").within(1e-3, 1e3),
      OptionSpec::real("penalty", 0.2, "weight of the squares of W and H (lambda)").within(1e-6, 1e6),
      OptionSpec::whole("rounds", 20, "times that W and H are solved for in turn").within(1, 10000),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
  };
  return table;
}

/// The alternating rounds. With X = Tᵀ, P = M X and W = (P C)ᵀ, C being features × rank, everything is a product of H,
/// C and the Gram matrices of X and P.
class Rounds {
 public:
  Rounds(MatrixView features, MatrixView reached, const TadwSettings& settings, const Run& run)
      : run_(run),
        half_penalty_(settings.penalty / 2),
        text_(gram(features, run)),
        reached_(gram(reached, run)),
        text_spectrum_(symmetric_eigen(text_, run)),
        h_(settings.rank, features.columns) {
    for (std::size_t r = 0; r < h_.rows(); ++r) {
      Random random(settings.seed, Purpose::ParameterStart, r);
      for (double& value : h_.row(r)) value = 0.1 * random.truncated_normal();
    }
    find_text_gram();
  }

  /// W for this H: (H XᵀX Hᵀ + λ/2) W = H Xᵀ Mᵀ.
  void solve_w() {
    Matrix normal = text_gram_;
    normal.add_to_diagonal(half_penalty_);
    c_ = Cholesky(std::move(normal), run_).solve(h_, run_).transposed();
    reached_c_ = product(plain(reached_), plain(c_), run_);
    w_gram_ = product(transposed(c_), plain(reached_c_), run_);
    w_gram_.make_symmetric();
  }

  /// H for this W: (W Wᵀ) H (XᵀX) + λ/2 H = W P. In the eigenvectors of both Gram matrices each entry stands alone.
  void solve_h() {
    const SymmetricEigen w = symmetric_eigen(w_gram_, run_), &text = text_spectrum_;
    Matrix turned =
        product(plain(product(plain(w.vectors), transposed(reached_c_), run_)), transposed(text.vectors), run_);
    for (std::size_t r = 0; r < turned.rows(); ++r) {
      for (std::size_t c = 0; c < turned.columns(); ++c) {
        turned(r, c) /= std::max(0.0, w.values[r]) * std::max(0.0, text.values[c]) + half_penalty_;
      }
    }
    h_ = product(plain(product(transposed(w.vectors), plain(turned), run_)), plain(text.vectors), run_);
    find_text_gram();
  }

  double objective() const {
    const double cross = sum_of_products(reached_c_, h_.transposed());
    const double square = sum_of_products(w_gram_, text_gram_);
    return square - 2 * cross + half_penalty_ * (w_gram_.trace() + sum_of_products(h_, h_));
  }

  std::vector<float> w() const { return c_.floats(); }
  std::vector<float> h() const { return h_.floats(); }

 private:
  void find_text_gram() {
    text_gram_ = product(plain(product(plain(h_), plain(text_), run_)), transposed(h_), run_);
    text_gram_.make_symmetric();
  }

  const Run& run_;
  double half_penalty_;
  Matrix text_, reached_;  ///< XᵀX and PᵀP
  SymmetricEigen text_spectrum_;
  Matrix h_, c_;
  Matrix text_gram_;           ///< H T (H T)ᵀ
  Matrix reached_c_, w_gram_;  ///< PᵀP C = (W P)ᵀ and W Wᵀ
};

/// M · x = (Â x + Â (Â x)) / 2 for rows x. A document without links has a row of zeros in M.
std::vector<float> reached_means(const Network& network, std::span<const float> x, std::size_t width, int threads) {
  std::vector<float> once = network.neighbour_means(x, width, 0, threads);
  const std::vector<float> twice = network.neighbour_means(once, width, 0, threads);
  for (std::size_t k = 0; k < once.size(); ++k) once[k] = (once[k] + twice[k]) / 2;
  return once;
}

std::vector<float> float_product(const Factor& a, const Factor& b, const Run& run) {
  std::vector<float> result(a.rows() * b.columns());
  multiply(a, b, result, false, run);
  return result;
}

/// Two halves of a space, side by side; an empty half is zeros.
std::vector<float> join(std::span<const float> left, std::span<const float> right, std::size_t half) {
  const std::size_t rows = std::max(left.size(), right.size()) / half;
  std::vector<float> joined(rows * 2 * half);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!left.empty()) std::copy_n(left.data() + i * half, half, joined.data() + 2 * i * half);
    if (!right.empty()) std::copy_n(right.data() + i * half, half, joined.data() + (2 * i + 1) * half);
  }
  return joined;
}

/// LSA's encoder over word vectors that are turned by H already, to unit length.
class TadwEncoder : public Encoder {
 public:
  explicit TadwEncoder(const Model& model) : text_(lsa_method().encoder(model)) {}
  std::size_t dimensions() const override { return text_->dimensions(); }
  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    text_->encode(words, out);
    to_unit_length(out);
  }
  std::optional<std::vector<WordTerm>> terms(std::span<const WordCount> words) const override {
    auto terms = text_->terms(words);
    std::vector<float> vector(dimensions());
    text_->encode(words, vector);
    const double length = std::sqrt(double{dot(vector.data(), vector.data(), vector.size())});
    for (WordTerm& term : *terms) term.coefficient *= length > 0 ? 1 / length : 0;
    return terms;
  }
  bool documents_are_texts() const override { return false; }  // half of a document's vector is the network's

 private:
  std::unique_ptr<Encoder> text_;
};

class Tadw : public Method {
 public:
  std::string_view name() const override { return "tadw"; }
  std::string_view summary() const override { return "network factorised with the help of text (Yang et al., 2015)"; }
  std::span<const OptionSpec> options() const override { return tadw_options(); }
  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override;

  std::unique_ptr<Encoder> encoder(const Model& model) const override { return std::make_unique<TadwEncoder>(model); }
};

Model fit_text(const Corpus& corpus, const Options& options, const Run& run) {
  Options text(lsa_method().options());
  text.set("dim", fmt::format("{}", options.integer("features")));
  text.set("seed", fmt::format("{}", options.integer("seed")));
  return lsa_method().fit(corpus, text, run);
}

Model Tadw::fit(const Corpus& corpus, const Options& options, const Run& run) const {
  const auto dimensions = static_cast<std::size_t>(options.integer("dim"));
  if (dimensions % 2 != 0) {
    throw Error(
        fmt::format("tadw needs an even --dim, half for the network and half for the text, not {}", dimensions));
  }
  const TadwSettings settings{.rank = dimensions / 2,
                              .penalty = options.real("penalty"),
                              .rounds = static_cast<std::size_t>(options.integer("rounds")),
                              .seed = static_cast<std::uint64_t>(options.integer("seed"))};
  const Model text = fit_text(corpus, options, run);
  run.check();
  const std::size_t width = text.documents().vectors.columns;
  std::vector<float> features = unit_rows(text.documents().vectors, run.threads);
  for (float& value : features) value *= static_cast<float>(options.real("scale"));
  const std::vector<float> reached = reached_means(corpus.network, features, width, run.threads);
  const MatrixView feature_view{features.data(), corpus.documents(), width};
  const MatrixView reached_view{reached.data(), corpus.documents(), width};
  const TadwFactors factors = tadw_factors(feature_view, reached_view, settings, run);

  const Factor h_transposed{{factors.h.data(), settings.rank, width}, true};
  auto network_half = float_product({reached_view}, {{factors.w.data(), width, settings.rank}}, run);
  auto text_half = float_product({feature_view}, h_transposed, run);
  rows_to_unit_length(network_half, settings.rank, run.threads);
  rows_to_unit_length(text_half, settings.rank, run.threads);
  const auto words = float_product({text.words().vectors}, h_transposed, run);

  Model model;
  ModelMaker maker(model);
  maker.set(layout::kDocumentVectors, join(network_half, text_half, settings.rank), corpus.documents(), dimensions);
  maker.set(layout::kWordVectors, join({}, words, settings.rank), corpus.words(), dimensions);
  const auto idf = ModelTensors(text).floats(layout::kWordIdf);
  maker.set(layout::kWordIdf, std::vector<float>(idf.begin(), idf.end()));
  return model;
}

}  // namespace

TadwFactors tadw_factors(MatrixView features, MatrixView reached, const TadwSettings& settings, const Run& run) {
  Rounds rounds(features, reached, settings, run);
  const std::size_t every = std::max<std::size_t>(1, settings.rounds / 10);
  TadwFactors factors;
  for (std::size_t round = 0; round < settings.rounds; ++round) {
    run.check();
    rounds.solve_w();
    factors.objectives.push_back(rounds.objective());
    rounds.solve_h();
    factors.objectives.push_back(rounds.objective());
    if (round % every == 0) run.report({"training", round + 1, settings.rounds, factors.objectives.back()});
  }
  factors.w = rounds.w();
  factors.h = rounds.h();
  return factors;
}

const Method& tadw_method() {
  static const Tadw method;
  return method;
}

}  // namespace idne
