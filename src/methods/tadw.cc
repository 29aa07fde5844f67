#include "methods/tadw.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/random.h"
#include "methods/lsa.h"

namespace idne {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Spectrum = Eigen::SelfAdjointEigenSolver<MatrixXd>;

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table{
      {"dim", std::int64_t{256}, "dimensions of the space: half for the network, half for the text", 2, 8192, {}},
      {"features", std::int64_t{128}, "dimensions of the LSA vectors that the text is given as", 1, 8192, {}},
      {"scale", 5.0, "length of the LSA vectors; the larger, the less H is held back", 1e-3, 1e3, {}},
      {"penalty", 0.2, "weight of the squares of W and H (lambda)", 1e-6, 1e6, {}},
      {"rounds", std::int64_t{20}, "times that W and H are solved for in turn", 1, 10000, {}},
      {"seed", std::int64_t{1}, "seed of all random numbers", 0, 9e15, {}},
  };
  return table;
}

/// aᵀ a, added up in blocks of rows so that no long sum of floats loses its small terms.
MatrixXd gram(MatrixView a, int threads) {
  constexpr std::size_t kBlockRows = 1024;
  const auto n = static_cast<Index>(a.columns);
  MatrixXd result = MatrixXd::Zero(n, n);
  Eigen::MatrixXf part(n, n);
  for (std::size_t begin = 0; begin < a.rows; begin += kBlockRows) {
    const MatrixView block{a.data + begin * a.columns, std::min(kBlockRows, a.rows - begin), a.columns};
    multiply({block, true}, {block, false}, {part.data(), a.columns * a.columns}, false, threads);
    result += part.cast<double>();
  }
  return (result + result.transpose()) / 2;
}

std::vector<float> row_major(const MatrixXd& m) {
  std::vector<float> values;
  for (Index r = 0; r < m.rows(); ++r) {
    for (Index c = 0; c < m.cols(); ++c) values.push_back(static_cast<float>(m(r, c)));
  }
  return values;
}

/// The alternating rounds. With X = Tᵀ, P = M X and W = (P C)ᵀ, C being features × rank, everything is a product of H,
/// C and the Gram matrices of X and P.
class Rounds {
 public:
  Rounds(MatrixView features, MatrixView reached, const TadwSettings& settings, int threads)
      : half_penalty_(settings.penalty / 2),
        text_(gram(features, threads)),
        reached_(gram(reached, threads)),
        text_spectrum_(text_),
        h_(static_cast<Index>(settings.rank), static_cast<Index>(features.columns)) {
    for (Index r = 0; r < h_.rows(); ++r) {
      Random random(settings.seed, Purpose::ParameterStart, static_cast<std::uint64_t>(r));
      for (Index c = 0; c < h_.cols(); ++c) h_(r, c) = 0.1 * random.truncated_normal();
    }
    text_gram_ = h_ * text_ * h_.transpose();
  }

  /// W for this H: (H XᵀX Hᵀ + λ/2) W = H Xᵀ Mᵀ.
  void solve_w() {
    MatrixXd normal = text_gram_;
    normal.diagonal().array() += half_penalty_;
    c_ = normal.llt().solve(h_).transpose();
    reached_c_ = reached_ * c_;
    w_gram_ = c_.transpose() * reached_c_;
  }

  /// H for this W: (W Wᵀ) H (XᵀX) + λ/2 H = W P. In the eigenvectors of both Gram matrices each entry stands alone.
  void solve_h() {
    const Spectrum w(w_gram_);
    MatrixXd turned = w.eigenvectors().transpose() * reached_c_.transpose() * text_spectrum_.eigenvectors();
    for (Index c = 0; c < turned.cols(); ++c) {
      const double text = std::max(0.0, text_spectrum_.eigenvalues()[c]);
      for (Index r = 0; r < turned.rows(); ++r) {
        turned(r, c) /= std::max(0.0, w.eigenvalues()[r]) * text + half_penalty_;
      }
    }
    h_ = w.eigenvectors() * turned * text_spectrum_.eigenvectors().transpose();
    text_gram_ = h_ * text_ * h_.transpose();
  }

