#include "methods/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "math/pace.h"
#include "math/parallel.h"
#include "text/numbers.h"

namespace idne {

namespace {

/// What all processes are to do between two steps. Each is asked, and each gets the same answer.
struct Decision {
  bool stop, save;
};
Decision decide(const Run& run, Decision own) {
  if (!run.ranks) return own;
  const std::vector<Decision> said = all_of(*run.ranks, own);
  return {std::ranges::any_of(said, &Decision::stop), said.front().save};
}

/// Whether a checkpoint is kept, which rank 0 does for all.
bool keeps(const Run& run) { return run.checkpoint != nullptr; }

}  // namespace

void save_or_stop(const Run& run, const std::function<SavedState()>& state) {
  const bool stopped = run.stopped && run.stopped();  // asked once: a stop is not to fall between saving and leaving
  const Decision all = decide(run, {stopped, keeps(run) && (stopped || run.checkpoint->due())});
  if (keeps(run) && (all.save || all.stop)) {
    const SavedState now = state();  // all processes give their part
    if (!run.ranks || run.ranks->first()) run.checkpoint->save(now);
  }
  if (all.stop) throw Interrupted();
}

void save_steps(const Run& run, const std::function<SavedState()>& state) {
  if (!keeps(run)) return;
  const SavedState now = state();
  if (!run.ranks || run.ranks->first()) run.checkpoint->save(now);
}

SavedState steps_state(std::uint64_t done, std::uint64_t total, std::string_view unit) {
  return {kSteps, fmt::format("{} of {} {}", with_commas(done), with_commas(total), unit)};
}

void run_steps(DimensionTeam& team, const StepLoop& loop, const Run& run) {
  team.run([&](std::size_t member) -> Work {
    const bool leads = member == 0;
    Pace pace;
    for (std::uint64_t first = loop.begin; first < loop.end; first += kStepsAhead) {
      const std::uint64_t last = std::min<std::uint64_t>(loop.end, first + kStepsAhead);
      if (leads) save_or_stop(run, loop.state);  // the others may make steps ready, but take none before the barrier
      if (loop.fetch) {
        if (leads) loop.fetch(first, last);
        co_await team[member].barrier();
      }
      for (std::uint64_t s = first + member; s < last; s += team.size()) loop.prepare(member, s, s - first);
      co_await team[member].barrier();
      for (std::uint64_t s = first; s < last; ++s) co_await loop.take(member, s, s - first);
      co_await team[member].barrier();  // nobody needs what was made ready any more
      if (!leads) continue;
      loop.taken(last);
      if (!run.progress) continue;
      if (const Progress progress = loop.progress(); pace.due() || progress.done == progress.total) {
        run.report(progress);
      }
    }
  });
}

std::vector<float> uniform_rows(std::size_t rows, std::size_t width, double range, std::uint64_t seed, Purpose purpose,
                                std::uint64_t first_stream, int threads) {
  std::vector<float> values(rows * width);
  parallel_parts(threads, rows, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      Random random(seed, purpose, first_stream + row);
      for (std::size_t k = 0; k < width; ++k) {
        values[row * width + k] = static_cast<float>(range * (2 * random.uniform() - 1));
      }
    }
  });
  return values;
}

namespace {

/// Calls visit(a row's dimensions in the slice, the same in the rows, how many).
template <class Visit>
void for_each_row(const WordSlice& slice, std::size_t first_block, std::size_t size, std::size_t dimensions, Part part,
                  Visit visit) {
  const std::size_t from = first_block * kBlock, to = std::min(from + slice.width(), dimensions);
  for (std::size_t row = 0; row * dimensions < size; ++row) {
    visit(slice.word(row) + static_cast<std::size_t>(part) * slice.width(), row * dimensions + from, to - from);
  }
}

constexpr std::array<std::pair<Part, std::string_view>, 3> kParts{
    {{Part::Vector, ""}, {Part::Mean, ".mean"}, {Part::Variance, ".variance"}}};

}  // namespace

void copy_into(const WordSlice& slice, std::size_t first_block, std::span<const float> rows, std::size_t dimensions,
               Part part) {
  for_each_row(slice, first_block, rows.size(), dimensions, part,
               [&](float* own, std::size_t at, std::size_t count) { std::copy_n(rows.data() + at, count, own); });
}

void copy_out_of(const WordSlice& slice, std::size_t first_block, std::vector<float>& rows, std::size_t dimensions,
                 Part part) {
  for_each_row(slice, first_block, rows.size(), dimensions, part,
               [&](const float* own, std::size_t at, std::size_t count) { std::copy_n(own, count, rows.data() + at); });
}

void share_columns(const DimensionTeam& team, std::size_t per_block, std::size_t columns, std::vector<float>& rows) {
  if (!team.ranks()) return;
  Ranks& ranks = *team.ranks();
  constexpr std::size_t kRowsAtOnce = 4096;
  const std::size_t count = rows.size() / columns;
  std::vector<float> piece;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const DimensionTeam::Range blocks = team.blocks_of(rank);
    const std::size_t from = std::min(columns, blocks.begin * per_block),
                      to = std::min(columns, blocks.end * per_block);
    const std::size_t width = to - from;
    for (std::size_t begin = 0; begin < count && width > 0; begin += kRowsAtOnce) {
      const std::size_t end = std::min(count, begin + kRowsAtOnce);
      piece.resize((end - begin) * width);
      for (std::size_t row = begin; row < end && rank == ranks.number(); ++row) {
        std::copy_n(rows.data() + row * columns + from, width, piece.data() + (row - begin) * width);
      }
      ranks.broadcast(rank, std::as_writable_bytes(std::span(piece)));
      for (std::size_t row = begin; row < end; ++row) {
        std::copy_n(piece.data() + (row - begin) * width, width, rows.data() + row * columns + from);
      }
    }
  }
}

void save_slices(const DimensionTeam& team, const std::function<WordSlice(std::size_t)>& slice_of,
                 const std::string& name, std::size_t rows, std::size_t dimensions, SavedState& state) {
  for (const auto& [part, ending] : kParts) {
    std::vector<float> values(rows * dimensions);
    for (std::size_t m = 0; m < team.size(); ++m) {
      copy_out_of(slice_of(m), team[m].first_block(), values, dimensions, part);
    }
    share_columns(team, kBlock, dimensions, values);
    state.set(fmt::format("{}{}", name, ending), std::move(values));
  }
}

void restore_slices(const DimensionTeam& team, const std::function<WordSlice(std::size_t)>& slice_of,
                    const std::string& name, std::size_t rows, std::size_t dimensions, const SavedState& state) {
  for (const auto& [part, ending] : kParts) {
    const auto values = state.floats(fmt::format("{}{}", name, ending), rows * dimensions);
    for (std::size_t m = 0; m < team.size(); ++m) {
      copy_into(slice_of(m), team[m].first_block(), values, dimensions, part);
    }
  }
}

}  // namespace idne
