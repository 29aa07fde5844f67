#pragma once

#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/error.h"
#include "idne/options.h"
#include "idne/train.h"

/// Options that several verbs have, and what the library is told by them: for the program and for Python.
namespace idne {

/// Wrong usage: the program's exit code is 2 instead of 1.
class UsageError : public Error {
 public:
  using Error::Error;
};

OptionSpec threads_option();
int threads_of(const Options& options);
/// The methods that there are.
OptionSpec method_option();
/// Throws UsageError that lists them.
MethodInfo method_named(std::string_view name);
OptionSpec strict_option();

/// `spec` as a file that is read or written, where OptionSpec::input and OptionSpec::output do not fit; `no_files` are
/// values that name none.
OptionSpec read_as_file(OptionSpec spec, std::vector<std::string> no_files = {});
OptionSpec written_as_file(OptionSpec spec, std::vector<std::string> no_files = {});
/// `spec` as a folder in which these files are written.
OptionSpec written_as_folder(OptionSpec spec, std::vector<std::string> files);

/// How texts are read and words are kept; "strict" too where the verb has it.
std::vector<OptionSpec> word_options();
ReadOptions read_options(const Options& options);
VocabularyRule vocabulary_rule(const Options& options);

/// Tables one after the other.
std::vector<OptionSpec> joined(std::vector<std::vector<OptionSpec>> tables);
/// The options of `table` with what `given` was given of them. The table must live as long as the result.
Options part_of(const Options& given, std::span<const OptionSpec> table);

}  // namespace idne
