#pragma once

#include <array>

#include "evaluate/adviser.h"
#include "evaluate/hidden.h"

namespace idne {

/// The hidden documents of a repeat as questions: the words of each that training knows, and the right answers.
struct Questions {
  std::vector<std::vector<WordCount>> words;
  HiddenTruth truth;
};

/// The figures of metrics_of(Task::SuggestLinks), over the hidden documents that have a link to a seen one.
std::array<double, 3> judge_links(const Adviser& adviser, const Questions& questions, const Run& run);
/// The figures of metrics_of(Task::SuggestLabels), over the hidden documents that have a label that training saw.
std::array<double, 4> judge_labels(const Adviser& adviser, const Questions& questions, bool one_label, const Run& run);

}  // namespace idne
