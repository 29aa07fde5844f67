#include "train/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "corpus/corpus.h"
#include "math/buffer.h"
#include "methods/idne.h"
#include "methods/link_regression.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "model/check_meaning.h"
#include "model/info_texts.h"
#include "model/network_store.h"
#include "model/reading.h"
#include "model/saved_state.h"
#include "model/tensors.h"
#include "suggest/label_head.h"
#include "suggest/link_weights.h"
#include "train/rare_words.h"
#include "train/run_key.h"

namespace idne {
namespace {

void store_info(const Collection& collection, std::string_view method, const Options& options,
                const VocabularyRule& rule, const Model& model, ModelInfo& info) {
  for (const OptionSpec& spec : options.table()) info.options[spec.name] = options.value(spec.name);
  if (model.has_topics()) info.options["topics"] = static_cast<std::int64_t>(model.topics().size());
  info.options["min-count"] = static_cast<std::int64_t>(rule.min_count);
  info.options["max-share"] = rule.max_share;
  info.method = method;
  info.dropped = collection.dropped.text();
}

/// Words that the rule leaves out because too many documents have them, and the share of the others, repeats included,
/// that are not kept: what an update compares new documents' words with.
struct LeftOutWords {
  LeftOutWords(const Collection& collection, const Corpus& corpus, const VocabularyRule& rule) {
    std::vector<std::uint64_t> with(collection.tokens.size()), counts(collection.tokens.size());
    std::uint64_t all = 0, kept = 0;
    for (std::size_t i = 0; i < corpus.documents(); ++i) {
      for (const WordCount& entry : collection.counts.row(i)) {
        ++with[entry.word];
        counts[entry.word] += entry.count;
      }
      all += collection.counts.length(i);
      kept += corpus.counts.length(i);
    }
    const Bags bags = corpus.bags();
    if (bags.ranks()) {
      for (std::vector<std::uint64_t>* numbers : {&with, &counts}) bags.ranks()->add_up(*numbers);
      for (std::uint64_t* number : {&all, &kept}) bags.ranks()->add_up({number, 1});
    }
    const double most = rule.max_share * static_cast<double>(bags.documents());
    for (std::size_t token = 0; token < with.size(); ++token) {
      if (static_cast<double>(with[token]) <= most) continue;
      common.push_back(collection.tokens[token]);
      all -= counts[token];
    }
    unknown_share = all > 0 ? std::max(0.0, 1 - static_cast<double>(kept) / static_cast<double>(all)) : 0;
  }
  std::vector<std::string_view> common;
  double unknown_share = 0;
};

template <class... Parts>
void free_all(Parts&... parts) {
  ((parts = Parts()), ...);
}

/// Documents and links as the model keeps them, which takes less memory than what the collection has of them: `own` is
/// the collection itself if it may be emptied of these, else null.
Model stored_documents(const Collection& collection, Collection* own, const Placement& spread) {
  Model model;
  ModelMaker maker(model);
  store_network({collection.links, collection.link_owners, collection.memberships, collection.own_memberships},
                collection.groups.strings(), spread, maker);
  if (own) free_all(own->links, own->link_owners, own->memberships, own->own_memberships);
  if (!collection.digests.empty()) maker.set(layout::kDocumentDigests, collection.digests);
  const auto is_date = [](std::int64_t date) { return date != 0; };
  if (std::ranges::any_of(collection.dates, is_date)) maker.set(layout::kDocumentDates, collection.dates);
  if (own) free_all(own->digests, own->dates);
  maker.set_strings(layout::kDocumentIds, collection.ids.strings());
  if (own) free_all(own->ids);
  maker.set_strings(layout::kDocumentTitles, collection.titles);
  if (own) free_all(own->titles);
  maker.set(layout::kDocumentLabels, collection.document_labels);
  maker.set_strings(layout::kLabelNames, collection.labels.strings());
  if (own) free_all(own->document_labels);
  return model;
}

/// The stage of a checkpoint when the method is done.
constexpr const char* kFitted = "fitted";

/// What the method learns, or learned before. The corpus may have no network afterwards, unless documents are joined
/// with their neighbours.
Model fitted(const Method& method, Corpus& corpus, const Options& options, const Run& run) {
  const bool keeps = run.checkpoint && !corpus.spread;  // where documents are spread, steps alone are kept
  if (const SavedState* saved = keeps ? run.checkpoint->saved(kFitted) : nullptr) {
    Container container = saved->container();
    Model model;
    ModelMaker maker(model);
    maker.info() = take_info(container.texts);
    maker.take(std::move(container.tensors));
    if (model.documents().size() != corpus.documents()) throw Error("the checkpoint does not fit this corpus");
    return model;
  }
  Model model = NeighbourJoin::plan(options).hops > 0 ? method.fit(corpus, options, run)
                                                      : method.fit_freeing(corpus, options, run);
  // A method without steps has saved nothing; one with steps has, and what came after them rarely takes long.
  if (keeps && !run.ranks && (run.checkpoint->empty() || run.checkpoint->due())) {
    SavedState state(kFitted, "the fitted method");
    state.container().texts.merge(info_texts(model.info()));
    state.container().tensors = ModelTensors(model).all();
    run.checkpoint->save(state);
  }
  return model;
}

/// Nobody could load what a training that went astray has learned.
void check_learned(const ModelTensors& tensors) {
  try {
    check_floats(tensors);
  } catch (const Error& error) {
    throw Error(fmt::format("training diverged: {}; a smaller learning rate may help", error.what()));
  }
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

bool trains_together(std::string_view method) { return method == idne_method().name(); }

std::optional<std::size_t> most_documents_kept(std::string_view method, const Options& options) {
  if (!trains_together(method) || NeighbourJoin::plan(options).hops > 0) return {};
  if (options.text("similarity") != "paths") return {};  // walks go everywhere
  return kStartDocuments;
}

namespace {

/// `own` is the collection itself if it may be emptied, else null.
Model train_from(const Collection& collection, Collection* own, const Method& method, const Options& options,
                 const VocabularyRule& rule, const Run& run, TrainSeconds* seconds) {
  TrainSeconds taken;
  Lap lap;
  if (run.checkpoint) {
    RunKey key{{"the verb", "train"}, {"--method", std::string(method.name())}};
    add_options(options, "", key);
    add_corpus(collection, rule, key);
    run.checkpoint->begin(std::move(key));
  }
  Corpus corpus = make_corpus(collection, rule);
  const LeftOutWords left_out(collection, corpus, rule);
  const WordsBeside rare = rare_words(collection, corpus.joins, rule);
  if (own) own->counts = CountMatrix();
  const std::uint64_t links = corpus.network.links(), groups = corpus.network.groups();
  const Model documents = stored_documents(collection, own, corpus.bags().spread());
  give_back_memory();
  run.check();
  Model model = fitted(method, corpus, options, run);
  if (const NeighbourJoin::Plan plan = NeighbourJoin::plan(options); plan.hops > 0) {
    NeighbourJoin::join_model(model, corpus.network, plan, run);
  }
  ModelMaker maker(model);
  if (!corpus.spread) check_learned(maker);
  maker.spread() = corpus.spread;
  store_info(collection, method.name(), options, rule, model, maker.info());
  maker.info().links = links;
  maker.info().groups = groups;
  corpus.network = Network();
  store_reading(collection, corpus.joins, maker);
  const auto& words = corpus.vocabulary.words.strings();
  maker.set_strings(layout::kWordStrings, words);
  const std::vector<std::string> shown = shown_words(collection, corpus.vocabulary, corpus.joins);
  if (!std::ranges::equal(shown, words)) maker.set_strings(layout::kWordForms, shown);
  maker.set(layout::kWordCounts,
            std::vector<std::int64_t>(corpus.vocabulary.counts.begin(), corpus.vocabulary.counts.end()));
  maker.set(layout::kDocumentWords, corpus.counts);
  corpus.counts = CountMatrix();
  maker.info().unknown_share = left_out.unknown_share;
  store_rare_words(rare, maker);
  if (!left_out.common.empty()) maker.set_strings(layout::kCommonWords, left_out.common);
  std::map<std::string, ModelTensors::Tensor> all = maker.all();
  all.insert(ModelTensors(documents).all().begin(), ModelTensors(documents).all().end());
  maker.take(std::move(all));
  corpus = Corpus();
  if (own) *own = Collection();
  give_back_memory();
  taken.fit = lap();
  learn_labels(model, run);
  taken.labels = lap();
  learn_link_weights(model, run);
  taken.links = lap();
  if (seconds) *seconds = taken;
  return model;
}

}  // namespace

Model train(const Collection& collection, std::string_view method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds) {
  return train_from(collection, nullptr, find_method(method), options, rule, run, seconds);
}

Model train(Collection&& collection, std::string_view method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds) {
  Collection own = std::move(collection);
  return train_from(own, &own, find_method(method), options, rule, run, seconds);
}

Model train(const Collection& collection, const Method& method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds) {
  return train_from(collection, nullptr, method, options, rule, run, seconds);
}

}  // namespace idne
