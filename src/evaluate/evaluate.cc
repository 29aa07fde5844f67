#include "evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "evaluate/asked.h"
#include "evaluate/classifier.h"
#include "evaluate/figures.h"
#include "evaluate/finished.h"
#include "evaluate/inductive.h"
#include "evaluate/jobs.h"
#include "evaluate/links.h"
#include "evaluate/rankers.h"
#include "evaluate/rows.h"
#include "evaluate/shared_jobs.h"
#include "evaluate/suggestions.h"
#include "evaluate/with_lsa.h"
#include "math/parallel.h"
#include "methods/neighbour_join.h"
#include "model/reading.h"
#include "train/train.h"

namespace idne {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Evaluator {
 public:
  Evaluator(const Collection& collection, const EvaluateOptions& options, const MethodFinder& find_method,
            const Run& run)
      : collection_(collection), options_(options), run_(run), figures_(options.repeats) {
    for (const Contestant& contestant : options.contestants) {
      rankers_.push_back(find_ranker(contestant.method));
      methods_.push_back(rankers_.back() ? nullptr : &find_method(contestant.method));
    }
    for (std::uint32_t i = 0; i < collection.ids.size(); ++i) {
      const std::size_t count = collection.document_labels.row(i).size();
      if (count > 0) labelled_.push_back(i);
      several_ = several_ || count > 1;
    }
    ratios_ = options.ratios;
    if (ratios_.empty()) {
      ratios_ = several_ ? std::vector{0.1, 0.2, 0.3, 0.4, 0.5} : std::vector{0.02, 0.04, 0.06, 0.08, 0.1};
    }
    check_possible(collection, options, labelled_.size());
  }

  Evaluation run() {
    make_cells();
    std::vector<Job> jobs = plan();
    const std::size_t total = jobs.size();
    leave_out_finished(jobs);
    std::atomic<std::size_t> done{total - jobs.size()};
    run_.report({"evaluating", done, total});
    const auto end_job = [&](JobRun&& job, bool tells) {
      const bool stopped = job.stopped;
      take(std::move(job));
      const std::size_t so_far = stopped ? done.load() : ++done;
      if (tells) run_.report({"evaluating", so_far, total});
    };
    if (run_.ranks) {
      share_jobs(
          run_, jobs.size(), [&](std::size_t n, const Run& alone) { return packed(work(jobs[n], alone)); },
          [&](std::size_t n, std::span<const std::byte> given) { end_job(unpacked(jobs[n], given), true); });
    } else {
      const int at_once = static_cast<int>(std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(run_.threads)));
      parallel_for(at_once, jobs.size(), [&](std::size_t n, std::size_t worker) {
        const Run alone{.threads = std::max(1, run_.threads / at_once), .progress = {}, .stopped = run_.stopped};
        end_job(work(jobs[n], alone), worker == 0);
      });
    }
    return summary(done < total);
  }

 private:
  /// Takes the jobs away that an earlier run did. One of several processes has that run's checkpoint.
  void leave_out_finished(std::vector<Job>& jobs) {
    std::vector<std::uint8_t> finished(jobs.size());
    all_or_none(run_.ranks, [&] {
      if (!run_.checkpoint) return;
      run_.checkpoint->begin(evaluation_key(collection_, options_, ratios_));
      finished_.emplace(*run_.checkpoint, jobs.size());
      for (std::size_t n = 0; n < jobs.size(); ++n) finished[n] = take_finished(jobs[n]);
    });
    if (run_.ranks) run_.ranks->broadcast(0, std::as_writable_bytes(std::span(finished)));
    std::size_t n = 0;
    std::erase_if(jobs, [&](const Job&) { return finished[n++] != 0; });
  }

  /// Notes the figures of a job that is done already; false if it is not.
  bool take_finished(const Job& job) {
    const std::vector<Noted>* noted = finished_->find(job);
    if (!noted) return false;
    for (const Noted& one : *noted) {
      const Figures::Key place{job.contestant, one.row, one.task, one.column};
      if (!figures_.has(place)) throw Error("the checkpoint does not fit this run: it has other figures");
      figures_.note(place, job.repeat, one.result);
    }
    return true;
  }

