#pragma once

#include <string>
#include <utility>
#include <vector>

#include "idne/explain.h"
#include "idne/topics.h"

namespace idne {

/// Something suggested for a text, and whether it is true, where that is known.
struct ReportedSuggestion {
  double score;
  std::string name, title;
  bool is_correct = false;
};

/// A new text on a report: what it is about, and what is suggested for it.
struct ReportedText {
  std::string title;
  Explanation explanation;
  std::vector<ReportedSuggestion> labels, links;  ///< the scores are probabilities, and cosines
  std::string remark;                             ///< below them; may be empty
};

struct Report {
  std::string title;
  std::vector<std::pair<std::string, std::string>> figures;  ///< name and value
  TopicDescriptions topics;
  std::vector<ReportedText> texts;
};

/// A whole HTML page without scripts, which loads nothing: what a model has learnt, and what it says of new texts.
std::string report_page(const Report& report);

}  // namespace idne
