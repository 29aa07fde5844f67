#pragma once

#include <optional>
#include <string>
#include <vector>

#include "idne/evaluate.h"
#include "verbs/options.h"

/// `evaluate`: what it takes, and what is judged then.
namespace idne {

/// An option that runs through several values.
struct Sweep {
  std::string name;
  std::vector<std::string> values;
};

/// Apart from the corpus and how its texts are read.
std::vector<OptionSpec> evaluation_options();
/// These are over a table that has evaluation_options() and word_options(). They throw UsageError.
std::optional<Sweep> sweep_from(const Options& options);
EvaluateOptions evaluation_from(const Options& options, const std::optional<Sweep>& sweep);

/// A corpus by its own name, without the folders that it lies in: what a caption wants.
std::string corpus_name(const std::string& corpus);

}  // namespace idne
