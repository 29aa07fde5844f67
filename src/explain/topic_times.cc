#include "idne/topic_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "explain/topic_shares.h"
#include "idne/error.h"
#include "idne/topics.h"
#include "math/parallel.h"
#include "text/strings.h"

namespace idne {
namespace {

/// Years, or months, since the year 0; nothing if the date does not tell.
std::optional<std::int64_t> place_of(std::int64_t date, Period by) {
  const std::int64_t year = date / 10000, month = date / 100 % 100;
  if (year < 1) return {};
  if (by == Period::Year) return year;
  if (month < 1 || month > 12) return {};
  return year * 12 + month - 1;
}

std::string period_name(std::int64_t place, Period by) {
  return by == Period::Year ? fmt::format("{:04}", place) : fmt::format("{:04}-{:02}", place / 12, place % 12 + 1);
}

}  // namespace

TopicTimes topic_times(const Model& model, Period by, int threads) {
  const std::span<const std::int64_t> dates = model.documents().dates;
  const TopicShares shares(model, threads);
  const BagsView& bags = model.document_words();
  std::map<std::int64_t, std::vector<std::size_t>> documents_of;
  TopicTimes times;
  times.by = by;
  for (std::size_t i = 0; i < dates.size(); ++i) {
    const auto place = place_of(dates[i], by);
    if (!place) {
      ++times.undated;
    } else if (bags.words()[i].empty()) {
      ++times.wordless;
    } else {
      documents_of[*place].push_back(i);
    }
  }
  if (documents_of.empty()) {
    const bool years =
        by == Period::Month && std::any_of(dates.begin(), dates.end(), [](auto date) { return date > 0; });
    throw Error(years ? "no document of this model has a date that tells its month; use --by year"
                      : "no document of this model has a date: give \"date\" in documents.jsonl and train again");
  }
  const std::size_t topics = shares.topics();
  times.names = topic_names(model, threads);
  std::vector<const std::vector<std::size_t>*> lists;
  for (const auto& [place, documents] : documents_of) {
    times.places.push_back(place);
    times.periods.push_back(period_name(place, by));
    times.documents.push_back(documents.size());
    lists.push_back(&documents);
  }
  std::vector<std::vector<double>> sums(lists.size(), std::vector<double>(topics));
  parallel_for(threads, lists.size(), [&](std::size_t p, std::size_t) {
    std::vector<double> one(topics);
    for (const std::size_t document : *lists[p]) {
      shares.of_bag(bags[document], one);
      for (std::size_t k = 0; k < topics; ++k) sums[p][k] += one[k];
    }
  });
  times.shares.assign(topics, std::vector<double>(lists.size()));
  times.all.assign(topics, 0);
  double count = 0;
  for (std::size_t p = 0; p < lists.size(); ++p) {
    const auto documents = static_cast<double>(times.documents[p]);
    count += documents;
    for (std::size_t k = 0; k < topics; ++k) {
      times.shares[k][p] = sums[p][k] / documents;
      times.all[k] += sums[p][k];
    }
  }
  for (double& share : times.all) share /= count;
  const double due = count / static_cast<double>(lists.size()) / 2;
  for (const std::vector<double>& topic : times.shares) {
    std::size_t peak = TopicTimes::kNone;
    for (std::size_t p = 0; p < lists.size(); ++p) {
      if (static_cast<double>(times.documents[p]) < due) continue;
      if (peak == TopicTimes::kNone || topic[p] > topic[peak]) peak = p;
    }
    times.peaks.push_back(peak);
  }
  return times;
}

std::string times_tsv(const TopicTimes& times) {
  std::string text = fmt::format("{}\tdocuments", times.by == Period::Year ? "year" : "month");
  for (const std::string& name : times.names) text += fmt::format("\t{}", tsv_cell(name));
  text += '\n';
  for (std::size_t p = 0; p < times.periods.size(); ++p) {
    text += fmt::format("{}\t{}", times.periods[p], times.documents[p]);
    for (const auto& shares : times.shares) text += fmt::format("\t{:.6f}", shares[p]);
    text += '\n';
  }
  return text;
}

}  // namespace idne