  /// How a contestant's documents in the network are joined with their neighbours.
  NeighbourJoin::Plan join_of(std::size_t contestant) const {
    return rankers_[contestant] ? NeighbourJoin::Plan() : NeighbourJoin::plan(options_.contestants[contestant].options);
  }

  bool wants(Task task) const { return idne::wants(options_, task); }

  void make_cells() {
    for (std::size_t c = 0; c < options_.contestants.size(); ++c) {
      for (const Row row : {Row::Main, Row::Other, Row::WithLsa}) {
        for (const Task task : options_.tasks) {
          const std::optional<std::string> ending = row_ending(methods_[c], join_of(c).hops, row, task);
          if (!ending) continue;
          const std::string name = options_.contestants[c].name + *ending;
          const auto add = [&](std::size_t column, double share, std::string_view metric) {
            figures_.add({c, row, task, column}, {name, task, share, std::string(metric), {}, {}, 0, 0, {}});
          };
          const auto metrics = metrics_of(task);
          if (task == Task::Classification) {
            for (std::size_t r = 0; r < ratios_.size(); ++r) add(r, ratios_[r], metrics[0]);
          } else {
            for (std::size_t m = 0; m < metrics.size(); ++m) add(m, options_.hidden, metrics[m]);
          }
        }
      }
      if (!rankers_[c]) continue;
      const auto vectors = [](Task task) { return training_of(task) != Training::Suggesting; };
      figures_.fail(c, vectors, "it ranks documents by their words and has no vectors");
      if (!rankers_[c]->labels) {
        figures_.fail(
            c, [](Task task) { return task == Task::SuggestLabels; }, "it ranks documents and has no labels");
      }
    }
  }

  /// Repeats before contestants: an interruption leaves whole rows of comparable figures.
  std::vector<Job> plan() const {
    std::vector<Job> jobs;
    for (std::size_t repeat = 0; repeat < options_.repeats; ++repeat) {
      for (std::size_t c = 0; c < options_.contestants.size(); ++c) {
        for (const Training training : {Training::Whole, Training::Inductive, Training::Suggesting}) {
          const bool wanted =
              std::ranges::any_of(options_.tasks, [&](Task task) { return training_of(task) == training; });
          if (wanted && (methods_[c] || training == Training::Suggesting)) jobs.push_back({c, repeat, training});
        }
      }
    }
    return jobs;
  }

  /// A ratio's splits are the same whichever other ratios are asked for.
  static std::uint64_t split_key(std::size_t repeat, double ratio) {
    return std::uint64_t{repeat} << 32 | static_cast<std::uint64_t>(std::llround(ratio * 1e6));
  }

  JobRun work(const Job& asked, const Run& alone) {
    JobRun job{asked, {}, {}, false};
    try {
      alone.check();
      switch (job.training) {
        case Training::Whole:
          classification(job, alone);
          break;
        case Training::Inductive:
          inductive(job, alone);
          break;
        case Training::Suggesting:
          rankers_[job.contestant] ? ranker_suggestions(job, alone) : method_suggestions(job, alone);
          break;
      }
    } catch (const Interrupted&) {
      job.stopped = true;
    } catch (const std::exception& error) {  // one method's failure is no reason to lose the others' figures
      job.failure = error.what();
    }
    return job;
  }

  /// By several threads at once.
  void take(JobRun&& job) {
    for (const Noted& one : job.noted) {
      figures_.note({job.contestant, one.row, one.task, one.column}, job.repeat, one.result);
    }
    if (!job.failure.empty()) {
      figures_.fail(
          job.contestant, [&](Task task) { return training_of(task) == job.training; }, job.failure);
    }
    if (finished_ && job.good()) finished_->finish(job, std::move(job.noted));
  }

