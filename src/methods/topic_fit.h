#pragma once

#include <cstdint>
#include <vector>

#include "corpus/corpus.h"
#include "idne/model.h"
#include "idne/run.h"
#include "methods/attention.h"
#include "methods/topic_words.h"

namespace idne {

/// Topic vectors fitted to documents' vectors, row after row (docs/topics.md).
///
/// The documents, each drawn towards its neighbours within two links, are clustered by spherical k-means; then a ridge
/// regression from documents' own vectors to their clusters gives the topics, less their mean. A document's product
/// with a topic is thus how much its text speaks for that cluster, and it is the mean of its words' products. As the
/// topics add up to zero, a word that has a product below zero with one has a product above zero with another.
/// Without a network the documents' own vectors are clustered. Of more than `most_documents` an even sample is taken,
/// and some neighbours of each.
std::vector<float> fit_topics(MatrixView documents, const Network* network, std::size_t topics, std::uint64_t seed,
                              const Run& run, std::size_t most_documents = 20000);

/// The mean over all documents with words of each topic's share: Σ_w Z_kw X_iw / |X_i|.
std::vector<double> topic_shares(const CountMatrix& counts, MatrixView words, MatrixView topics, Activation activation);

/// Puts topics into a model, numbered by their shares, with the coherence of their first ten words: distinctive ones,
/// which are stored too, if the topics are fitted, else those with the largest products.
void store_topics(Model& model, const CountMatrix& counts, MatrixView words, std::vector<float> topics,
                  Activation activation, bool fitted, const Run& run);

}  // namespace idne