  double objective() const {
    const double cross = reached_c_.cwiseProduct(h_.transpose()).sum();
    const double square = w_gram_.cwiseProduct(text_gram_).sum();
    return square - 2 * cross + half_penalty_ * (w_gram_.trace() + h_.squaredNorm());
  }

  std::vector<float> w() const { return row_major(c_); }
  std::vector<float> h() const { return row_major(h_); }

 private:
  double half_penalty_;
  MatrixXd text_, reached_;  ///< XᵀX and PᵀP
  Spectrum text_spectrum_;
  MatrixXd h_, c_;
  MatrixXd text_gram_;           ///< H T (H T)ᵀ
  MatrixXd reached_c_, w_gram_;  ///< PᵀP C = (W P)ᵀ and W Wᵀ
};

/// Gives each row this length; a row of zeros stays as it is.
void scale_rows(std::span<float> rows, std::size_t width, float length) {
  for (std::size_t at = 0; at < rows.size(); at += width) {
    const float square = dot(rows.data() + at, rows.data() + at, width);
    if (!(square > 0)) continue;
    const float scale = length / std::sqrt(square);
    for (std::size_t k = 0; k < width; ++k) rows[at + k] *= scale;
  }
}

/// M · x = (Â x + Â (Â x)) / 2 for rows x. A document without links has a row of zeros in M.
std::vector<float> reached_means(const Network& network, std::span<const float> x, std::size_t width, int threads) {
  std::vector<float> once = network.neighbour_means(x, width, 0, threads);
  const std::vector<float> twice = network.neighbour_means(once, width, 0, threads);
  for (std::size_t k = 0; k < once.size(); ++k) once[k] = (once[k] + twice[k]) / 2;
  return once;
}

std::vector<float> product(const Factor& a, const Factor& b, int threads) {
  std::vector<float> result(a.rows() * b.columns());
  multiply(a, b, result, false, threads);
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
    scale_rows(out, out.size(), 1);
  }

 private:
  std::unique_ptr<Encoder> text_;
};

class Tadw : public Method {
 public:
  std::string_view name() const override { return "tadw"; }
  std::string_view summary() const override { return "network factorised with the help of text (Yang et al., 2015)"; }
  std::span<const OptionSpec> options() const override { return option_table(); }
  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override;

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    if (model.floats("words.idf").size() != model.words().rows) {
      throw Error("this model's words.idf and words.vectors do not have the same number of words");
    }
    return std::make_unique<TadwEncoder>(model);
  }
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
  const std::size_t width = text.documents().columns;
  std::vector<float> features(text.floats("documents.vectors").begin(), text.floats("documents.vectors").end());
  scale_rows(features, width, static_cast<float>(options.real("scale")));
  const std::vector<float> reached = reached_means(corpus.network, features, width, run.threads);
  const MatrixView feature_view{features.data(), corpus.documents(), width};
  const MatrixView reached_view{reached.data(), corpus.documents(), width};
  const TadwFactors factors = tadw_factors(feature_view, reached_view, settings, run);

  const Factor h_transposed{{factors.h.data(), settings.rank, width}, true};
  auto network_half = product({reached_view, false}, {{factors.w.data(), width, settings.rank}, false}, run.threads);
  auto text_half = product({feature_view, false}, h_transposed, run.threads);
  scale_rows(network_half, settings.rank, 1);
  scale_rows(text_half, settings.rank, 1);
  const auto words = product({text.words(), false}, h_transposed, run.threads);

  Model model;
  model.add("documents.vectors", join(network_half, text_half, settings.rank), {corpus.documents(), dimensions});
  model.add("words.vectors", join({}, words, settings.rank), {corpus.words(), dimensions});
  const auto idf = text.floats("words.idf");
  model.add("words.idf", std::vector<float>(idf.begin(), idf.end()), {idf.size()});
  return model;
}

}  // namespace

TadwFactors tadw_factors(MatrixView features, MatrixView reached, const TadwSettings& settings, const Run& run) {
  Rounds rounds(features, reached, settings, run.threads);
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
