#include "suggest/label_head.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "math/logistic.h"
#include "math/parallel.h"
#include "math/placement.h"
#include "math/unit.h"
#include "model/tensors.h"
#include "suggest/frequencies.h"
#include "suggest/label_fit.h"
#include "suggest/label_rows.h"
#include "suggest/text_words.h"

namespace idne {
namespace {

/// Weights of words in all, more or less, and the fewest words of a label.
constexpr std::size_t kMostWordWeights = 2'000'000, kFewestWords = 100;

struct WeightedWord {
  std::uint32_t word;
  float weight;
};

/// The `most` weightiest words, rising.
std::vector<WeightedWord> weightiest(std::span<const float> weights, std::size_t most) {
  std::vector<WeightedWord> words;
  for (std::uint32_t word = 0; word < weights.size(); ++word) {
    if (weights[word] != 0) words.push_back({word, weights[word]});
  }
  if (words.size() <= most) return words;
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(words.begin(), end, words.end(), [](const WeightedWord& a, const WeightedWord& b) {
    const float x = std::abs(a.weight), y = std::abs(b.weight);
    return x != y ? x > y : a.word < b.word;
  });
  words.erase(end, words.end());
  words.shrink_to_fit();
  std::ranges::sort(words, {}, &WeightedWord::word);
  return words;
}

/// From words of labels to labels of words.
void store_words(const std::vector<std::vector<WeightedWord>>& words_of_labels, std::size_t words, LabelWeights& to) {
  std::vector<std::int64_t>& offsets = to.word_labels.offsets;
  offsets.assign(words + 1, 0);
  for (const auto& list : words_of_labels) {
    for (const WeightedWord& one : list) ++offsets[one.word + 1];
  }
  for (std::size_t word = 0; word < words; ++word) offsets[word + 1] += offsets[word];
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  to.word_labels.values.resize(static_cast<std::size_t>(offsets.back()));
  to.word_weights.resize(to.word_labels.values.size());
  for (std::size_t label = 0; label < words_of_labels.size(); ++label) {
    for (const WeightedWord& one : words_of_labels[label]) {
      const auto at = static_cast<std::size_t>(next[one.word]++);
      to.word_labels.values[at] = static_cast<std::int32_t>(label);
      to.word_weights[at] = one.weight;
    }
  }
}

/// Takes the weights of words from number `first` on away, and gives them.
LabelWeights cut_off_words(std::size_t first, LabelWeights& from) {
  LabelWeights rest;
  const auto cut = static_cast<std::ptrdiff_t>(first);
  const std::ptrdiff_t begin = from.word_labels.offsets[first];
  for (std::size_t word = first; word < from.word_labels.rows(); ++word) {
    rest.word_labels.offsets.push_back(from.word_labels.offsets[word + 1] - begin);
  }
  rest.word_labels.values.assign(from.word_labels.values.begin() + begin, from.word_labels.values.end());
  rest.word_weights.assign(from.word_weights.begin() + begin, from.word_weights.end());
  from.word_labels.offsets.erase(from.word_labels.offsets.begin() + cut + 1, from.word_labels.offsets.end());
  from.word_labels.values.erase(from.word_labels.values.begin() + begin, from.word_labels.values.end());
  from.word_weights.erase(from.word_weights.begin() + begin, from.word_weights.end());
  return rest;
}

}  // namespace

FormerHead::FormerHead(const Model& model, const StringsView& names, const StringsView& late_words)
    : rows_(model.labels().weights) {
  const ModelTensors tensors(model);
  if (rows_.rows == 0 || !tensors.has(layout::kLabelFit)) return;
  const std::span<const float> fit = tensors.floats(layout::kLabelFit);
  const auto within = [](float value, float least, float most) { return value >= least && value <= most; };
  if (!within(fit[0], 1e-3f, 1e4f) || !within(fit[1], 0.1f, 10) || !within(fit[2], -10, 10) ||
      !within(fit[3], 0, 1e9f)) {
    return;  // no fit that was ever found; NaN is none either
  }
  fit_ = LabelFit{fit[0], fit[1], fit[2], static_cast<std::uint64_t>(fit[3])};
  StringTable former;
  for (std::size_t k = 0; k < rows_.rows; ++k) former.add(model.labels().names[k]);
  for (std::size_t k = 0; k < names.size(); ++k) number_.emplace_back(former.find(names[k]));
  words_.resize(rows_.rows);
  take_words(model, late_words);
}

void FormerHead::take_words(const Model& model, const StringsView& late_words) {
  const ModelTensors tensors(model);
  const auto take = [&](const layout::Entry& entry, const layout::Entry& weights_entry, const auto& number_now) {
    if (!tensors.has(entry)) return;
    const ListsView labels = tensors.lists(entry);
    const std::span<const float> weights = tensors.floats(weights_entry);
    for (std::uint32_t word = 0; word < labels.size(); ++word) {
      const std::optional<std::uint32_t> now = number_now(word);
      for (std::size_t n = 0; now && n < labels[word].size(); ++n) {
        words_[static_cast<std::size_t>(labels[word][n])].push_back({*now, weights[labels.begin(word) + n]});
      }
    }
  };
  take(layout::kWordLabels, layout::kWordLabelWeights, [](std::uint32_t word) { return std::optional(word); });
  StringTable late;
  for (std::size_t n = 0; n < late_words.size(); ++n) late.add(late_words[n]);
  take(layout::kLateWordLabels, layout::kLateWordLabelWeights, [&](std::uint32_t word) -> std::optional<std::uint32_t> {
    const auto now = late.find(model.words().late[word]);
    if (!now) return std::nullopt;
    return static_cast<std::uint32_t>(model.words().size()) + *now;
  });
}

std::vector<float> FormerHead::start(std::size_t label, std::size_t words) const {
  if (!fit_ || !number_[label]) return {};
  const std::size_t number = *number_[label];
  const auto row = rows_.row(number);
  const auto slope = static_cast<float>(fit_->slope);
  std::vector<float> start(words);
  for (const WordWeight& one : words_[number]) start[one.word] = one.weight / slope;
  for (const float weight : row) start.push_back(weight / slope);
  start.back() -= static_cast<float>(fit_->shift) / slope;
  return start;
}

LabelWeights fit_label_head(const LabelledDocuments& documents, const Run& run, const FormerHead* former) {
  return fit_label_head(documents, documents_to_learn_from(documents), run, former);
}

namespace {

/// Each process has learned its share of the labels: all get all.
void share_labels(Ranks& ranks, std::span<const std::size_t> learned, std::size_t width, LabelWeights& weights,
                  std::vector<std::vector<WeightedWord>>& words_of_labels) {
  Packer own;
  const Share share = share_of(&ranks, learned.size());
  for (std::size_t n = share.begin; n < share.end; ++n) {
    own.add_all(std::span<const float>(weights.rows).subspan(learned[n] * width, width));
    own.add_all(words_of_labels[learned[n]]);
  }
  const std::vector<Bytes> all = ranks.all_gather(own.bytes());
  std::size_t n = 0;
  for (const Bytes& bytes : all) {
    for (Unpacker from(bytes); !from.done(); ++n) {
      std::ranges::copy(from.next_all<float>(), weights.rows.begin() + static_cast<std::ptrdiff_t>(learned[n] * width));
      words_of_labels[learned[n]] = from.next_all<WeightedWord>();
    }
  }
}

}  // namespace

LabelWeights fit_label_head(const LabelledDocuments& documents, std::span<const std::uint32_t> chosen, const Run& run,
                            const FormerHead* former) {
  const std::size_t label_count = documents.label_count, dimension = documents.vectors.columns, width = dimension + 1;
  const auto places = places_of_labels(chosen, documents.labels, label_count);
  if (std::ranges::count_if(places, [](const auto& list) { return list.size() >= kFewestOfLabel; }) < 2) return {};
  LabelWeights weights;
  weights.rows.resize(label_count * width);
  std::vector<std::size_t> learned;
  for (std::size_t k = 0; k < label_count; ++k) {
    if (places[k].size() >= kFewestOfLabel && places[k].size() < chosen.size()) {
      learned.push_back(k);
    } else {
      const auto with = static_cast<double>(places[k].size()), without = static_cast<double>(chosen.size()) - with;
      weights.rows[(k + 1) * width - 1] = static_cast<float>(std::log((with + 0.5) / (without + 0.5)));
    }
  }
  learned = dealt(std::move(learned), places);
  const LabelFit fit = weights.fit = former && former->fit() ? *former->fit() : choose_fit(documents, chosen, run);
  const auto slope = static_cast<float>(fit.slope);
  const LogisticRows rows(unit_words(documents, chosen),
                          {unit_vectors(documents, chosen, run.threads).data(), chosen.size(), dimension}, run);
  const std::size_t words = rows.sparse_features();
  const std::size_t words_each = std::max(kFewestWords, kMostWordWeights / std::max<std::size_t>(1, learned.size()));
  std::vector<std::vector<WeightedWord>> words_of_labels(label_count);
  const Run alone{.threads = 1, .progress = {}, .stopped = run.stopped};
  const Share share = share_of(run.ranks, learned.size());
  const std::size_t own = share.end - share.begin;
  parallel_parts(run.threads, own, labels_together(own, chosen.size(), rows.features(), run.threads),
                 [&](std::size_t first, std::size_t last) {
                   const std::size_t begin = share.begin + first, end = share.begin + last;
                   LogisticRegressions regressions(rows);
                   bool all_near = true;
                   for (std::size_t n = begin; n < end; ++n) {
                     std::vector<char> positive(chosen.size());
                     for (const std::uint32_t place : places[learned[n]]) positive[place] = 1;
                     const std::vector<float> start = former ? former->start(learned[n], words) : std::vector<float>{};
                     if (start.size() == words + width) {
                       regressions.add_near(positive, start);
                     } else {
                       regressions.add(positive);
                       all_near = false;
                     }
                   }
                   regressions.fit(fit.c, all_near ? kToleranceNear : kTolerance, alone);
                   for (std::size_t n = begin; n < end; ++n) {
                     std::vector<float> found;
                     for (const float w : regressions.weights(n - begin)) found.push_back(slope * w);
                     found.back() += static_cast<float>(fit.shift);
                     float* row = weights.rows.data() + learned[n] * width;
                     for (std::size_t d = 0; d < dimension; ++d) row[d] = found[words + d];
                     row[dimension] = found.back();
                     words_of_labels[learned[n]] = weightiest(std::span(found).first(words), words_each);
                   }
                 });
  if (run.ranks) share_labels(*run.ranks, learned, width, weights, words_of_labels);
  if (documents.has_words()) store_words(words_of_labels, words, weights);
  return weights;
}

void learn_labels(Model& model, const Run& run, std::optional<FormerLabels> former) {
  const ListsView& labels = model.documents().labels;
  const std::size_t count = model.labels().names.size();
  LabelledDocuments documents{.labels = labels, .label_count = count, .vectors = model.documents().vectors};
  ModelMaker maker(model);
  const Placement* spread = maker.spread().get();
  const TextWords text(model);
  const Tfidf tfidf(document_frequencies(text.documents(), text.size(), spread), model.documents_everywhere());
  if (text.documents().size() > 0) {
    documents.bags = &text.documents();
    documents.tfidf = &tfidf;
  }
  std::optional<FormerHead> start;
  std::uint64_t changed = 0;
  if (former) {
    constexpr std::uint64_t kMuch = 10;
    start.emplace(*former->model, model.labels().names, model.words().late);
    changed = start->fit() ? start->fit()->changed + former->changed : 0;
    if (!start->fit() || kMuch * changed >= model.documents().size()) start.reset(), changed = 0;
  }
  LabelWeights weights;
  if (spread) {
    const GatheredDocuments all(documents, documents_to_learn_from(documents, spread->ranks()), *spread->ranks());
    const LabelledDocuments view = all.view();
    std::vector<std::uint32_t> every(view.labels.size());
    std::iota(every.begin(), every.end(), 0u);
    weights = fit_label_head(view, every, run, nullptr);
  } else {
    weights = fit_label_head(documents, run, start ? &*start : nullptr);
  }
  for (const layout::Entry* entry :
       {&layout::kLabelWeights, &layout::kLabelFit, &layout::kWordLabels, &layout::kWordLabelWeights,
        &layout::kLateWordLabels, &layout::kLateWordLabelWeights}) {
    maker.remove(*entry);
  }
  if (weights.empty()) return;
  const LabelFit& fit = weights.fit;
  maker.set(layout::kLabelFit, std::vector{static_cast<float>(fit.c), static_cast<float>(fit.slope),
                                           static_cast<float>(fit.shift), static_cast<float>(changed)});
  maker.set(layout::kLabelWeights, std::move(weights.rows), count, documents.vectors.columns + 1);
  if (weights.word_labels.rows() == 0) return;
  const std::size_t known = model.words().size();
  if (text.size() > known) {
    LabelWeights late = cut_off_words(known, weights);
    maker.set(layout::kLateWordLabels, std::move(late.word_labels));
    maker.set(layout::kLateWordLabelWeights, std::move(late.word_weights));
  }
  maker.set(layout::kWordLabels, std::move(weights.word_labels));
  maker.set(layout::kWordLabelWeights, std::move(weights.word_weights));
}

bool one_label_each(const ListsView& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].size() > 1) return false;
  }
  return true;
}

