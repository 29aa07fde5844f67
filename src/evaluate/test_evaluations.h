#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "idne/evaluate.h"
#include "idne/generate.h"
#include "temp_folder.h"

/// Corpora and evaluations that several tests use.
namespace idne {

/// 300 documents of three fields, which are their labels; hard enough that no figure is 1.
inline Collection three_fields() {
  const TempFolder folder;
  GenerateOptions options;
  options.documents = 300;
  options.fields = 3;
  options.words = 30;
  options.field_words = 0.12;
  generate_corpus(options, folder.path(), {});
  return read_collection(folder.path(), {}, {});
}

inline Cell cell(std::string contestant, Task task, double ratio, std::vector<double> values, std::string failure = "",
                 std::string metric = "micro_auc") {
  std::vector<std::size_t> repeats(values.size());
  std::iota(repeats.begin(), repeats.end(), 0u);
  return {std::move(contestant), task, ratio, std::move(metric), std::move(values),
          std::move(repeats),    1.5,  0.25,  std::move(failure)};
}

inline Evaluation evaluation_of(std::vector<Cell> cells) {
  Evaluation evaluation;
  evaluation.corpus = "cora";
  evaluation.documents = 2211;
  evaluation.links = 5001;
  evaluation.labels = 7;
  evaluation.repeats = 3;
  evaluation.cells = std::move(cells);
  return evaluation;
}

/// Two methods at two ratios and on hidden documents, where the second cannot go.
inline Evaluation small() {
  return evaluation_of({cell("idne", Task::Classification, 0.02, {0.95, 0.96, 0.97}),
                        cell("idne", Task::Classification, 0.1, {0.97, 0.97, 0.97}),
                        cell("idne", Task::InductiveLinks, 0.1, {0.91, 0.92, 0.93}),
                        cell("cane", Task::Classification, 0.02, {0.90, 0.91, 0.92}),
                        cell("cane", Task::Classification, 0.1, {0.99, 0.98, 0.97}),
                        cell("cane", Task::InductiveLinks, 0.1, {}, "cannot embed new documents")});
}

}  // namespace idne
