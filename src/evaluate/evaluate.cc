#include "idne/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <tuple>

#include "evaluate/classifier.h"
#include "evaluate/links.h"
#include "evaluate/splits.h"
#include "math/parallel.h"
#include "methods/neighbours.h"
#include "text/vocabulary.h"

namespace idne {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The corpus of some of a collection's documents, as if the others had never been there.
Corpus part_of(const Collection& collection, std::span<const std::uint32_t> documents, const VocabularyRule& rule) {
  KeptWords kept = keep_words(collection.tokens, collection.counts, documents, rule);
  constexpr std::uint32_t kGone = ~0u;
  std::vector<std::uint32_t> place(collection.ids.size(), kGone);
  for (std::uint32_t k = 0; k < documents.size(); ++k) place[documents[k]] = k;
  std::vector<Link> links;
  for (const Link& link : collection.links) {
    if (place[link.a] != kGone && place[link.b] != kGone) links.push_back({place[link.a], place[link.b], link.weight});
  }
  std::vector<Membership> memberships;
  for (const Membership& m : collection.memberships) {
    if (place[m.document] != kGone) memberships.push_back({place[m.document], m.group});
  }
  return {std::move(kept.vocabulary), std::move(kept.counts), Network(documents.size(), links, memberships)};
}

/// The vectors of documents that training did not see, from their words that it did.
std::vector<float> embed_hidden(const Collection& collection, std::span<const std::uint32_t> hidden,
                                const Vocabulary& vocabulary, const Encoder& encoder) {
  std::vector<float> vectors(hidden.size() * encoder.dimensions());
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    std::vector<WordCount> words;
    for (const WordCount& entry : collection.counts.row(hidden[k])) {
      if (const auto word = vocabulary.words.find(collection.tokens[entry.word])) words.push_back({*word, entry.count});
    }
    std::sort(words.begin(), words.end(), [](const WordCount& a, const WordCount& b) { return a.word < b.word; });
    encoder.encode(words, {vectors.data() + k * encoder.dimensions(), encoder.dimensions()});
  }
  return vectors;
}

/// One figure of one repeat.
struct Result {
  double value = 0;
  double train_seconds = 0, score_seconds = 0;
};

/// A piece of work: one training, and all that is scored with it.
struct Job {
  std::size_t contestant;
  std::size_t repeat;
  bool inductive;
};

class Evaluator {
 public:
  Evaluator(const Collection& collection, const EvaluateOptions& options, const Run& run)
      : collection_(collection), options_(options), run_(run) {
    for (std::uint32_t i = 0; i < collection.ids.size(); ++i) {
      const std::size_t count = collection.document_labels.row(i).size();
      if (count > 0) labelled_.push_back(i);
      several_ = several_ || count > 1;
    }
    ratios_ = options.ratios;
    if (ratios_.empty()) {
      ratios_ = several_ ? std::vector{0.1, 0.2, 0.3, 0.4, 0.5} : std::vector{0.02, 0.04, 0.06, 0.08, 0.1};
    }
    check();
  }

