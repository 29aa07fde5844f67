#include "update/foresight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/kernels.h"
#include "math/parallel.h"
#include "methods/sample.h"
#include "suggest/frequencies.h"
#include "suggest/label_head.h"
#include "suggest/link_scorer.h"
#include "suggest/link_weights.h"
#include "suggest/text_words.h"
#include "update/label_names.h"

namespace idne {
namespace {

constexpr std::size_t kMostDocuments = 400;   ///< that are looked at
constexpr std::size_t kOwnDocuments = 100;    ///< of the model's own, to compare with
constexpr std::size_t kFewestDocuments = 20;  ///< fewer tell nothing
constexpr std::size_t kNamedWords = 8;

class Foresight {
 public:
  Foresight(const TextEncoder& encoder, const Collection& changes, const CountMatrix& fresh_words,
            const TokenWords& tokens, const Merge& merge, const Run& run)
      : model_(encoder.model()), encoder_(encoder), changes_(changes), words_(fresh_words), tokens_(tokens), run_(run) {
    former_row_.assign(changes.ids.size(), Origin::kNone);
    for (const Origin& origin : merge.rows) {
      if (origin.fresh == Origin::kNone || origin.same_text || changes.counts.length(origin.fresh) == 0) continue;
      all_.push_back(origin.fresh);
      former_row_[origin.fresh] = origin.old;
    }
    result_.documents = all_.size();
    for (const std::uint32_t n : even_sample(all_.size(), kMostDocuments)) sample_.push_back(all_[n]);
  }

  Foreseen look() && {
    if (all_.empty()) return std::move(result_);
    look_at_words();
    look_at_labels();
    run_.check();
    look_at_links();
    look_at_topics();
    return std::move(result_);
  }

 private:
  void look_at_words() {
    const std::vector<char> may_count = tokens_that_count(model_, changes_);
    std::vector<std::uint64_t> counts(changes_.tokens.size());
    double unknown = 0, all = 0;
    for (const std::uint32_t i : all_) {
      for (const WordCount& entry : changes_.counts.row(i)) {
        if (!may_count[entry.word]) continue;
        all += entry.count;
        if (tokens_.word[entry.word] != TokenWords::kNone) continue;
        unknown += entry.count;
        counts[entry.word] += entry.count;
      }
    }
    result_.unknown_words = all > 0 ? unknown / all : 0;
    result_.usual_unknown_words = model_.info().unknown_share;
    result_.new_words = heaviest(std::vector<double>(counts.begin(), counts.end()), 2);
  }

  /// The tokens with the largest weights, at least so large, as they are written.
  std::vector<std::string> heaviest(const std::vector<double>& weights, double least) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t token = 0; token < weights.size(); ++token) {
      if (weights[token] >= least) order.push_back(token);
    }
    const std::size_t count = std::min(kNamedWords, order.size());
    std::ranges::partial_sort(
        order, order.begin() + static_cast<std::ptrdiff_t>(count),
        [&](std::uint32_t a, std::uint32_t b) { return weights[a] != weights[b] ? weights[a] > weights[b] : a < b; });
    std::vector<std::string> words;
    for (std::size_t n = 0; n < count; ++n) {
      words.emplace_back(changes_.forms.of(order[n], changes_.tokens[order[n]]));
    }
    return words;
  }

  /// The vector of each document of the sample, without links.
  const std::vector<float>& vectors() {
    if (vectors_.empty()) {
      const std::size_t width = encoder_.dimensions();
      vectors_.resize(sample_.size() * width);
      parallel_for(run_.threads, sample_.size(), [&](std::size_t n, std::size_t) {
        encoder_.encode(words_.row(sample_[n]), {}, {vectors_.data() + n * width, width});
      });
    }
    return vectors_;
  }