LabelHead::LabelHead(const Model& model, const Tfidf& tfidf)
    : rows_(model.labels().weights), tfidf_(&tfidf), one_label_(one_label_each(model.documents().labels)) {
  const ModelTensors tensors(model);
  if (!tensors.has(layout::kWordLabels)) return;
  word_labels_ = tensors.lists(layout::kWordLabels);
  word_weights_ = tensors.floats(layout::kWordLabelWeights);
  if (!tensors.has(layout::kLateWordLabels)) return;
  late_labels_ = tensors.lists(layout::kLateWordLabels);
  late_weights_ = tensors.floats(layout::kLateWordLabelWeights);
}

LabelHead::LabelHead(const LabelWeights& weights, std::size_t label_count, const Tfidf* tfidf, bool one_label)
    : word_weights_(weights.word_weights), tfidf_(tfidf), one_label_(one_label) {
  if (weights.empty()) return;
  rows_ = {weights.rows.data(), label_count, weights.rows.size() / label_count};
  if (weights.word_labels.rows() > 0) word_labels_ = {weights.word_labels.offsets, weights.word_labels.values};
}

LabelHead::OfWord LabelHead::of_word(std::uint32_t word) const {
  if (word < word_labels_.size()) return {word_labels_[word], word_weights_.data() + word_labels_.begin(word)};
  const std::size_t late = word - word_labels_.size();
  if (late >= late_labels_.size()) return {{}, nullptr};  // a head of before there were late words
  return {late_labels_[late], late_weights_.data() + late_labels_.begin(late)};
}

