#include "evaluate/suggestions.h"

#include "math/parallel.h"

namespace idne {
namespace {

/// `scores` gets what `answer` says to each question that has a truth, in their order.
template <class Scores, class Answer>
void ask(const Questions& questions, const std::vector<std::vector<std::uint32_t>>& truth, const Run& run,
         const Answer& answer, Scores& scores) {
  using Answered = decltype(answer(questions.words[0]));
  std::vector<Answered> answers(truth.size());
  parallel_parts(run.threads, truth.size(), 8, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t k = begin; k < end; ++k) {
      if (!truth[k].empty()) answers[k] = answer(questions.words[k]);
    }
  });
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (!truth[k].empty()) scores.add(answers[k], truth[k]);
  }
}

}  // namespace

std::array<double, 3> judge_links(const Adviser& adviser, const Questions& questions, const Run& run) {
  LinkScores scores;
  const auto answer = [&](std::span<const WordCount> words) { return adviser.links(words, kDeepestRank); };
  ask(questions, questions.truth.links, run, answer, scores);
  return scores.figures();
}

std::array<double, 4> judge_labels(const Adviser& adviser, const Questions& questions, bool one_label, const Run& run) {
  LabelScores scores(one_label);
  const auto answer = [&](std::span<const WordCount> words) { return adviser.labels(words); };
  ask(questions, questions.truth.labels, run, answer, scores);
  return scores.figures();
}

}  // namespace idne
