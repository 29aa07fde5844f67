#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace idne {

using OptionValue = std::variant<std::int64_t, double, std::string>;

/// One option, described once: the command line, its help, the checks and the model file all read this.
struct OptionSpec {
  std::string name;  ///< as on the command line, without the dashes
  OptionValue fallback;
  std::string help;
  double least = 0, most = 0;        ///< range of a number
  std::vector<std::string> choices;  ///< of a word; empty: any text
  /// The value in the paper's setting, `--preset paper`, where that is not the default. A table in which any option has
  /// one has the option `preset`, best|paper.
  std::optional<OptionValue> paper = {};

  /// "1 … 4096", "relu|softmax" or "TEXT".
  std::string range() const;
};

/// "0.25", "32" or "relu".
std::string to_text(const OptionValue& value);

/// Values for a table of options, in the table's order; starts with the defaults.
class Options {
 public:
  explicit Options(std::span<const OptionSpec> table);

  /// Throws Error that names the option and its range. Setting `preset` changes the options that are not set by name,
  /// before or after.
  void set(std::string_view name, std::string_view text);
  bool has(std::string_view name) const;

  std::int64_t integer(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
  double real(std::string_view name) const { return std::get<double>(value(name)); }
  const std::string& text(std::string_view name) const { return std::get<std::string>(value(name)); }
  const OptionValue& value(std::string_view name) const;

  std::span<const OptionSpec> table() const { return table_; }

 private:
  std::size_t index(std::string_view name) const;

  std::span<const OptionSpec> table_;
  std::vector<OptionValue> values_;
  std::vector<bool> named_;  ///< set by name
};

}  // namespace idne
