#include "evaluate/finished.h"

#include <fmt/format.h>

#include "model/saved_state.h"
#include "text/numbers.h"

namespace idne {
namespace {

constexpr const char* kEvaluating = "evaluating";
constexpr std::size_t kJobNumbers = 4, kFigureNumbers = 3, kFigureReals = 3;

}  // namespace

FinishedJobs::FinishedJobs(Checkpoint& checkpoint, std::size_t total) : checkpoint_(checkpoint), total_(total) {
  if (const SavedState* saved = checkpoint.saved(kEvaluating)) restore(*saved);
}

const std::vector<Noted>* FinishedJobs::find(const Job& job) const {
  const std::lock_guard lock(mutex_);
  const auto found = done_.find(job);
  return found == done_.end() ? nullptr : &found->second;
}

void FinishedJobs::finish(const Job& job, std::vector<Noted> noted) {
  const std::lock_guard lock(mutex_);
  done_[job] = std::move(noted);
  save();
}

/// Jobs: contestant, repeat, training and number of figures; figures: row, task and column, beside value and seconds.
void FinishedJobs::save() const {
  SavedState state(kEvaluating, fmt::format("{} of {} trainings", with_commas(done_.size()), with_commas(total_)));
  std::vector<std::int32_t> jobs, places;
  std::vector<double> values;
  for (const auto& [job, noted] : done_) {
    for (const std::size_t number :
         {job.contestant, job.repeat, static_cast<std::size_t>(job.training), noted.size()}) {
      jobs.push_back(static_cast<std::int32_t>(number));
    }
    for (const Noted& one : noted) {
      places.insert(places.end(), {static_cast<std::int32_t>(one.row), static_cast<std::int32_t>(one.task),
                                   static_cast<std::int32_t>(one.column)});
      values.insert(values.end(), {one.result.value, one.result.train_seconds, one.result.score_seconds});
    }
  }
  state.set_number("job_count", done_.size());
  state.set("jobs", std::move(jobs));
  state.set("figure_places", std::move(places));
  state.set("figures", values);
  checkpoint_.save(state);
}

void FinishedJobs::restore(const SavedState& state) {
  const auto jobs = state.whole("jobs", kJobNumbers * state.number("job_count"));
  const std::vector<double> values = state.reals("figures");
  const auto places = state.whole("figure_places", values.size() / kFigureReals * kFigureNumbers);
  std::size_t at = 0;
  for (std::size_t j = 0; j < jobs.size(); j += kJobNumbers) {
    const auto number = [&](std::size_t k) { return static_cast<std::size_t>(jobs[j + k]); };
    if (number(3) > places.size() / kFigureNumbers - at) {
      throw Error("the checkpoint does not fit this run: it lacks figures");
    }
    std::vector<Noted>& noted = done_[{number(0), number(1), static_cast<Training>(number(2))}];
    for (std::size_t n = 0; n < number(3); ++n, ++at) {
      const std::int32_t* place = &places[kFigureNumbers * at];
      const double* value = &values[kFigureReals * at];
      noted.push_back({static_cast<Row>(place[0]),
                       static_cast<Task>(place[1]),
                       static_cast<std::size_t>(place[2]),
                       {value[0], value[1], value[2]}});
    }
  }
}

}  // namespace idne
