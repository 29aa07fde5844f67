#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "corpus/corpus.h"
#include "idne/model.h"
#include "idne/run.h"
#include "methods/attention.h"
#include "methods/topic_clusters.h"
#include "methods/topic_words.h"

namespace idne {

/// Topic vectors fitted to clusters of documents (docs/topics.md). `documents` are the vectors of all that are here.
///
/// A ridge regression from documents' own vectors to their clusters gives the topics, less their mean. A document's
/// product with a topic is thus how much its text speaks for that cluster, and it is the mean of its words' products.
/// As the topics add up to zero, a word that has a product below zero with one has a product above zero with another.
struct TopicVectors {
  std::vector<float> vectors;  ///< row after row
  /// The topic whose cluster each document is in; of one that was not looked at, the topic with the largest product.
  std::vector<std::uint32_t> of_document;
};
TopicVectors fit_topics(const TopicClusters& clusters, MatrixView documents, std::size_t topics, const Run& run);
/// The same to clusters that were found of clusters.documents().
TopicVectors fit_topics(const TopicClusters& clusters, const Clusters& found, MatrixView documents, const Run& run);

/// For each document the topic with the largest product.
std::vector<std::uint32_t> topics_by_product(MatrixView documents, MatrixView topics, int threads);

/// The mean over all documents with words of each topic's share: Σ_w Z_kw X_iw / |X_i|.
std::vector<double> topic_shares(const Bags& bags, MatrixView words, MatrixView topics, Activation activation);

/// Topics as a model keeps them.
struct FittedTopics {
  std::vector<float> vectors;  ///< row after row, the one with the largest share first
  std::vector<float> shares, npmi, coherence;
  std::vector<std::uint32_t> of_document;  ///< empty if the topics are not fitted
  std::vector<RankedTopicWords> words;     ///< distinctive ones; none if the topics are not fitted
  double diversity = 0;                    ///< of their first ten words
};

enum class TopicOrder { ByShare, AsTheyAre };
/// Puts topics in order by their shares, unless they stay as they are, finds their words, distinctive ones if they are
/// fitted, else those with the largest products, and measures these. `families`: word_families.
FittedTopics judge_topics(const Bags& bags, MatrixView words, const std::vector<std::uint32_t>& families,
                          TopicVectors topics, Activation activation, bool fitted, const Run& run,
                          TopicOrder order = TopicOrder::ByShare);

void store_topics(Model& model, FittedTopics topics, Activation activation);

/// How many topics a corpus gets where nobody says: no more than 32, and one for each ten documents with words.
std::size_t usual_topics(const Bags& bags);

/// The numbers that `--topics auto` tries: 2, 3, 4, 6, 8, 12 … up to 64, but no more than one for each ten documents.
std::vector<std::size_t> numbers_of_topics_to_try(const Bags& bags);

/// A number of topics, and how well they hold up.
struct NumberOfTopics {
  std::size_t count;
  double coherence;  ///< on held-out documents, in the mean, times diversity
  double error;      ///< standard error of the mean
};
NumberOfTopics how_well(const FittedTopics& topics);
/// The place of the largest number that is not worse than the best by more than the best's error, or a tenth. REQUIRES:
/// some.
std::size_t best_number(const std::vector<NumberOfTopics>& numbers);
/// Topics of the best of these numbers.
FittedTopics best_fitted(const std::vector<std::size_t>& numbers,
                         const std::function<FittedTopics(std::size_t)>& fitted);

}  // namespace idne
