#include "model/document_words.h"

namespace idne {

void store_document_words(Model& model, const CountMatrix& counts) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> values, numbers;
  values.reserve(counts.entries());
  numbers.reserve(counts.entries());
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (const WordCount& entry : counts.row(i)) {
      values.push_back(static_cast<std::int32_t>(entry.word));
      numbers.push_back(static_cast<std::int32_t>(entry.count));
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  model.add("documents.words.offsets", std::move(offsets));
  model.add("documents.words.values", std::move(values));
  model.add("documents.words.counts", std::move(numbers));
}

bool has_document_words(const Model& model) { return model.has("documents.words.values"); }

std::vector<WordCount> document_words(const Model& model, std::size_t document) {
  if (!has_document_words(model)) throw Error("this model does not keep the words of its documents; train it again");
  const auto offsets = model.numbers64("documents.words.offsets");
  const auto values = model.numbers32("documents.words.values"), counts = model.numbers32("documents.words.counts");
  std::vector<WordCount> words;
  const auto end = static_cast<std::size_t>(offsets[document + 1]);
  for (auto n = static_cast<std::size_t>(offsets[document]); n < end; ++n) {
    words.push_back({static_cast<std::uint32_t>(values[n]), static_cast<std::uint32_t>(counts[n])});
  }
  return words;
}

CountMatrix document_words(const Model& model) {
  CountMatrix counts;
  for (std::size_t i = 0; i < model.documents().rows; ++i) counts.add_row(document_words(model, i));
  return counts;
}

}  // namespace idne
