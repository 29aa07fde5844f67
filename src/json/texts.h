#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "idne/check.h"
#include "idne/evaluate.h"
#include "idne/explain.h"
#include "idne/index.h"
#include "idne/model.h"
#include "idne/search.h"
#include "idne/suggest.h"
#include "idne/topic_relations.h"
#include "idne/topic_times.h"
#include "idne/topics.h"
#include "idne/train.h"
#include "idne/update.h"
#include "math/ranks.h"

/// What `--format json` prints: indented, with a newline at the end. Bytes that are no UTF-8 become U+FFFD.
namespace idne {

std::string json_text(const Model& model, const DocumentIndex* index);
std::string json_text(const TopicDescriptions& topics);
std::string json_text(std::span<const SimilarTopics> pairs, std::span<const std::string> names);
/// The topics, and "tree".
std::string json_text(const TopicDescriptions& topics, const TopicTree& tree);
std::string json_text(const TopicTimes& times);
std::string json_text(std::span<const MatchedTopics> matches, double stability);
std::string json_text(std::span<const TopicsTried> tried);
/// The words with the largest and the smallest norms.
std::string json_text(std::span<const WordNorm> largest, std::span<const WordNorm> smallest);
std::string json_text(std::span<const Hit> hits, const Model& model);
std::string json_text(const Suggestions& suggestions, const Model& model);
std::string json_text(const Explanation& explanation, const Model& model);
std::string json_text(const PairExplanation& pair, const Model& model);
std::string json_text(const CorpusCheck& check, const Forecast& forecast, std::span<const Finding> found);
std::string json_text(const Evaluation& evaluation);

// The same on one line that begins with the "id" of the document that was asked about: one of many. `topics` are
// topic_names().
std::string json_line(std::string_view id, std::span<const Hit> hits, const Model& model);
std::string json_line(std::string_view id, const Suggestions& suggestions, const Model& model,
                      std::span<const std::string> topics);
std::string json_line(std::string_view id, const Explanation& explanation, const Model& model,
                      std::span<const std::string> topics);

/// What a training came to.
struct TrainSummary {
  std::filesystem::path file;
  double read_seconds = 0, write_seconds = 0;
  TrainSeconds seconds;
  std::size_t processes = 1;  ///< that did it
  Traffic sent;               ///< by the one that sent most, if there are several
};
std::string json_text(const Model& model, const TrainSummary& summary);
/// What an update came to, and the file that has it.
std::string json_text(const Updated& updated, const std::filesystem::path& file);

}  // namespace idne
