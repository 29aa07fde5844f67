#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/checkpoint.h"
#include "idne/run.h"
#include "math/dimension_team.h"
#include "math/kernels.h"
#include "math/random.h"
#include "model/saved_state.h"

/// What the trainers of several methods share.
namespace idne {

/// The stage of a checkpoint that a method writes while it takes steps.
inline constexpr const char* kSteps = "steps";

/// What a method's steps have come to, if the run goes on from there; else null.
inline const SavedState* saved_steps(const Run& run) {
  return run.checkpoint ? run.checkpoint->saved(kSteps) : nullptr;
}

/// Asked between two steps: saves where it is time to, and where the run is stopped, which then throws Interrupted.
/// All processes of the run ask at the same step, and go on or leave together.
void save_or_stop(const Run& run, const std::function<SavedState()>& state);
/// All steps are done: what follows need not wait for them again.
void save_steps(const Run& run, const std::function<SavedState()>& state);

/// A state without anything but how far it came. `unit`: "steps".
SavedState steps_state(std::uint64_t done, std::uint64_t total, std::string_view unit = "steps");

/// Steps that are made ready at once, by all members of a team side by side.
inline constexpr std::size_t kStepsAhead = 16;

/// Training steps begin … end − 1, as a team takes them. Members are numbered as in DimensionTeam::run.
struct StepLoop {
  std::uint64_t begin, end;
  /// Gets what making the next steps ready needs from other processes; nothing if it needs nothing. By one member,
  /// while the others wait.
  std::function<void(std::uint64_t first, std::uint64_t last)> fetch = {};
  /// Makes a step ready in a place below kStepsAhead, where all members can read it. Each step by one member.
  std::function<void(std::size_t member, std::uint64_t step, std::size_t place)> prepare;
  /// Takes the step that is ready in that place. Each step by all members.
  std::function<Work(std::size_t member, std::uint64_t step, std::size_t place)> take;
  /// All members have taken the steps before `done`. Called on the caller's thread, often.
  std::function<void(std::uint64_t done)> taken;
  /// What to report then.
  std::function<Progress()> progress;
  /// All that the steps so far have led to, for the run's checkpoint.
  std::function<SavedState()> state;
};

/// Throws Interrupted between two steps when run.stopped says so. Reports at most ten times a second, and at the end.
/// After Interrupted, or an exception of run.progress, all members have taken the same steps, and training can go on.
void run_steps(DimensionTeam& team, const StepLoop& loop, const Run& run);

/// Rows of `width` numbers between −range and range; row i is of the stream first_stream + i.
std::vector<float> uniform_rows(std::size_t rows, std::size_t width, double range, std::uint64_t seed, Purpose purpose,
                                std::uint64_t first_stream, int threads);

/// What a slice has of each word: its vector, and Adam's moments.
enum class Part : std::size_t { Vector, Mean, Variance };

/// Copies a member's dimensions of the rows, each of `dimensions` numbers, into its slice, and back. Dimensions beyond
/// the last are padding: zero vectors, zero gradients, zero steps.
void copy_into(const WordSlice& slice, std::size_t first_block, std::span<const float> rows, std::size_t dimensions,
               Part part = Part::Vector);
void copy_out_of(const WordSlice& slice, std::size_t first_block, std::vector<float>& rows, std::size_t dimensions,
                 Part part = Part::Vector);

/// Rows of which each process of the team has filled the columns of its blocks, `per_block` for each: afterwards all
/// have all.
void share_columns(const DimensionTeam& team, std::size_t per_block, std::size_t columns, std::vector<float>& rows);

/// All parts of the slices of a team, as NAME, NAME.mean and NAME.variance, whoever owns which dimensions; and back.
/// `slice_of` gives a member's slice. REQUIRES: nobody works on them.
void save_slices(const DimensionTeam& team, const std::function<WordSlice(std::size_t member)>& slice_of,
                 const std::string& name, std::size_t rows, std::size_t dimensions, SavedState& state);
void restore_slices(const DimensionTeam& team, const std::function<WordSlice(std::size_t member)>& slice_of,
                    const std::string& name, std::size_t rows, std::size_t dimensions, const SavedState& state);

}  // namespace idne