  /// A right label first, as often as the probabilities say: these are calibrated on documents that were held out.
  void look_at_labels() {
    const TextWords text(model_);
    const Tfidf tfidf(document_frequencies(text.documents(), text.size()), model_.documents().size());
    const LabelHead head(model_, tfidf);
    if (head.empty()) return;
    const StringsView& names = model_.labels().names;
    const LabelNames renamed(model_);
    StringTable known;
    for (std::size_t n = 0; n < names.size(); ++n) known.add(names[n]);
    const std::size_t width = encoder_.dimensions();
    for (std::size_t n = 0; n < sample_.size(); ++n) {
      std::vector<std::string_view> right;  // that it knows
      for (const std::int32_t label : changes_.document_labels.row(sample_[n])) {
        const std::string_view name = renamed.given(changes_.labels[static_cast<std::size_t>(label)]);
        if (known.find(name)) right.push_back(name);
      }
      if (right.empty() || words_.row(sample_[n]).empty()) continue;
      const auto vector = std::span(vectors()).subspan(n * width, width);
      const std::vector<double> probabilities = head.probabilities(words_.row(sample_[n]), vector);
      const auto best = std::ranges::max_element(probabilities);
      ++result_.labelled;
      result_.expected_labels += *best;
      result_.labels +=
          std::ranges::find(right, names[static_cast<std::size_t>(best - probabilities.begin())]) != right.end();
    }
    if (result_.labelled == 0) return;
    result_.labels /= static_cast<double>(result_.labelled);
    result_.expected_labels /= static_cast<double>(result_.labelled);
  }

  /// The links that the changes give their documents to documents of the model.
  std::vector<std::vector<std::uint32_t>> links_to_model() const {
    std::vector<std::vector<std::uint32_t>> links(changes_.ids.size());
    StringTable ids;
    for (std::size_t row = 0; row < model_.documents().size(); ++row) ids.add(model_.documents().ids[row]);
    const auto row_of = [&](std::uint32_t number) { return ids.find(changes_.id_of(number)); };
    for (const Link& link : changes_.links) {
      const auto add = [&](std::uint32_t from, std::uint32_t to) {
        if (from >= links.size()) return;
        if (const auto row = row_of(to)) links[from].push_back(*row);
      };
      add(link.a, link.b);
      add(link.b, link.a);
    }
    return links;
  }

  void look_at_links() {
    if (model_.documents().links.size() == 0) return;
    const auto links = links_to_model();
    const LinkScorer scorer(model_);
    std::vector<std::uint32_t> linked;
    for (const std::uint32_t i : sample_) {
      if (!links[i].empty() && !words_.row(i).empty()) linked.push_back(i);
    }
    result_.linked = linked.size();
    if (linked.empty()) return;
    const double weight = link_weights(model_).votes;
    std::vector<double> ranks(linked.size());
    parallel_for(run_.threads, linked.size(), [&](std::size_t n, std::size_t) {
      const std::uint32_t old = former_row_[linked[n]];  // it must not find itself
      const std::optional<std::uint32_t> self = old == Origin::kNone ? std::nullopt : std::optional(old);
      ranks[n] = reciprocal_rank(scorer, words_.row(linked[n]), links[linked[n]], self, weight);
    });
    result_.links = std::accumulate(ranks.begin(), ranks.end(), 0.0) / static_cast<double>(ranks.size());
    result_.usual_links = usual_reciprocal_rank(scorer, model_, kOwnDocuments, run_);
  }

  /// The cosine with the topic that a vector fits best.
  double fit(std::span<const float> vector) const {
    const MatrixView topics = model_.topics().vectors;
    const double length = std::sqrt(dot(vector.data(), vector.data(), vector.size()));
    double best = -1;
    for (std::size_t k = 0; k < topics.rows && length > 0; ++k) {
      const auto topic = topics.row(k);
      const double own = std::sqrt(dot(topic.data(), topic.data(), topic.size()));
      if (own > 0) best = std::max(best, dot(vector.data(), topic.data(), topic.size()) / (own * length));
    }
    return best;
  }

  /// Documents that fit all topics less than one in twenty of the model's own does.
  void look_at_topics() {
    if (!model_.has_topics() || encoder_.joined()) return;
    constexpr std::size_t kCompared = 2000, kOneIn = 20;
    const MatrixView own = model_.documents().vectors;
    const std::vector<std::uint32_t> compared = even_sample(own.rows, kCompared);
    std::vector<double> fits(compared.size());
    parallel_for(run_.threads, compared.size(),
                 [&](std::size_t n, std::size_t) { fits[n] = fit(own.row(compared[n])); });
    const auto limit = fits.begin() + static_cast<std::ptrdiff_t>(fits.size() / kOneIn);
    std::nth_element(fits.begin(), limit, fits.end());
    const std::size_t width = encoder_.dimensions();
    std::vector<std::uint32_t> strange;
    for (std::size_t n = 0; n < sample_.size(); ++n) {
      if (fit(std::span(vectors()).subspan(n * width, width)) < *limit) strange.push_back(sample_[n]);
    }
    result_.strange = static_cast<double>(strange.size()) / static_cast<double>(sample_.size());
    name_strange(strange);
  }

