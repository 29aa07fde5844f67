#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/options.h"
#include "terminal.h"

/// Options that are described by a table, as options of a verb; and those that several verbs read texts by.
namespace idne::app {

/// Options as they stand on the command line, by name.
using OptionTexts = std::map<std::string, std::string>;

inline void add_options(CLI::App& verb, std::span<const OptionSpec> table, OptionTexts& values,
                        const std::string& group) {
  for (const OptionSpec& spec : table) {
    verb.add_option_function<std::string>(
            fmt::format("--{}", spec.name),
            [&values, name = spec.name](const std::string& text) { values[name] = text; },
            fmt::format("{} ({})", spec.help, spec.range()))
        ->default_str(to_text(spec.fallback))
        ->type_name("")
        ->group(group);
  }
}

/// Throws UsageError.
inline Options checked(std::span<const OptionSpec> table, const OptionTexts& values) {
  Options options(table);
  try {
    for (const auto& [name, text] : values) options.set(name, text);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  return options;
}

/// How words are chosen; not the methods' business.
inline const std::vector<OptionSpec>& word_table() {
  static const std::vector<OptionSpec> table{
      {"min-count", std::int64_t{5}, "a word is kept if it occurs so often in the corpus", 1, 1e12, {}},
      {"max-share", 0.25, "and in at most this share of the documents", 0, 1, {}},
  };
  return table;
}

/// `values` and `read` must live as long as the verb.
inline void add_word_options(CLI::App& verb, OptionTexts& values, ReadOptions& read) {
  add_options(verb, word_table(), values, "Choosing words");
  verb.add_option("--stop-words", read.stop_words, "words to leave out: a file, 'english' or 'none'")
      ->capture_default_str()
      ->group("Choosing words");
}

/// Throws UsageError.
inline VocabularyRule vocabulary_rule(const OptionTexts& values) {
  const Options options = checked(word_table(), values);
  return {static_cast<std::uint64_t>(options.integer("min-count")), options.real("max-share")};
}

}  // namespace idne::app
