#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "idne/run.h"
#include "math/dimension_team.h"
#include "math/kernels.h"
#include "math/random.h"

/// What the trainers of several methods share.
namespace idne {

/// Steps that are made ready at once, by all members of a team side by side.
inline constexpr std::size_t kStepsAhead = 16;

/// Training steps begin … end − 1, as a team takes them. Members are numbered as in DimensionTeam::run.
struct StepLoop {
  std::uint64_t begin, end;
  /// Makes a step ready in a place below kStepsAhead, where all members can read it. Each step by one member.
  std::function<void(std::size_t member, std::uint64_t step, std::size_t place)> prepare;
  /// Takes the step that is ready in that place. Each step by all members.
  std::function<void(std::size_t member, std::uint64_t step, std::size_t place)> take;
  /// All members have taken the steps before `done`. Called on the caller's thread, often.
  std::function<void(std::uint64_t done)> taken;
  /// What to report then.
  std::function<Progress()> progress;
};

/// Throws Interrupted between two steps when run.stopped says so. Reports at most ten times a second, and at the end.
/// After Interrupted, or an exception of run.progress, all members have taken the same steps, and training can go on.
void run_steps(DimensionTeam& team, const StepLoop& loop, const Run& run);

/// Rows of `width` numbers between −range and range; row i is of the stream first_stream + i.
std::vector<float> uniform_rows(std::size_t rows, std::size_t width, double range, std::uint64_t seed, Purpose purpose,
                                std::uint64_t first_stream, int threads);

/// Copies a member's dimensions of the rows, each of `dimensions` numbers, into its slice, and back. Dimensions beyond
/// the last are padding: zero vectors, zero gradients, zero steps.
void copy_into(const WordSlice& slice, std::size_t first_block, const std::vector<float>& rows, std::size_t dimensions);
void copy_out_of(const WordSlice& slice, std::size_t first_block, std::vector<float>& rows, std::size_t dimensions);

}  // namespace idne
