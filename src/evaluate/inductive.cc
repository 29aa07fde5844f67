#include "evaluate/inductive.h"

#include "evaluate/classifier.h"

namespace idne {

std::vector<float> embed_hidden(const Collection& collection, std::span<const std::uint32_t> hidden, const Corpus& seen,
                                const Encoder& encoder) {
  std::vector<float> vectors(hidden.size() * encoder.dimensions());
  const auto words = known_words(collection, hidden, seen.vocabulary.words, seen.joins);
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    encoder.encode(words[k], {vectors.data() + k * encoder.dimensions(), encoder.dimensions()});
  }
  return vectors;
}

double classify_hidden(const Collection& collection, const Split& split, const Seen& seen, MatrixView hidden_rows,
                       std::uint64_t seed, const Run& run) {
  std::vector<float> texts;
  MatrixView seen_rows = seen.model.documents().vectors;
  if (!seen.encoder.documents_are_texts()) {
    texts = encode_all(seen.corpus.counts, seen.encoder, run);
    seen_rows = {texts.data(), seen.corpus.documents(), seen.encoder.dimensions()};
  }
  Lists seen_labels, hidden_labels;
  std::vector<std::uint32_t> train, test;
  const auto add = [&](std::span<const std::uint32_t> documents, Lists& labels, std::vector<std::uint32_t>& with) {
    for (std::uint32_t k = 0; k < documents.size(); ++k) {
      const auto row = collection.document_labels.row(documents[k]);
      labels.values.insert(labels.values.end(), row.begin(), row.end());
      labels.end_row();
      if (!row.empty()) with.push_back(k);
    }
  };
  add(split.rest, seen_labels, train);
  add(split.chosen, hidden_labels, test);
  const std::size_t labels = collection.labels.size();
  const Classified classified = classify(seen_rows, train, seen_labels, labels, hidden_rows, test, seed, run.stopped);
  return micro_auc(classified.scores, test, hidden_labels, labels);
}

}  // namespace idne