std::vector<double> LabelHead::probabilities(std::span<const WordCount> words, std::span<const float> vector) const {
  const double length = length_of(vector), scale = length > 0 ? 1 / length : 0;
  std::vector<double> values(rows_.rows);  // log odds, then probabilities
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto row = rows_.row(k);
    double product = 0;
    for (std::size_t d = 0; d < vector.size(); ++d) product += static_cast<double>(row[d]) * vector[d];
    values[k] = static_cast<double>(row.back()) + product * scale;
  }
  if (sees_words() && !words.empty()) {
    const double length = tfidf_->length(words);
    for (const WordCount& entry : words) {
      const double amount = static_cast<double>(tfidf_->weight(entry)) / length;
      const auto [labels, weights] = of_word(entry.word);
      for (std::size_t n = 0; n < labels.size(); ++n) {
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are no weights only where there are no labels
        values[static_cast<std::size_t>(labels[n])] += amount * weights[n];
      }
    }
  }
  double sum = 0;
  for (double& value : values) sum += value = 1 / (1 + std::exp(-value));
  if (one_label_ && sum > 0) {
    for (double& value : values) value /= sum;
  }
  return values;
}

std::vector<double> LabelHead::word_parts(std::size_t label, std::span<const WordCount> words) const {
  std::vector<double> parts(words.size());
  if (!sees_words()) return parts;
  const double length = tfidf_->length(words);
  for (std::size_t n = 0; n < words.size(); ++n) {
    const auto [labels, weights] = of_word(words[n].word);
    const auto found = std::ranges::lower_bound(labels, static_cast<std::int32_t>(label));
    if (found == labels.end() || *found != static_cast<std::int32_t>(label)) continue;
    const float weight = weights[found - labels.begin()];
    parts[n] = static_cast<double>(tfidf_->weight(words[n])) / length * static_cast<double>(weight);
  }
  return parts;
}

}  // namespace idne
