#include "idne/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "idne/error.h"

namespace idne {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : "|") + word;
  return result;
}

template <class Number>
Number parse(const OptionSpec& spec, std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  const auto real = static_cast<double>(number);
  if (!whole || !(real >= spec.least && real <= spec.most)) {
    throw Error(fmt::format("--{}: '{}' is not {} in {}", spec.name, text,
                            std::is_integral_v<Number> ? "a whole number" : "a number", spec.range()));
  }
  return number;
}

}  // namespace

std::string to_text(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string OptionSpec::range() const {
  if (!choices.empty()) return joined(choices);
  if (std::holds_alternative<std::string>(fallback)) return "TEXT";
  return fmt::format("{:.16g} … {:.16g}", least, most);
}

Options::Options(std::span<const OptionSpec> table) : table_(table) {
  for (const OptionSpec& spec : table) values_.push_back(spec.fallback);
  named_.resize(table.size());
}

bool Options::has(std::string_view name) const {
  return std::any_of(table_.begin(), table_.end(), [&](const OptionSpec& spec) { return spec.name == name; });
}

std::size_t Options::index(std::string_view name) const {
  const auto at = std::find_if(table_.begin(), table_.end(), [&](const OptionSpec& spec) { return spec.name == name; });
  if (at == table_.end()) throw Error(fmt::format("--{}: no such option", name));
  return static_cast<std::size_t>(at - table_.begin());
}

const OptionValue& Options::value(std::string_view name) const { return values_[index(name)]; }

void Options::set(std::string_view name, std::string_view text) {
  const std::size_t at = index(name);
  const OptionSpec& spec = table_[at];
  if (std::holds_alternative<std::int64_t>(spec.fallback)) {
    values_[at] = parse<std::int64_t>(spec, text);
  } else if (std::holds_alternative<double>(spec.fallback)) {
    values_[at] = parse<double>(spec, text);
  } else {
    if (!spec.choices.empty() && std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end()) {
      throw Error(fmt::format("--{}: '{}' is not one of {}", spec.name, text, joined(spec.choices)));
    }
    values_[at] = std::string(text);
  }
  named_[at] = true;
  if (name != "preset") return;
  for (std::size_t k = 0; k < table_.size(); ++k) {
    if (named_[k]) continue;
    values_[k] = text == "paper" && table_[k].paper ? *table_[k].paper : table_[k].fallback;
  }
}

}  // namespace idne
