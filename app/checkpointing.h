#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "terminal.h"
#include "verbs/checkpoints.h"

/// What the verbs that can be resumed share.
namespace idne::app {

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
