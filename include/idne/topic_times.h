#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "idne/model.h"

/// Topics over time, for models whose documents have dates.
namespace idne {

enum class Period { Year, Month };

struct TopicTimes {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  Period by = Period::Year;
  std::vector<std::string> periods;         ///< "2015" or "2015-03": those that have documents with words, in order
  std::vector<std::int64_t> places;         ///< each one's number of years, or of months, since the year 0
  std::vector<std::uint64_t> documents;     ///< with words, in each
  std::vector<std::string> names;           ///< of the topics
  std::vector<std::vector<double>> shares;  ///< of each topic, in each period: the mean over its documents
  std::vector<double> all;                  ///< of each topic, over all periods' documents
  /// Of each topic, the period with its largest share: one that has its due of documents, for a mean over a few is no
  /// trend.
  std::vector<std::size_t> peaks;
  std::uint64_t undated = 0;   ///< documents with no date, or none that tells the month
  std::uint64_t wordless = 0;  ///< documents with a date and no word
};

/// Throws Error if the model has no topics, does not keep its documents' words, or none of its documents has a date.
TopicTimes topic_times(const Model& model, Period by, int threads);

/// A chart for each topic, which follows the reader's light or dark theme.
std::string times_svg(const TopicTimes& times, const std::string& title);
/// A row per period: the period, its documents, and the topics' shares under their names.
std::string times_tsv(const TopicTimes& times);

}  // namespace idne
