#include "train/train.h"

#include <algorithm>
#include <chrono>

#include "corpus/corpus.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "model/info_texts.h"
#include "model/reading.h"
#include "model/saved_state.h"
#include "model/tensors.h"
#include "suggest/label_head.h"
#include "suggest/link_weights.h"
#include "train/run_key.h"

namespace idne {
namespace {

Lists links_of(const Network& network) {
  Lists links;
  for (std::uint32_t i = 0; i < network.documents(); ++i) {
    for (const std::uint32_t to : network.linked_documents(i)) links.values.push_back(static_cast<std::int32_t>(to));
    links.end_row();
  }
  return links;
}

Lists groups_of(const Collection& collection) {
  std::vector<std::vector<std::int32_t>> groups(collection.ids.size());
  for (const Membership& m : collection.memberships) groups[m.document].push_back(static_cast<std::int32_t>(m.group));
  Lists lists;
  for (auto& list : groups) {
    std::ranges::sort(list);
    lists.values.insert(lists.values.end(), list.begin(), list.end());
    lists.end_row();
  }
  return lists;
}

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

/// The stage of a checkpoint when the method is done.
constexpr const char* kFitted = "fitted";

/// What the method learns, or learned before.
Model fitted(const Method& method, const Corpus& corpus, const Options& options, const Run& run) {
  if (const SavedState* saved = run.checkpoint ? run.checkpoint->saved(kFitted) : nullptr) {
    Container container = saved->container();
    Model model;
    ModelMaker maker(model);
    maker.info() = take_info(container.texts);
    maker.take(std::move(container.tensors));
    if (model.documents().size() != corpus.documents()) throw Error("the checkpoint does not fit this corpus");
    return model;
  }
  Model model = method.fit(corpus, options, run);
  // A method without steps has saved nothing; one with steps has, and what came after them rarely takes long.
  if (run.checkpoint && (run.checkpoint->empty() || run.checkpoint->due())) {
    SavedState state(kFitted, "the fitted method");
    state.container().texts.merge(info_texts(model.info()));
    state.container().tensors = ModelTensors(model).all();
    run.checkpoint->save(state);
  }
  return model;
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
  if (run.checkpoint) {
    RunKey key{{"the verb", "train"}, {"--method", std::string(method.name())}};
    add_options(options, "", key);
    add_corpus(collection, rule, key);
    run.checkpoint->begin(std::move(key));
  }
  const Corpus corpus = make_corpus(collection, rule);
  run.check();
  Model model = fitted(method, corpus, options, run);
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
  maker.set(layout::kDocumentLinks, links_of(corpus.network));
  if (!collection.memberships.empty()) maker.set(layout::kDocumentGroups, groups_of(collection));
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
