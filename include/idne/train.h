#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"
#include "idne/options.h"
#include "idne/run.h"

namespace idne {

struct MethodInfo {
  std::string_view name, summary;
  bool inductive;                       ///< new documents can be embedded from their texts
  std::size_t usual_neighbours;         ///< hops that it is judged with, unless somebody says otherwise
  std::span<const OptionSpec> options;  ///< of training with it
};

/// The methods that there are, IDNE first.
std::vector<MethodInfo> known_methods();

/// For how many documents training with these options keeps a copy of all in each process of a run; larger corpora are
/// to be read spread (ReadOptions::spread_beyond). Nothing if one process must have all, however many there are.
std::optional<std::size_t> most_documents_kept(std::string_view method, const Options& options);
/// Whether the processes of a run can train the method together; else one of them does it.
bool trains_together(std::string_view method);

struct TrainSeconds {
  double fit = 0, labels = 0, links = 0;  ///< links: what suggested ones are weighed by
};

/// Learns a whole model, ready to be saved and asked: keeps words, fits the method, joins documents with their
/// neighbours where the options say so, and learns to give labels. `options` are over the method's table. Throws Error
/// for a method that is not known, and for a checkpoint of another training. The result does not depend on run.threads,
/// nor on whether run.checkpoint had it go on from before; `seconds`, if given, is told how long it took.
Model train(const Collection& collection, std::string_view method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds = nullptr);

/// The same with less memory: what the collection has is freed as soon as the model has it.
Model train(Collection&& collection, std::string_view method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds = nullptr);

/// What a training's cost depends on.
struct TrainingSize {
  std::uint64_t documents, vocabulary;
  std::uint64_t words;  ///< kept ones of all documents, repeats included
  std::uint64_t labels;
};
struct Forecast {
  std::uint64_t bytes;  ///< of memory, at most at once
  double seconds;
};
/// What `idne train` with its defaults will take on this machine, about: some work of the kind that training does is
/// timed, which takes a few hundredths of a second. docs/check.md says how far off it is.
Forecast forecast_training(const TrainingSize& size, int threads);

/// How well some number of topics would do.
struct TopicsTried {
  std::size_t topics;
  double coherence;  ///< mean NPMI of their first ten words on documents that these were not chosen on
  double npmi;       ///< on those that they were chosen on
  double diversity;  ///< distinct words among their first ten
  bool chosen;       ///< the number that `--topics auto` would choose of these
};
/// Fits each of these numbers of topics to a model, without changing it; if there are none, those that `--topics auto`
/// tries.
std::vector<TopicsTried> try_topics(const Model& model, std::span<const std::size_t> numbers, const Run& run);

/// The same model with so many topics, fitted anew; words stay where they are, and so do documents, unless the old
/// topics' gate dropped words, which come back: labels are then learned again. Seconds instead of a training. Throws
/// Error if the model does not keep what this needs.
Model refit_topics(const Model& model, std::size_t topics, const Run& run);

}  // namespace idne