  void name_strange(const std::vector<std::uint32_t>& strange) {
    const std::vector<char> may_count = tokens_that_count(model_, changes_);
    const std::vector<std::uint32_t> frequency = document_frequencies(model_.documents().words, model_.words().size());
    const double documents = static_cast<double>(model_.documents().size());
    std::vector<double> with(changes_.tokens.size());
    for (const std::uint32_t i : strange) {
      for (const WordCount& entry : changes_.counts.row(i)) with[entry.word] += may_count[entry.word];
    }
    for (std::uint32_t token = 0; token < with.size(); ++token) {
      if (with[token] < 2) {
        with[token] = 0;
        continue;
      }
      const std::uint32_t word = tokens_.word[token];
      const double usual = word == TokenWords::kNone ? 0 : frequency[word];
      with[token] *= std::log((documents + 1) / (usual + 1));
    }
    result_.strange_words = heaviest(with, 1e-9);
  }

  const Model& model_;
  const TextEncoder& encoder_;
  const Collection& changes_;
  const CountMatrix& words_;
  const TokenWords& tokens_;
  const Run& run_;
  std::vector<std::uint32_t> all_, sample_, former_row_;
  std::vector<float> vectors_;
  Foreseen result_;
};

std::string listed(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

}  // namespace

Foreseen foresee(const TextEncoder& encoder, const Collection& changes, const CountMatrix& fresh_words,
                 const TokenWords& tokens, const Merge& merge, const Run& run) {
  return Foresight(encoder, changes, fresh_words, tokens, merge, run).look();
}

void advise(UpdateReport& report, std::uint64_t untrained, std::size_t documents, bool trained_further) {
  const Foreseen& f = report.foreseen;
  std::vector<std::string> reasons;
  // Three standard errors, and a difference that a person would notice.
  const auto much_less = [](double got, double expected, double count, double spread) {
    return expected - got > std::max(0.1, 3 * spread / std::sqrt(count));
  };
  constexpr double kMoreUnknown = 0.1, kStrange = 0.25, kUntrained = 0.3, kSpreadOfRanks = 0.4;
  // Links of documents that the others know are found a little earlier, however new these look (docs/suggest.md).
  constexpr double kOfUsual = 0.85;
  if (!trained_further && f.documents >= kFewestDocuments && f.usual_unknown_words &&
      f.unknown_words > *f.usual_unknown_words + kMoreUnknown) {
    reasons.push_back(
        fmt::format("{:.0f} % of the new documents' words are unknown, {:.0f} % of the former ones' were ({})",
                    100 * f.unknown_words, 100 * *f.usual_unknown_words, listed(f.new_words)));
  }
  if (f.labelled >= kFewestDocuments && much_less(f.labels, f.expected_labels, static_cast<double>(f.labelled),
                                                  std::sqrt(f.expected_labels * (1 - f.expected_labels)))) {
    reasons.push_back(fmt::format("a right label came first for {:.0f} % of them, {:.0f} % were expected",
                                  100 * f.labels, 100 * f.expected_labels));
  }
  if (f.linked >= kFewestDocuments &&
      much_less(f.links, kOfUsual * f.usual_links, 1 / (1 / static_cast<double>(f.linked) + 1.0 / kOwnDocuments),
                kSpreadOfRanks)) {
    reasons.push_back(fmt::format("their links were found at a mean reciprocal rank of {:.2f}, {:.2f} is usual",
                                  f.links, f.usual_links));
  }
  if (f.documents >= kFewestDocuments && f.strange > kStrange) {
    reasons.push_back(fmt::format("{:.0f} % of them fit no topic ({})", 100 * f.strange, listed(f.strange_words)));
  }
  if (const double share = static_cast<double>(untrained) / static_cast<double>(documents); share > kUntrained) {
    reasons.push_back(fmt::format("{:.0f} % of all documents came after words were learned", 100 * share));
  }
  report.train_again = !reasons.empty();
  report.advice = report.train_again ? fmt::format("train again: {}", fmt::join(reasons, "; "))
                  : f.documents == 0 ? "fine: there are no new texts"
                  : f.documents < kFewestDocuments
                      ? "fine: too few new documents to say otherwise"
                      : "fine: the new documents' words, labels, links and topics are like the former ones'";
}

}  // namespace idne
