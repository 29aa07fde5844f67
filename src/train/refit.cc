#include <algorithm>

#include "idne/train.h"
#include "methods/attention.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "methods/topic_fit.h"
#include "model/tensors.h"
#include "suggest/label_head.h"

namespace idne {
namespace {

std::uint64_t seed_of(const ModelInfo& info) {
  const auto found = info.options.find("seed");
  const auto* seed = found == info.options.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return seed ? static_cast<std::uint64_t>(*seed) : 1;
}

}  // namespace

Model refit_topics(const Model& model, std::size_t topics, const Run& run) {
  static_cast<void>(model.topics());  // throws if there are none
  const CountMatrix counts = model.document_words().counts();
  const Method& method = find_method(model.info().method);
  const bool softmax = activation_of(model) == Activation::Softmax;
  const Activation activation = softmax ? Activation::Softmax : Activation::ReluKept;
  const MatrixView words = model.word_vectors();

  Model result = model;
  ModelMaker maker(result);
  maker.info().attention = activation_name(activation);
  maker.info().options["topics"] = static_cast<std::int64_t>(topics);
  maker.info().options["topic-fit"] = "kmeans";
  maker.remove(layout::kTopicNames);  // they were of other topics
  maker.remove(layout::kTopicCoherence);
  // Words that the old topics' gate dropped come back, and then documents are no longer where they were.
  const std::vector<float> before = encode_all(counts, *method.encoder(model), run);
  std::vector<float> documents = encode_all(counts, *method.encoder(result), run);
  const bool moved = documents != before;
  if (moved && NeighbourJoin::of(model)) {
    throw Error(
        "words that the old topics dropped would come back and move the documents, which are joined with neighbours "
        "that the model does not keep; train again, with --topic-fit kmeans");
  }
  const MatrixView view{documents.data(), counts.rows(), words.columns};
  store_topics(result, counts, words, fit_topics(view, nullptr, topics, seed_of(model.info()), run), activation, true,
               run);
  if (moved) {
    maker.set(layout::kDocumentVectors, std::move(documents), counts.rows(), words.columns);
    if (model.labels().weights.rows > 0) learn_labels(result, run);
  }
  return result;
}

}  // namespace idne
