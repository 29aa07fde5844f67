#include "suggest/label_rows.h"

#include <algorithm>
#include <cmath>

#include "corpus/bags.h"
#include "math/gathered.h"
#include "math/placement.h"
#include "math/unit.h"
#include "methods/sample.h"

namespace idne {
namespace {

/// Documents times labels times the products that a label takes, in which it is learned from so many: to keep time in
/// bounds, about five seconds of one core with 256 dimensions, and up to four times that for many labels, whose few
/// documents should not be left out; and numbers in the documents' vectors and words, to keep
/// memory. Where there are more, documents are left out evenly, which costs little: of 2,000 hidden packages of Debian
/// 82.1 % had the right label first with all 61,620 others, 81.7 % with two thirds of them.
constexpr double kMostWork = 1.2e8;
constexpr std::size_t kLeastDocuments = 2000, kMostNumbers = std::size_t{1} << 25;
/// A label of 5 documents takes 17 products, one of 80 takes 26, one of 1,100 takes 58.
double products(std::size_t documents) { return 12 + 1.4 * std::sqrt(static_cast<double>(documents)); }
/// Labels that are learned together, the numbers that all of them may take beside the documents', and those that each
/// takes per document and feature. Many together are quicker: the documents are read once for all.
constexpr std::size_t kMostTogether = 48, kNumbersTogether = std::size_t{1} << 26, kNumbersEach = 8;

}  // namespace

std::vector<WordCount> LabelledDocuments::bag(std::size_t i) const {
  if (bags) return (*bags)[i];
  const auto row = words->row(i);
  return {row.begin(), row.end()};
}

double most_label_work(std::size_t labels) {
  return kMostWork * std::clamp(static_cast<double>(labels) / 60, 1.0, 4.0);
}

std::vector<std::uint32_t> documents_to_learn_from(const LabelledDocuments& documents, Ranks* ranks) {
  const MatrixView vectors = documents.vectors;
  std::vector<std::uint32_t> useful;
  std::uint64_t numbers = 0;
  for (std::uint32_t i = 0; i < documents.labels.size(); ++i) {
    const double length = vectors.columns > 0 ? length_of(vectors.row(i)) : 0;
    const std::size_t words = documents.has_words() ? documents.words_in(i) : 0;
    if (documents.labels[i].empty() || !std::isfinite(length) || (length <= 0 && words == 0)) continue;
    useful.push_back(i);
    numbers += vectors.columns + words;
  }
  std::vector<std::uint64_t> with(documents.label_count);
  for (const std::int32_t label : documents.labels.values()) ++with[static_cast<std::size_t>(label)];
  const Placement all = ranks ? Placement(*ranks, useful.size()) : Placement(useful.size());
  if (ranks) {
    ranks->add_up(with);
    ranks->add_up({&numbers, 1});
  }
  double work = 1;
  for (const std::uint64_t count : with) work += count >= kFewestOfLabel ? products(count) : 0;
  const std::size_t each = numbers / std::max<std::size_t>(1, all.all());
  const std::size_t most =
      std::min(std::max(kLeastDocuments, static_cast<std::size_t>(most_label_work(documents.label_count) / work)),
               kMostNumbers / std::max<std::size_t>(1, each));
  std::vector<std::uint32_t> chosen;
  for (const std::uint32_t n : even_sample(all.all(), most)) {
    if (all.here(n)) chosen.push_back(useful[n - all.begin()]);
  }
  return chosen;
}

GatheredDocuments::GatheredDocuments(const LabelledDocuments& own, std::span<const std::uint32_t> chosen, Ranks& ranks)
    : label_count_(own.label_count), width_(own.vectors.columns), tfidf_(own.tfidf) {
  Packer packed;
  for (const std::uint32_t i : chosen) {
    packed.add_all(own.labels[i]);
    if (width_ > 0) packed.add_all(own.vectors.row(i));
    if (own.has_words()) pack(own.bag(i), packed);
  }
  if (own.has_words()) words_.emplace();
  if (width_ > 0) vectors_.reserve(sum_of(&ranks, chosen.size()) * width_);
  std::vector<WordCount> bag;
  visit_gathered(ranks, packed.take(), [&](std::span<const std::byte> bytes) {
    for (Unpacker from(bytes); !from.done();) {
      const auto labels = from.next_all<std::int32_t>();
      labels_.values.insert(labels_.values.end(), labels.begin(), labels.end());
      labels_.end_row();
      if (width_ > 0) {
        const auto vector = from.next_all<float>();
        vectors_.insert(vectors_.end(), vector.begin(), vector.end());
      }
      if (!words_) continue;
      unpack(from, bag);
      words_->add_row(bag);
    }
  });
}

LabelledDocuments GatheredDocuments::view() const {
  return {.labels = {labels_.offsets, labels_.values},
          .label_count = label_count_,
          .vectors = {vectors_.data(), width_ > 0 ? labels_.rows() : 0, width_},
          .words = words_ ? &*words_ : nullptr,
          .tfidf = tfidf_};
}

std::vector<std::vector<std::uint32_t>> places_of_labels(std::span<const std::uint32_t> documents,
                                                         const ListsView& labels, std::size_t label_count) {
  std::vector<std::vector<std::uint32_t>> places(label_count);
  for (std::uint32_t n = 0; n < documents.size(); ++n) {
    for (const std::int32_t label : labels[documents[n]]) {
      auto& list = places[static_cast<std::size_t>(label)];
      if (list.empty() || list.back() != n) list.push_back(n);
    }
  }
  return places;
}

std::vector<std::size_t> dealt(std::vector<std::size_t> labels, std::span<const std::vector<std::uint32_t>> places) {
  constexpr std::size_t kHands = 12;
  std::ranges::stable_sort(labels, std::ranges::greater{}, [&](std::size_t k) { return places[k].size(); });
  std::vector<std::size_t> result;
  for (std::size_t hand = 0; hand < kHands; ++hand) {
    for (std::size_t n = hand; n < labels.size(); n += kHands) result.push_back(labels[n]);
  }
  return result;
}

std::size_t labels_together(std::size_t labels, std::size_t documents, std::size_t features, int threads) {
  const auto shares = static_cast<std::size_t>(std::max(1, threads));
  const std::size_t fit = kNumbersTogether / (kNumbersEach * (documents + features)) / shares;
  return std::max<std::size_t>(1, std::min({kMostTogether, fit, (labels + shares - 1) / shares}));
}

SparseFeatures unit_words(const LabelledDocuments& documents, std::span<const std::uint32_t> chosen) {
  if (!documents.has_words()) return SparseFeatures();
  SparseFeatures rows(documents.tfidf->words());
  for (const std::uint32_t i : chosen) {
    const std::vector<WordCount> words = documents.bag(i);
    const double length = documents.tfidf->length(words);
    for (const WordCount& entry : words) {
      rows.add(entry.word, static_cast<float>(static_cast<double>(documents.tfidf->weight(entry)) / length));
    }
    rows.end_row();
  }
  return rows;
}

std::vector<float> unit_vectors(const LabelledDocuments& documents, std::span<const std::uint32_t> chosen,
                                int threads) {
  return documents.vectors.columns == 0 ? std::vector<float>{} : unit_rows(documents.vectors, chosen, threads);
}

}  // namespace idne