  void classification(JobRun& job, const Run& alone) {
    const Contestant& contestant = options_.contestants[job.contestant];
    auto start = Clock::now();
    const Corpus corpus = make_corpus(collection_, options_.words);
    const Model model = methods_[job.contestant]->fit(corpus, seeded(contestant.options, job.repeat), alone);
    double train_seconds = seconds_since(start);
    const MatrixView text = model.documents().vectors;
    if (methods_[job.contestant]->network_only()) {
      start = Clock::now();
      const std::vector<float> both = joined_with_lsa(text, corpus, job.repeat, alone);
      const double seconds = train_seconds + seconds_since(start);
      score_classification(job, Row::WithLsa, {both.data(), text.rows, both.size() / text.rows}, seconds, alone);
    }
    if (join_of(job.contestant).hops == 0) {
      score_classification(job, Row::Main, text, train_seconds, alone);
      return;
    }
    score_classification(job, Row::Other, text, train_seconds, alone);
    start = Clock::now();
    const auto joined = NeighbourJoin::join_all(text, corpus.network, join_of(job.contestant), alone);
    train_seconds += seconds_since(start);
    score_classification(job, Row::Main, {joined.data(), text.rows, joined.size() / text.rows}, train_seconds, alone);
  }

  void score_classification(JobRun& job, Row row, MatrixView vectors, double train_seconds, const Run& alone) {
    const Lists& labels = collection_.document_labels;
    for (std::size_t r = 0; r < ratios_.size(); ++r) {
      alone.check();
      const auto start = Clock::now();
      Random random(options_.seed, Purpose::Split, split_key(job.repeat, ratios_[r]));
      const Split split = stratified_split(labelled_, labels, ratios_[r], random);
      const Classified classified = classify(vectors, split.chosen, labels, collection_.labels.size(), vectors,
                                             split.rest, options_.seed + job.repeat, alone.stopped);
      const double auc = micro_auc(classified.scores, split.rest, labels, collection_.labels.size());
      job.note(row, Task::Classification, r, {auc, train_seconds, seconds_since(start)});
    }
  }

  /// The same for all contestants, and for all tasks that hide documents.
  Split hidden_split(std::size_t repeat) const {
    Random random(options_.seed, Purpose::Hidden, repeat);
    return random_split(collection_.ids.size(), options_.hidden, random);
  }

  void inductive(JobRun& job, const Run& alone) {
    const Contestant& contestant = options_.contestants[job.contestant];
    const Method& method = *methods_[job.contestant];
    if (!method.inductive()) throw Error(fmt::format("{} cannot embed new documents", method.name()));
    const Split split = hidden_split(job.repeat);
    const auto& hidden = split.chosen;
    auto start = Clock::now();
    const Corpus corpus = make_corpus(part_of(collection_, split.rest), options_.words);
    const Model model = method.fit(corpus, seeded(contestant.options, job.repeat), alone);
    const auto encoder = method.encoder(model);
    const std::vector<float> vectors = embed_hidden(collection_, hidden, corpus, *encoder);
    const MatrixView rows{vectors.data(), hidden.size(), encoder->dimensions()};
    const double train_seconds = seconds_since(start);
    if (wants(Task::InductiveClassification)) {
      start = Clock::now();
      const double auc =
          classify_hidden(collection_, split, {model, corpus, *encoder}, rows, options_.seed + job.repeat, alone);
      job.note(Row::Main, Task::InductiveClassification, 0, {auc, train_seconds, seconds_since(start)});
    }
    if (wants(Task::InductiveLinks)) {
      start = Clock::now();
      Random pairs(options_.seed, Purpose::Unlinked, job.repeat);
      const double auc = link_auc(rows, hidden_pairs(collection_, hidden, pairs));
      job.note(Row::Main, Task::InductiveLinks, 0, {auc, train_seconds, seconds_since(start)});
    }
  }

  Questions questions(const Split& split, const Collection& seen, const StringTable& vocabulary,
                      const Joins& joins) const {
    return {known_words(collection_, split.chosen, vocabulary, joins), truth_of_hidden(collection_, split, seen)};
  }

