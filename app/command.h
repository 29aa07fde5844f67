#pragma once

#include <functional>
#include <string>
#include <vector>

#include "idne/options.h"
#include "verbs/options.h"

/// What a verb is, apart from how the command line is read.
namespace idne::app {

/// A verb of the program, described once: the command line, its help and its checks come from this.
struct Verb {
  std::string name, summary;
  std::vector<OptionSpec> options;          ///< in the order of the help
  std::string footer;                       ///< of the help: remarks and examples
  std::function<void(const Options&)> run;  ///< given all options of the table, checked
  std::vector<Verb> kinds = {};             ///< verbs of its own instead of all that: `idne import KIND`
  bool over_processes = false;              ///< idne-mpi runs it in all of them; else in one
};

/// Does what `idne ARGUMENTS…` does; throws what that would report.
void run_verb(const std::vector<std::string>& arguments);
/// The same; what it would report, and the exit code.
struct Outcome {
  int code = 0;
  std::string message;
};
Outcome outcome_of(const std::vector<std::string>& arguments);
/// The same, and reports it; gives the exit code.
int run_program(const std::vector<std::string>& arguments);

// Options that several verbs have.
OptionSpec model_option();
OptionSpec corpus_option();
/// A text: FILE, or "-" for stdin, which is also the default.
OptionSpec text_file_option();
OptionSpec format_option(std::vector<std::string> formats);

/// Throws UsageError if an output has no name, or would replace what is read as well.
void check_files(const Options& options);

}  // namespace idne::app
