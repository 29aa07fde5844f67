#include "suggest/word_index.h"

#include <algorithm>

#include "suggest/frequencies.h"

namespace idne {
namespace {

/// A document's own share of the length that it is divided by. Chosen among 0.25, 0.5, 0.75 and 1, the plain cosine, on
/// eight corpora (docs/suggest.md).
constexpr double kPivot = 0.75;

std::vector<float> inverse_pivoted_lengths(const BagsView& documents, const Tfidf& tfidf, const Placement* spread) {
  std::vector<double> lengths;
  std::uint64_t with_words = 0;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    lengths.push_back(tfidf.length(documents[i]));
    with_words += lengths.back() > 0;
  }
  double sum = 0;
  add_in_order(
      spread ? spread->ranks() : nullptr,
      [&] {
        for (const double length : lengths) sum += length;
      },
      sum);
  if (spread) spread->ranks()->add_up({&with_words, 1});
  const double mean = with_words > 0 ? sum / static_cast<double>(with_words) : 1;
  std::vector<float> inverse;
  for (const double length : lengths)
    inverse.push_back(static_cast<float>(1 / ((1 - kPivot) * mean + kPivot * length)));
  return inverse;
}

}  // namespace

WordIndex::WordIndex(const BagsView& documents, std::size_t words, const Placement* spread)
    : tfidf_(document_frequencies(documents, words, spread), spread ? spread->all() : documents.size()),
      inverse_lengths_(inverse_pivoted_lengths(documents, tfidf_, spread)),
      offsets_(words + 1) {
  const auto all = documents.words().values();
  for (const std::int32_t word : all) ++offsets_[static_cast<std::size_t>(word) + 1];
  for (std::size_t w = 0; w < words; ++w) offsets_[w + 1] += offsets_[w];
  rows_.resize(all.size());
  weights_.resize(all.size());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t row = 0; row < documents.size(); ++row) {
    for (const WordCount& entry : documents[row]) {
      const std::uint64_t place = next[entry.word]++;
      rows_[place] = row;
      weights_[place] = tfidf_.weight(entry) * inverse_lengths_[row];
    }
  }
}

void WordIndex::add_scores(std::span<const WordCount> text, std::span<float> scores) const {
  const double length = tfidf_.length(text);
  if (!(length > 0)) return;
  for (const WordCount& entry : text) {
    const auto weight = static_cast<float>(static_cast<double>(tfidf_.weight(entry)) / length);
    for (std::uint64_t n = offsets_[entry.word]; n < offsets_[entry.word + 1]; ++n)
      scores[rows_[n]] += weight * weights_[n];
  }
}

std::vector<WordPart> WordIndex::parts(std::span<const WordCount> text, std::size_t document,
                                       std::span<const WordCount> document_words, std::size_t top) const {
  std::vector<WordPart> parts;
  const double scale = static_cast<double>(inverse_lengths_[document]) / tfidf_.length(text);
  auto other = document_words.begin();
  for (const WordCount& entry : text) {
    while (other != document_words.end() && other->word < entry.word) ++other;
    if (other == document_words.end()) break;
    if (other->word != entry.word) continue;
    const double product = static_cast<double>(tfidf_.weight(entry)) * static_cast<double>(tfidf_.weight(*other));
    parts.push_back({entry.word, product * scale});
  }
  std::ranges::stable_sort(parts, std::ranges::greater{}, &WordPart::part);
  parts.resize(std::min(parts.size(), top));
  return parts;
}

}  // namespace idne
