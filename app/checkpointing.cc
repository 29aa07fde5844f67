#include "checkpointing.h"

#include <filesystem>

#include "processes.h"

namespace idne::app {
namespace {

namespace fs = std::filesystem;

std::string for_shell(const std::string& argument) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:@%+";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::unique_ptr<Checkpoint> checkpoint_from(const Options& options, const std::string& output) {
  return open_checkpoint(options, output, [](const fs::path& file, const std::string& how_far) {
    tell("idne: {} holds {} of an earlier run, and will be replaced; --resume {} would go on from there\n",
         file.string(), how_far, for_shell(file.string()));
  });
}

Run kept(const Run& run, Checkpoint* checkpoint) {
  Run result = run;
  result.checkpoint = checkpoint;
  return result;
}

std::string resuming_command(const std::vector<std::string>& arguments, const fs::path& file) {
  std::string command = ranks() ? fmt::format("mpirun -n {} idne-mpi", ranks()->size()) : "idne";
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].starts_with("--resume=")) continue;
    if (arguments[k] == "--resume") {
      ++k;
      continue;
    }
    command += " " + for_shell(arguments[k]);
  }
  return command + " --resume " + for_shell(file.string());
}

Interrupted stopped_with(const Checkpoint& checkpoint, const std::vector<std::string>& arguments) {
  if (checkpoint.empty())
    return Interrupted("nothing was written, not even a checkpoint: there was nothing to keep yet");
  return Interrupted(fmt::format("{} holds {}; to go on: {}", checkpoint.kept_in().string(), checkpoint.how_far(),
                                 resuming_command(arguments, checkpoint.kept_in())));
}

}  // namespace idne::app