  Evaluation run() {
    make_cells();
    const std::vector<Job> jobs = plan();
    const int at_once = static_cast<int>(std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(run_.threads)));
    std::atomic<std::size_t> done{0};
    run_.report({"evaluating", 0, jobs.size()});
    parallel_for(at_once, jobs.size(), [&](std::size_t n, std::size_t worker) {
      if (run_.stopped && run_.stopped()) return;
      Run alone{.threads = std::max(1, run_.threads / at_once), .progress = {}, .stopped = run_.stopped};
      try {
        work(jobs[n], alone);
      } catch (const Interrupted&) {
        return;
      }
      const std::size_t so_far = ++done;
      if (worker == 0) run_.report({"evaluating", so_far, jobs.size()});
    });
    return summary(done < jobs.size());
  }

 private:
  bool wants(Task task) const {
    return std::find(options_.tasks.begin(), options_.tasks.end(), task) != options_.tasks.end();
  }

  void check() const {
    const bool labels = wants(Task::Classification) || wants(Task::InductiveClassification);
    if (labels && (labelled_.size() < 10 || collection_.labels.size() < 2)) {
      throw Error(
          fmt::format("{}: classification needs labels: at least 10 documents with a label, and two labels; "
                      "{} documents have one, and there are {} labels",
                      collection_.name, labelled_.size(), collection_.labels.size()));
    }
    if (wants(Task::InductiveLinks) && collection_.links.empty() && collection_.memberships.empty()) {
      throw Error(collection_.name + ": inductive-links needs links, and the corpus has none");
    }
  }

  /// Which figure: of the joined vectors or, where a contestant has both, of the text alone.
  enum class Row { Main, TextOnly };

  /// One slot a figure, so that threads need not meet and the order of work does not matter.
  void make_cells() {
    const auto add = [&](std::size_t contestant, Row row, Task task, std::size_t ratio, double share) {
      const std::string& name = options_.contestants[contestant].name;
      place_[{contestant, row, task, ratio}] = cells_.size();
      cells_.push_back({row == Row::Main ? name : name + ", text only", task, share, {}, 0, 0, {}});
      results_.emplace_back(options_.repeats);
    };
    for (std::size_t c = 0; c < options_.contestants.size(); ++c) {
      for (const Row row : {Row::Main, Row::TextOnly}) {
        if (row == Row::TextOnly && options_.contestants[c].neighbours == 0) continue;
        for (const Task task : options_.tasks) {
          if (task == Task::Classification) {
            for (std::size_t r = 0; r < ratios_.size(); ++r) add(c, row, task, r, ratios_[r]);
          } else if (row == Row::Main) {
            add(c, row, task, 0, options_.hidden);
          }
        }
      }
    }
  }

  /// Repeats before contestants: an interruption leaves whole rows of comparable figures.
  std::vector<Job> plan() const {
    std::vector<Job> jobs;
    for (std::size_t repeat = 0; repeat < options_.repeats; ++repeat) {
      for (std::size_t c = 0; c < options_.contestants.size(); ++c) {
        if (wants(Task::Classification)) jobs.push_back({c, repeat, false});
        if (wants(Task::InductiveClassification) || wants(Task::InductiveLinks)) jobs.push_back({c, repeat, true});
      }
    }
    return jobs;
  }

  Options seeded(const Contestant& contestant, std::size_t repeat) const {
    Options options = contestant.options;
    for (const OptionSpec& spec : options.table()) {
      if (spec.name == "seed")
        options.set("seed", std::to_string(options.integer("seed") + static_cast<std::int64_t>(repeat)));
    }
    return options;
  }

  /// A ratio's splits are the same whichever other ratios are asked for.
  static std::uint64_t split_key(std::size_t repeat, double ratio) {
    return std::uint64_t{repeat} << 32 | static_cast<std::uint64_t>(std::llround(ratio * 1e6));
  }

  void work(const Job& job, const Run& alone) {
    try {
      job.inductive ? inductive(job, alone) : classification(job, alone);
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {  // one method's failure is no reason to lose the others' figures
      const std::lock_guard lock(mutex_);
      for (const auto& [key, at] : place_) {
        const auto& [contestant, row, task, ratio] = key;
        if (contestant == job.contestant && (task != Task::Classification) == job.inductive) {
          cells_[at].failure = error.what();
        }
      }
    }
  }

  void note(const Job& job, Row row, Task task, std::size_t ratio, Result result) {
    const std::size_t at = place_.at({job.contestant, row, task, ratio});
    if (std::isnan(result.value)) {
      const std::lock_guard lock(mutex_);
      cells_[at].failure = "the vectors or the scores are not numbers, or nothing could be scored";
    }
    results_[at][job.repeat] = result;
  }

  void classification(const Job& job, const Run& alone) {
    const Contestant& contestant = options_.contestants[job.contestant];
    std::vector<std::uint32_t> all(collection_.ids.size());
    std::iota(all.begin(), all.end(), 0u);
    auto start = Clock::now();
    const Corpus corpus = part_of(collection_, all, options_.words);
    const Model model = contestant.method->fit(corpus, seeded(contestant, job.repeat), alone);
    double train_seconds = seconds_since(start);
    if (contestant.neighbours == 0) {
      score_classification(job, Row::Main, model.documents(), train_seconds);
      return;
    }
    score_classification(job, Row::TextOnly, model.documents(), train_seconds);
    start = Clock::now();
    const auto joined = join_neighbours(model.documents(), corpus.network, contestant.neighbours, alone.threads);
    train_seconds += seconds_since(start);
    score_classification(job, Row::Main, {joined.data(), all.size(), joined.size() / all.size()}, train_seconds);
  }

  void score_classification(const Job& job, Row row, MatrixView vectors, double train_seconds) {
    const Lists& labels = collection_.document_labels;
    for (std::size_t r = 0; r < ratios_.size(); ++r) {
      run_.check();
      const auto start = Clock::now();
      Random random(options_.seed, Purpose::Split, split_key(job.repeat, ratios_[r]));
      const Split split = stratified_split(labelled_, labels, ratios_[r], random);
      const Classified classified = classify(vectors, split.chosen, labels, collection_.labels.size(), vectors,
                                             split.rest, options_.seed + job.repeat);
      const double auc = micro_auc(classified.scores, split.rest, labels, collection_.labels.size());
      note(job, row, Task::Classification, r, {auc, train_seconds, seconds_since(start)});
    }
  }

  void inductive(const Job& job, const Run& alone) {
    const Contestant& contestant = options_.contestants[job.contestant];
    if (!contestant.method->inductive()) {
      throw Error(fmt::format("{} cannot embed new documents", contestant.method->name()));
    }
    Random random(options_.seed, Purpose::Hidden, job.repeat);
    const Split split = random_split(collection_.ids.size(), options_.hidden, random);
    const auto& hidden = split.chosen;
    auto start = Clock::now();
    const Corpus corpus = part_of(collection_, split.rest, options_.words);
    const Model model = contestant.method->fit(corpus, seeded(contestant, job.repeat), alone);
    const auto encoder = contestant.method->encoder(model);
    const std::vector<float> vectors = embed_hidden(collection_, hidden, corpus.vocabulary, *encoder);
    const MatrixView rows{vectors.data(), hidden.size(), encoder->dimensions()};
    const double train_seconds = seconds_since(start);
    if (wants(Task::InductiveClassification)) {
      start = Clock::now();
      const double auc = classify_hidden(model.documents(), split.rest, rows, hidden, options_.seed + job.repeat);
      note(job, Row::Main, Task::InductiveClassification, 0, {auc, train_seconds, seconds_since(start)});
    }
    if (wants(Task::InductiveLinks)) {
      start = Clock::now();
      Random pairs(options_.seed, Purpose::Unlinked, job.repeat);
      const double auc = link_auc(rows, hidden_pairs(collection_, hidden, pairs));
      note(job, Row::Main, Task::InductiveLinks, 0, {auc, train_seconds, seconds_since(start)});
    }
  }

  double classify_hidden(MatrixView seen_rows, std::span<const std::uint32_t> seen, MatrixView hidden_rows,
                         std::span<const std::uint32_t> hidden, std::uint64_t seed) const {
    Lists seen_labels, hidden_labels;
    std::vector<std::uint32_t> train, test;
    const auto add = [&](std::span<const std::uint32_t> documents, Lists& labels, std::vector<std::uint32_t>& with) {
      for (std::uint32_t k = 0; k < documents.size(); ++k) {
        const auto row = collection_.document_labels.row(documents[k]);
        labels.values.insert(labels.values.end(), row.begin(), row.end());
        labels.end_row();
        if (!row.empty()) with.push_back(k);
      }
    };
    add(seen, seen_labels, train);
    add(hidden, hidden_labels, test);
    const std::size_t labels = collection_.labels.size();
    const Classified classified = classify(seen_rows, train, seen_labels, labels, hidden_rows, test, seed);
    return micro_auc(classified.scores, test, hidden_labels, labels);
  }

  Evaluation summary(bool interrupted) {
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      for (const auto& result : results_[c]) {
        if (!result || std::isnan(result->value)) continue;
        cells_[c].values.push_back(result->value);
        cells_[c].train_seconds += result->train_seconds;
        cells_[c].score_seconds += result->score_seconds;
      }
      const auto n = std::max<std::size_t>(1, cells_[c].values.size());
      cells_[c].train_seconds /= static_cast<double>(n);
      cells_[c].score_seconds /= static_cast<double>(n);
      if (cells_[c].values.empty() && cells_[c].failure.empty()) cells_[c].failure = "not done";
      if (!cells_[c].failure.empty()) cells_[c].values.clear();
    }
    const Network network(collection_.ids.size(), collection_.links, collection_.memberships);
    return {collection_.name,          collection_.ids.size(), network.links(),
            collection_.labels.size(), labelled_.size(),       several_,
            options_.repeats,          std::move(cells_),      interrupted};
  }

  const Collection& collection_;
  const EvaluateOptions& options_;
  const Run& run_;
  std::vector<double> ratios_;
  std::vector<std::uint32_t> labelled_;
  bool several_ = false;
  std::mutex mutex_;
  std::vector<Cell> cells_;
  std::map<std::tuple<std::size_t, Row, Task, std::size_t>, std::size_t>
      place_;  ///< contestant, row, task, ratio → cell
  std::vector<std::vector<std::optional<Result>>> results_;
};

}  // namespace

Evaluation evaluate(const Collection& collection, const EvaluateOptions& options, const Run& run) {
  return Evaluator(collection, options, run).run();
}

}  // namespace idne
