#pragma once

#include <functional>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/options.h"

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
OptionSpec threads_option();
OptionSpec format_option(std::vector<std::string> formats);
int threads_of(const Options& options);

/// `spec` as a file that is read or written, where OptionSpec::input and OptionSpec::output do not fit; `no_files` are
/// values that name none.
OptionSpec read_as_file(OptionSpec spec, std::vector<std::string> no_files = {});
OptionSpec written_as_file(OptionSpec spec, std::vector<std::string> no_files = {});
/// `spec` as a folder in which these files are written.
OptionSpec written_as_folder(OptionSpec spec, std::vector<std::string> files);

/// Throws UsageError if an output has no name, or would replace what is read as well.
void check_files(const Options& options);

/// How texts are read and words are kept; "strict" too where the verb has it.
std::vector<OptionSpec> word_options();
ReadOptions read_options(const Options& options);
VocabularyRule vocabulary_rule(const Options& options);

/// Tables one after the other.
std::vector<OptionSpec> joined(std::vector<std::vector<OptionSpec>> tables);
/// The options of `table` with what `given` was given of them. The table must live as long as the result.
Options part_of(const Options& given, std::span<const OptionSpec> table);

}  // namespace idne::app
