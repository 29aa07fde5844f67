#include "idne/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "idne/error.h"
#include "text/nearest_name.h"

namespace idne {
namespace {

template <class Number>
Number parse(const OptionSpec& spec, std::string_view text) {
  if (!spec.word.empty() && text == spec.word) return static_cast<Number>(spec.word_value);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  const auto real = static_cast<double>(number);
  if (!whole || !(real >= spec.least && real <= spec.most)) {
    throw Error(fmt::format("{}: '{}' is not {} in {}", spec.written(), text,
                            std::is_integral_v<Number> ? "a whole number" : "a number", spec.range()));
  }
  return number;
}

bool parse_flag(const OptionSpec& spec, std::string_view text) {
  if (text == "true" || text.empty()) return true;
  if (text == "false") return false;
  throw Error(fmt::format("{}: '{}' is neither true nor false", spec.written(), text));
}

void check_choice(const OptionSpec& spec, std::string_view text) {
  if (spec.choices.empty() || std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return;
  throw Error(fmt::format("{}: '{}' is not one of {}{}", spec.written(), text, fmt::join(spec.choices, "|"),
                          hint_at(text, spec.choices)));
}

void add_to_list(const OptionSpec& spec, std::string_view text, std::vector<std::string>& list) {
  while (true) {
    const std::size_t end = spec.between ? std::min(text.find(spec.between), text.size()) : text.size();
    check_choice(spec, text.substr(0, end));
    list.emplace_back(text.substr(0, end));
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

OptionSpec described(std::string name, OptionValue fallback, std::string help) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.fallback = std::move(fallback);
  spec.help = std::move(help);
  return spec;
}

}  // namespace

OptionSpec OptionSpec::whole(std::string name, std::int64_t fallback, std::string help) {
  return described(std::move(name), fallback, std::move(help));
}
OptionSpec OptionSpec::real(std::string name, double fallback, std::string help) {
  return described(std::move(name), fallback, std::move(help));
}
OptionSpec OptionSpec::text(std::string name, std::string fallback, std::string help) {
  return described(std::move(name), std::move(fallback), std::move(help));
}
OptionSpec OptionSpec::choice(std::string name, std::vector<std::string> choices, std::string help) {
  OptionSpec spec = described(std::move(name), choices.front(), std::move(help));
  spec.choices = std::move(choices);
  return spec;
}
OptionSpec OptionSpec::flag(std::string name, std::string help) {
  return described(std::move(name), false, std::move(help));
}
OptionSpec OptionSpec::list(std::string name, std::string help) {
  return described(std::move(name), std::vector<std::string>{}, std::move(help));
}
OptionSpec OptionSpec::input(std::string name, std::string help) {
  OptionSpec spec = described(std::move(name), std::string(), std::move(help));
  spec.file = File::Input;
  return spec;
}
OptionSpec OptionSpec::output(std::string help) {
  OptionSpec spec = described("output", std::string(), std::move(help));
  spec.letter = 'o';
  spec.shown = "FILE";
  spec.file = File::Output;
  return spec;
}

OptionSpec OptionSpec::within(double its_least, double its_most) && {
  least = its_least, most = its_most;
  return std::move(*this);
}
OptionSpec OptionSpec::or_word(std::string its_word, std::int64_t value) && {
  word = std::move(its_word), word_value = value;
  return std::move(*this);
}
OptionSpec OptionSpec::in_the_paper(OptionValue value) && {
  paper = std::move(value);
  return std::move(*this);
}
OptionSpec OptionSpec::needed() && {
  required = true;
  return std::move(*this);
}
OptionSpec OptionSpec::by_default(OptionValue value) && {
  fallback = std::move(value);
  return std::move(*this);
}
OptionSpec OptionSpec::by_default_shown(std::string text) && {
  shown_fallback = std::move(text);
  return std::move(*this);
}
OptionSpec OptionSpec::called(std::string name_of_values) && {
  shown = std::move(name_of_values);
  return std::move(*this);
}
OptionSpec OptionSpec::under(std::string its_heading) && {
  heading = std::move(its_heading);
  return std::move(*this);
}
OptionSpec OptionSpec::one_of(std::vector<std::string> its_choices) && {
  choices = std::move(its_choices);
  return std::move(*this);
}
OptionSpec OptionSpec::without(std::vector<std::string> others) && {
  excludes = std::move(others);
  return std::move(*this);
}
OptionSpec OptionSpec::may_replace(std::string input) && {
  replaces = std::move(input);
  return std::move(*this);
}
OptionSpec OptionSpec::separated_by(char separator) && {
  between = separator;
  return std::move(*this);
}

std::string OptionSpec::written() const { return by_place() ? name : (name.size() == 1 ? "-" : "--") + name; }

std::string OptionSpec::range() const {
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  if (std::holds_alternative<bool>(fallback)) return "";
  if (is_number()) {
    return fmt::format("{:.16g} … {:.16g}{}{}", least, most, word.empty() ? "" : "|", word);
  }
  return "TEXT";
}

std::string OptionSpec::shown_default() const {
  if (required || std::holds_alternative<bool>(fallback)) return "";
  if (!shown_fallback.empty()) return shown_fallback;
  const auto* number = std::get_if<std::int64_t>(&fallback);
  return number && static_cast<double>(*number) < least ? "" : text_of(fallback);
}

std::string OptionSpec::text_of(const OptionValue& value) const {
  const auto* number = std::get_if<std::int64_t>(&value);
  return !word.empty() && number && *number == word_value ? word : to_text(value);
}

std::string to_text(const OptionValue& value) {
  const auto text = [](const auto& one) {
    if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::vector<std::string>>) {
      return fmt::format("{}", fmt::join(one, ","));
    } else {
      return fmt::format("{}", one);
    }
  };
  return std::visit(text, value);
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
  if (at == table_.end()) {
    std::vector<std::string> known;
    for (const OptionSpec& spec : table_) known.push_back(spec.name);
    throw Error(fmt::format("--{}: no such option{}", name, hint_at(name, known)));
  }
  return static_cast<std::size_t>(at - table_.begin());
}

void Options::set(std::string_view name, std::string_view text) {
  const std::size_t at = index(name);
  const OptionSpec& spec = table_[at];
  if (std::holds_alternative<bool>(spec.fallback)) {
    values_[at] = parse_flag(spec, text);
  } else if (std::holds_alternative<std::int64_t>(spec.fallback)) {
    values_[at] = parse<std::int64_t>(spec, text);
  } else if (std::holds_alternative<double>(spec.fallback)) {
    values_[at] = parse<double>(spec, text);
  } else if (std::holds_alternative<std::string>(spec.fallback)) {
    check_choice(spec, text);
    values_[at] = std::string(text);
  } else {
    auto& list = std::get<std::vector<std::string>>(values_[at]);
    if (!named_[at]) list.clear();
    add_to_list(spec, text, list);
  }
  named_[at] = true;
  if (name != "preset") return;
  for (std::size_t k = 0; k < table_.size(); ++k) {
    if (named_[k]) continue;
    values_[k] = text == "paper" && table_[k].paper ? *table_[k].paper : table_[k].fallback;
  }
}

}  // namespace idne
