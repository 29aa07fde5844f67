#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace idne {

/// A flag is a bool; an option that can be given several times, or with several values, is a list.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// One option, described once: the command line, its help, the checks, the model file and Python all read this. Made by
/// the functions below: OptionSpec::whole("topics", 32, "number of topics").within(1, 4096).
struct OptionSpec {
  std::string name;      ///< as on the command line, without the dashes; in capitals if it stands by its place alone
  OptionValue fallback;  ///< tells the type; a number out of range means that there is none
  std::string help;
  double least = 0, most = 0;  ///< range of a number
  std::string word;            ///< what can be said instead of a number; it stands for `word_value`
  std::int64_t word_value = 0;
  std::vector<std::string> choices;  ///< of a text; empty: any
  /// The value in the paper's setting, `--preset paper`, where that is not the default. A table in which any option has
  /// one has the option `preset`, best|paper.
  std::optional<OptionValue> paper = {};
  bool required = false;
  char letter = 0;                    ///< "o" for -o
  std::string shown;                  ///< what the help calls a value, such as FILE
  std::string shown_fallback;         ///< what the help says where the default depends on something
  std::string heading;                ///< of the part of the help that it stands in
  std::vector<std::string> excludes;  ///< options that cannot be given with it
  enum class File { None, Input, Output } file = File::None;  ///< an output must not be an input
  std::vector<std::string> no_files;  ///< values of an input or output that name no file, such as "none"
  std::string replaces;               ///< an input that an output may be all the same: it is read whole before
  std::vector<std::string> inside;    ///< what is written in it, if an output is a folder
  char between = 0;                   ///< what separates the values of a list given at once

  static OptionSpec whole(std::string name, std::int64_t fallback, std::string help);
  static OptionSpec real(std::string name, double fallback, std::string help);
  static OptionSpec text(std::string name, std::string fallback, std::string help);
  /// The first is the default.
  static OptionSpec choice(std::string name, std::vector<std::string> choices, std::string help);
  static OptionSpec flag(std::string name, std::string help);
  static OptionSpec list(std::string name, std::string help);
  /// A file or folder that is read, or written.
  static OptionSpec input(std::string name, std::string help);
  static OptionSpec output(std::string help);

  OptionSpec within(double least, double most) &&;
  OptionSpec or_word(std::string word, std::int64_t value) &&;
  OptionSpec in_the_paper(OptionValue value) &&;
  OptionSpec needed() &&;
  OptionSpec by_default(OptionValue value) &&;
  OptionSpec by_default_shown(std::string text) &&;
  OptionSpec called(std::string shown) &&;
  OptionSpec under(std::string heading) &&;
  OptionSpec one_of(std::vector<std::string> choices) &&;
  OptionSpec without(std::vector<std::string> others) &&;
  OptionSpec separated_by(char between) &&;
  OptionSpec may_replace(std::string input) &&;

  /// Stands by its place on the command line, as FILE does.
  bool by_place() const { return !name.empty() && name[0] >= 'A' && name[0] <= 'Z'; }
  bool is_number() const {
    return std::holds_alternative<std::int64_t>(fallback) || std::holds_alternative<double>(fallback);
  }
  /// As it is written there: "--topics", "-k" or "FILE".
  std::string written() const;
  /// "1 … 4096", "1 … 4096|auto", "relu|softmax" or "TEXT"; "" for a flag.
  std::string range() const;
  /// What the help says of the value that it has if it is not given; "" if there is none.
  std::string shown_default() const;
  /// A value of it as it would be given: "32", "auto".
  std::string text_of(const OptionValue& value) const;
};

/// "0.25", "32", "relu", "true" or "a,b".
std::string to_text(const OptionValue& value);

/// Values for a table of options, in the table's order; starts with the defaults. The table must live as long.
class Options {
 public:
  explicit Options(std::span<const OptionSpec> table);

  /// Throws Error that names the option and its range. Setting `preset` changes the options that are not set by name,
  /// before or after. Setting a list adds to it.
  void set(std::string_view name, std::string_view text);
  bool has(std::string_view name) const;
  /// Whether it was set.
  bool given(std::string_view name) const { return named_[index(name)]; }

  bool flag(std::string_view name) const { return std::get<bool>(value(name)); }
  std::int64_t integer(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
  std::size_t size(std::string_view name) const { return static_cast<std::size_t>(integer(name)); }
  double real(std::string_view name) const { return std::get<double>(value(name)); }
  const std::string& text(std::string_view name) const { return std::get<std::string>(value(name)); }
  const std::vector<std::string>& list(std::string_view name) const {
    return std::get<std::vector<std::string>>(value(name));
  }
  const OptionValue& value(std::string_view name) const { return values_[index(name)]; }

  std::span<const OptionSpec> table() const { return table_; }

 private:
  std::size_t index(std::string_view name) const;

  std::span<const OptionSpec> table_;
  std::vector<OptionValue> values_;
  std::vector<bool> named_;  ///< set by name
};

}  // namespace idne
