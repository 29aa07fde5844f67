#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/corpus.h"
#include "idne/options.h"
#include "idne/run.h"

namespace idne {

/// What is judged (docs/protocol.md): vectors, by the paper's three tasks, and what is suggested for new documents.
enum class Task { Classification, InductiveClassification, InductiveLinks, SuggestLinks, SuggestLabels };
/// All of them, the paper's first.
std::span<const Task> known_tasks();
/// Whether suggestions are judged, not vectors.
bool is_suggesting(Task task);
std::string_view task_name(Task task);  ///< "classification", "inductive-classification", "inductive-links" …
/// Throws Error that lists the known ones.
Task find_task(std::string_view name);

/// A plain way to suggest from words alone, which methods are compared with. It learns no vectors: it is judged by the
/// suggestions alone.
struct RankerInfo {
  std::string_view name, summary;
  bool labels;  ///< it suggests labels too
};
std::span<const RankerInfo> known_rankers();

/// A method, or a ranker, as it is to be judged. The name may tell more than the method's own, e.g. "idne topics=4" in
/// a sweep.
struct Contestant {
  std::string name;
  std::string method;
  /// Over the method's table; over none for a ranker. In classification, documents are in the network, and have
  /// neighbours: with `neighbours` above 0 their text vectors are joined with the means over so many hops, and the text
  /// vectors alone are scored in a row of their own ("NAME, text only"). Hidden documents know no neighbours.
  Options options;
};

struct EvaluateOptions {
  std::vector<Contestant> contestants;
  std::vector<Task> tasks;
  std::vector<double> ratios;  ///< shares of labelled documents for classification; empty: the paper's
  std::size_t repeats = 10;
  std::uint64_t seed = 1;
  double hidden = 0.1;  ///< share of documents hidden in all tasks but classification
  VocabularyRule words;
};

/// One cell of the table: a contestant, a task and a ratio (for classification) or a metric (for suggestions).
struct Cell {
  std::string contestant;
  Task task;
  double ratio;                      ///< labelled share in classification, else the hidden share
  std::string metric;                ///< "micro_auc" in the paper's tasks, else "recall@10", "p@1" …
  std::vector<double> values;        ///< of each repeat that is done, 0 to 1, in the order of the repeats
  std::vector<std::size_t> repeats;  ///< the numbers of these repeats: after an interruption some may be missing
  double train_seconds = 0;          ///< mean of a repeat
  double score_seconds = 0;          ///< mean of a repeat
  std::string failure;               ///< why there is no figure: the method cannot do this, or it failed; else empty

  double mean() const;
  double deviation() const;  ///< of a sample (n − 1); 0 for one repeat
  double interval() const;   ///< half the width of the 95 % interval of the mean (Student's t); 0 for one repeat
};

struct Evaluation {
  std::string corpus;
  std::size_t documents = 0, links = 0, labels = 0, labelled = 0;
  bool several_labels = false;  ///< any document has more than one
  std::size_t repeats = 0;      ///< asked for; fewer are done after an interruption
  std::vector<Cell> cells;      ///< by contestant, then task, then ratio or metric
  bool interrupted = false;
};

/// Trains and scores, repeat by repeat, all contestants on the same splits. Repeats run side by side on run.threads;
/// the figures do not depend on how many. When run.stopped says so, what is done is returned; with run.checkpoint each
/// training that is done is kept, and not done again by a run that goes on from there. Throws Error if the
/// corpus lacks what a task needs (labels, links).
Evaluation evaluate(const Collection& collection, const EvaluateOptions& options, const Run& run);

/// How an evaluation is printed. Figures × 100, best of each column marked, then differences to the first contestant,
/// repeat by repeat, with 95 % intervals of their own.
std::string as_table(const Evaluation& evaluation, bool colour, std::size_t width);
std::string as_csv(const Evaluation& evaluation);
std::string as_markdown(const Evaluation& evaluation);
std::string as_latex(const Evaluation& evaluation);

/// A line of a plot: a mean with a band around it at each x.
struct Series {
  std::string name;
  std::vector<double> x, mean, half_width;
};
struct Plot {
  std::string title, x_label, y_label;
  bool logarithmic_x = false;
  std::vector<Series> series;
};
/// An SVG picture: axes, legend, bands; readable on light and dark pages.
std::string as_svg(const Plot& plot);

}  // namespace idne
