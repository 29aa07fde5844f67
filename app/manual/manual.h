#pragma once

#include <string>
#include <vector>

#include "command.h"

/// Man pages and completions of the command line, made from the same tables as the program and its help.
namespace idne::app {

/// A verb as `idne VERB` or `idne VERB KIND` names it, with the options of all methods where they depend on one.
struct Command {
  std::vector<std::string> words;  ///< {"import", "csv"}
  std::string summary, footer;
  std::vector<OptionSpec> options;
  std::vector<std::pair<std::string, std::string>> kinds;  ///< names and summaries; such a command has no options
};
std::vector<Command> all_commands();

/// Whether a value of it is a file's or a folder's name.
bool takes_file(const OptionSpec& spec);
bool takes_value(const OptionSpec& spec);

struct ManualFile {
  std::string name, text;  ///< name: below the folder of all
};
/// man/idne.1, man/idne-train.1 …
std::vector<ManualFile> man_pages(const std::vector<Command>& commands, const std::string& version);
ManualFile bash_completion(const std::vector<Command>& commands);
ManualFile zsh_completion(const std::vector<Command>& commands);
ManualFile fish_completion(const std::vector<Command>& commands);

}  // namespace idne::app
