#include "methods/training.h"

#include <algorithm>

#include "math/pace.h"
#include "math/parallel.h"

namespace idne {

void run_steps(DimensionTeam& team, const StepLoop& loop, const Run& run) {
  team.run([&](std::size_t member) {
    const bool leads = team[member].number() == 0;
    Pace pace;
    for (std::uint64_t first = loop.begin; first < loop.end; first += kStepsAhead) {
      const std::uint64_t last = std::min<std::uint64_t>(loop.end, first + kStepsAhead);
      if (leads) run.check();
      for (std::uint64_t s = first + member; s < last; s += team.size()) loop.prepare(member, s, s - first);
      team[member].barrier();
      for (std::uint64_t s = first; s < last; ++s) loop.take(member, s, s - first);
      team[member].barrier();  // nobody needs what was made ready any more
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

void copy_into(const WordSlice& slice, std::size_t first_block, const std::vector<float>& rows,
               std::size_t dimensions) {
  const std::size_t from = first_block * kBlock, to = std::min(from + slice.width(), dimensions);
  for (std::size_t row = 0; row * dimensions < rows.size(); ++row) {
    std::copy(rows.data() + row * dimensions + from, rows.data() + row * dimensions + to, slice.word(row));
  }
}

void copy_out_of(const WordSlice& slice, std::size_t first_block, std::vector<float>& rows, std::size_t dimensions) {
  const std::size_t from = first_block * kBlock, to = std::min(from + slice.width(), dimensions);
  for (std::size_t row = 0; row * dimensions < rows.size(); ++row) {
    std::copy_n(slice.word(row), to - from, rows.data() + row * dimensions + from);
  }
}

}  // namespace idne
