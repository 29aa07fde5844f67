#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "idne/error.h"

namespace idne {

class SavedState;  // src/model/saved_state.h

/// One thing that a run's result depends on: an option and its value, or a part of the corpus and its digest.
struct RunPart {
  std::string name, value;
  bool of_corpus = false;
};
using RunKey = std::vector<RunPart>;

/// A file in which a long run keeps what it has done, so that another can go on from there and end with the same bytes
/// (docs/resume.md). It is replaced as a whole: whenever the process ends, the file is the one before or the one after.
/// Used by one thread at a time.
class Checkpoint {
 public:
  /// To be written to `file` about once in `every`, and when the run is stopped.
  Checkpoint(std::filesystem::path file, std::chrono::duration<double> every);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// To go on from what `file` holds. Throws Error unless that is a whole checkpoint. What a run that was killed left
  /// unfinished beside it is taken away.
  void resume_from(const std::filesystem::path& file);

  /// The file from which a later run could go on: empty while there is none.
  const std::filesystem::path& kept_in() const { return kept_in_; }
  /// How far that came, in words: "4,000 of 5,000 steps".
  const std::string& how_far() const { return how_far_; }

  // What a run asks and tells.

  /// Throws Error that names the first difference if what is resumed was made by a run with another key.
  void begin(RunKey key);
  /// What to go on from, if it is of that stage; else null. Valid until save().
  const SavedState* saved(std::string_view stage) const;
  /// Whether it is time to save.
  bool due() const { return Clock::now() - last_ >= every_; }
  /// Whether nothing is in the file yet that a later run could go on from.
  bool empty() const { return kept_in_.empty(); }
  void save(const SavedState& state);

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_, kept_in_;
  std::chrono::duration<double> every_;
  Clock::time_point last_ = Clock::now();
  RunKey key_;
  std::string how_far_;
  std::unique_ptr<SavedState> saved_;
};

}  // namespace idne