  /// What is measured is what a user gets: the seen documents go through the whole of a training.
  void method_suggestions(JobRun& job, const Run& alone) {
    const Method& method = *methods_[job.contestant];
    if (!method.inductive()) throw Error(fmt::format("{} cannot embed new documents", method.name()));
    const Split split = hidden_split(job.repeat);
    const auto start = Clock::now();
    const Collection seen = part_of(collection_, split.rest);
    Options options = seeded(options_.contestants[job.contestant].options, job.repeat);
    if (options.has("neighbours")) options.set("neighbours", "0");
    const Model model = train(seen, method, options, options_.words, alone);
    const TextEncoder encoder(model);
    const Questions asked = questions(split, seen, encoder.vocabulary(), joins_of(model));
    const double train_seconds = seconds_since(start);
    const auto whole = method.judged_whole() ? Row::Main : Row::Other;
    const auto vectors = method.judged_whole() ? Row::Other : Row::Main;
    judge(job, whole, *whole_adviser(encoder), asked, train_seconds, alone);
    judge(job, vectors, *vector_adviser(encoder, wants(Task::SuggestLabels), alone), asked, train_seconds, alone);
  }

  void ranker_suggestions(JobRun& job, const Run& alone) {
    const RankerInfo& ranker = *rankers_[job.contestant];
    const Split split = hidden_split(job.repeat);
    const auto start = Clock::now();
    const Collection seen = part_of(collection_, split.rest);
    const Corpus corpus = make_corpus(seen, options_.words);
    const Lists* labels = wants(Task::SuggestLabels) ? &seen.document_labels : nullptr;
    const auto adviser = make_ranker(ranker, corpus, labels, seen.labels.size(), alone);
    const double train_seconds = seconds_since(start);
    judge(job, Row::Main, *adviser, questions(split, seen, corpus.vocabulary.words, corpus.joins), train_seconds,
          alone);
  }

  void judge(JobRun& job, Row row, const Adviser& adviser, const Questions& asked, double train_seconds,
             const Run& alone) {
    const auto note_all = [&](Task task, const auto& figures, Clock::time_point start) {
      for (std::size_t m = 0; m < figures.size(); ++m) {
        job.note(row, task, m, {figures[m], train_seconds, seconds_since(start)});
      }
    };
    auto start = Clock::now();
    if (wants(Task::SuggestLinks)) note_all(Task::SuggestLinks, judge_links(adviser, asked, alone), start);
    if (!wants(Task::SuggestLabels) || (rankers_[job.contestant] && !rankers_[job.contestant]->labels)) return;
    start = Clock::now();
    note_all(Task::SuggestLabels, judge_labels(adviser, asked, !several_, alone), start);
  }

  Evaluation summary(bool interrupted) {
    const Network network(collection_.ids.size(), collection_.links, collection_.memberships);
    return {collection_.name,          collection_.ids.size(), network.links(),
            collection_.labels.size(), labelled_.size(),       several_,
            options_.repeats,          figures_.cells(),       interrupted};
  }

  const Collection& collection_;
  const EvaluateOptions& options_;
  const Run& run_;
  std::vector<const Method*> methods_;      ///< of the contestants; null for rankers
  std::vector<const RankerInfo*> rankers_;  ///< null for methods
  std::vector<double> ratios_;
  std::vector<std::uint32_t> labelled_;
  bool several_ = false;
  Figures figures_;
  std::optional<FinishedJobs> finished_;  ///< where there is a checkpoint
};

}  // namespace

Evaluation evaluate(const Collection& collection, const EvaluateOptions& options, const MethodFinder& find,
                    const Run& run) {
  return Evaluator(collection, options, find, run).run();
}

Evaluation evaluate(const Collection& collection, const EvaluateOptions& options, const Run& run) {
  return evaluate(collection, options, &find_method, run);
}

}  // namespace idne
