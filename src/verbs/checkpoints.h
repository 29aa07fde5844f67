#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "idne/checkpoint.h"
#include "verbs/options.h"

/// What the verbs that can be resumed share.
namespace idne {

/// --checkpoint and --resume. `what` is kept there: "the training".
std::vector<OptionSpec> checkpoint_options(const std::string& what);
OptionSpec every_option();

/// "30s", "5m", "1h", "500ms", or seconds. Throws UsageError.
std::chrono::duration<double> interval_from(const std::string& text);

/// Told of a checkpoint that will be replaced, and how far it had come.
using ReplacedCheckpoint = std::function<void(const std::filesystem::path& file, const std::string& how_far)>;
/// What the options ask for, opened and checked before any work; null if they do not. `output` is what the verb writes
/// besides; "-" is no file.
std::unique_ptr<Checkpoint> open_checkpoint(const Options& options, const std::string& output,
                                            const ReplacedCheckpoint& note);

}  // namespace idne
