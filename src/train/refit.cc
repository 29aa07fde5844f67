#include <algorithm>
#include <map>
#include <numeric>

#include "idne/train.h"
#include "methods/attention.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "methods/topic_fit.h"
#include "model/network_store.h"
#include "model/reading.h"
#include "suggest/label_head.h"

namespace idne {
namespace {

/// The network that a model was trained on; of models before 0.3 without the weights of its links.
Network network_of(const Model& model) {
  const StoredNetwork stored = stored_network(model);
  return Network(model.documents().size(), stored.links, stored.memberships);
}

/// What fitting topics to a model takes.
class Refit {
 public:
  Refit(const Model& model, const Run& run)
      : model_(model),
        run_(run),
        counts_(model.document_words().counts()),
        network_(network_of(model)),
        activation_(activation_of(model) == Activation::Softmax ? Activation::Softmax : Activation::ReluKept) {
    static_cast<void>(model.topics());  // throws if there are none
    Model open = model;
    ModelMaker(open).info().attention = activation_name(activation_);
    const Method& method = find_method(model.info().method);
    // Words that the old topics' gate dropped come back, and then documents are no longer where they were.
    documents_ = encode_all(counts_, *method.encoder(open), run);
    moved_ = documents_ != encode_all(counts_, *method.encoder(model), run);
    families_ = families_of(model);
  }

  FittedTopics fit(std::size_t topics) {
    const MatrixView words = model_.word_vectors();
    const std::size_t width = TopicClusters::width_for(topics);  // so that a number's result is its own
    const auto clusters = clusters_.try_emplace(width, counts_, words.rows, &network_, topics, run_).first;
    std::vector<float> vectors =
        fit_topics(clusters->second, {documents_.data(), counts_.rows(), words.columns}, topics, run_);
    return judge_topics(counts_, words, families_, std::move(vectors), activation_, true, run_);
  }

  Activation activation() const { return activation_; }
  /// Whether documents move.
  bool moved() const { return moved_; }
  std::vector<float> documents() && { return std::move(documents_); }

 private:
  const Model& model_;
  const Run& run_;
  CountMatrix counts_;
  Network network_;
  Activation activation_;
  std::vector<float> documents_;
  bool moved_ = false;
  std::map<std::size_t, TopicClusters> clusters_;  ///< by width
  std::vector<std::uint32_t> families_;
};

}  // namespace

std::vector<TopicsTried> try_topics(const Model& model, std::span<const std::size_t> asked, const Run& run) {
  std::vector<std::size_t> numbers(asked.begin(), asked.end());
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.empty()) numbers = numbers_of_topics_to_try(model.document_words().counts());
  Refit refit(model, run);
  std::vector<TopicsTried> tried;
  std::vector<NumberOfTopics> scores;
  for (const std::size_t number : numbers) {
    run.check();
    const FittedTopics topics = refit.fit(number);
    scores.push_back(how_well(topics));
    const auto mean = [&](const std::vector<float>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    tried.push_back({number, mean(topics.coherence), mean(topics.npmi), topics.diversity, false});
  }
  tried[best_number(scores)].chosen = true;
  return tried;
}

Model refit_topics(const Model& model, std::size_t topics, const Run& run) {
  Refit refit(model, run);
  if (refit.moved() && NeighbourJoin::of(model)) {
    throw Error(
        "words that the old topics dropped would come back and move the documents, which are joined with neighbours "
        "that the model does not keep; train again, with --topic-fit kmeans");
  }
  Model result = model;
  ModelMaker maker(result);
  maker.info().options["topics"] = static_cast<std::int64_t>(topics);
  maker.info().options["topic-fit"] = "kmeans";
  maker.remove(layout::kTopicNames);  // they were of other topics
  store_topics(result, refit.fit(topics), refit.activation());
  if (refit.moved()) {
    const std::size_t width = model.word_vectors().columns, count = model.documents().size();
    maker.set(layout::kDocumentVectors, std::move(refit).documents(), count, width);
    if (model.labels().weights.rows > 0) learn_labels(result, run);
  }
  return result;
}

}  // namespace idne
