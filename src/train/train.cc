#include "train/train.h"

#include <algorithm>
#include <chrono>

#include "corpus/corpus.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "model/network_store.h"
#include "model/reading.h"
#include "model/tensors.h"
#include "suggest/label_head.h"
#include "suggest/link_weights.h"

namespace idne {
namespace {

void store_info(const Collection& collection, const Network& network, std::string_view method, const Options& options,
                const VocabularyRule& rule, const Model& model, ModelInfo& info) {
  for (const OptionSpec& spec : options.table()) info.options[spec.name] = options.value(spec.name);
  if (model.has_topics()) info.options["topics"] = static_cast<std::int64_t>(model.topics().size());
  info.options["min-count"] = static_cast<std::int64_t>(rule.min_count);
  info.options["max-share"] = rule.max_share;
  info.method = method;
  info.links = network.links();
  info.groups = network.groups();
  info.dropped = collection.dropped.text();
}

/// Of the words that the corpus has, repeats included, those that are not kept.
double share_of_unknown(const Collection& collection, const Corpus& corpus) {
  double all = 0, kept = 0;
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    all += static_cast<double>(collection.counts.length(i));
    kept += static_cast<double>(corpus.counts.length(i));
  }
  return all > 0 ? std::max(0.0, 1 - kept / all) : 0;
}

class Lap {
 public:
  double operator()() {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<MethodInfo> known_methods() {
  std::vector<MethodInfo> known;
  for (const Method* method : methods()) {
    known.push_back({method->name(), method->summary(), method->inductive(), method->usual_neighbours(),
                     training_options(*method)});
  }
  return known;
}

Model train(const Collection& collection, std::string_view method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds) {
  return train(collection, find_method(method), options, rule, run, seconds);
}

Model train(const Collection& collection, const Method& method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds) {
  TrainSeconds taken;
  Lap lap;
  const Corpus corpus = make_corpus(collection, rule);
  run.check();
  Model model = method.fit(corpus, options, run);
  if (const std::size_t hops = NeighbourJoin::hops(options); hops > 0) {
    NeighbourJoin::join_model(model, corpus.network, hops, run);
  }
  ModelMaker maker(model);
  store_info(collection, corpus.network, method.name(), options, rule, model, maker.info());
  store_reading(collection, corpus.joins, maker);
  const auto& words = corpus.vocabulary.words.strings();
  maker.set_strings(layout::kWordStrings, words);
  const std::vector<std::string> shown = shown_words(collection, corpus.vocabulary, corpus.joins);
  if (!std::ranges::equal(shown, words)) maker.set_strings(layout::kWordForms, shown);
  maker.set(layout::kWordCounts,
            std::vector<std::int64_t>(corpus.vocabulary.counts.begin(), corpus.vocabulary.counts.end()));
  maker.set(layout::kDocumentWords, corpus.counts);
  maker.info().unknown_share = share_of_unknown(collection, corpus);
  store_network({collection.links, collection.link_owners, collection.memberships, collection.own_memberships},
                collection.groups.strings(), collection.ids.size(), maker);
  if (!collection.digests.empty()) maker.set(layout::kDocumentDigests, collection.digests);
  maker.set_strings(layout::kDocumentIds, collection.ids.strings());
  maker.set_strings(layout::kDocumentTitles, collection.titles);
  const auto is_date = [](std::int64_t date) { return date != 0; };
  if (std::ranges::any_of(collection.dates, is_date)) maker.set(layout::kDocumentDates, collection.dates);
  maker.set(layout::kDocumentLabels, collection.document_labels);
  maker.set_strings(layout::kLabelNames, collection.labels.strings());
  taken.fit = lap();
  learn_labels(model, run);
  taken.labels = lap();
  learn_link_weights(model, run);
  taken.links = lap();
  if (seconds) *seconds = taken;
  return model;
}

}  // namespace idne
