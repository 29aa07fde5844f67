#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "idne/checkpoint.h"
#include "terminal.h"

/// What the verbs that can be resumed share.
namespace idne::app {

/// --checkpoint and --resume. `what` is kept there: "the training".
std::vector<OptionSpec> checkpoint_options(const std::string& what);
OptionSpec every_option();

/// "30s", "5m", "1h", "500ms", or seconds. Throws UsageError.
std::chrono::duration<double> interval_from(const std::string& text);

/// What the options ask for, opened and checked before any work; null if they do not. `output` is what the verb writes
/// besides.
std::unique_ptr<Checkpoint> checkpoint_from(const Options& options, const std::string& output);

/// The same run, with what it has done kept in a checkpoint, unless that is null.
Run kept(const Run& run, Checkpoint* checkpoint);

/// The command that goes on from FILE: the same arguments, as a shell takes them, with --resume FILE.
std::string resuming_command(const std::vector<std::string>& arguments, const std::filesystem::path& file);

/// What to say when a run with a checkpoint is interrupted: what is kept where, and how to go on.
Interrupted stopped_with(const Checkpoint& checkpoint, const std::vector<std::string>& arguments);

}  // namespace idne::app
