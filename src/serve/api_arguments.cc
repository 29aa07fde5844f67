#include "serve/api_arguments.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include "idne/error.h"
#include "json/values.h"
#include "text/strings.h"

namespace idne {
namespace {

using In = ApiParameter::In;
using Type = ApiParameter::Type;

constexpr std::size_t kLongestPairText = 100'000;  // all pairs of words are looked at

[[noreturn]] void bad(const std::string& what) { throw RequestError(400, what); }

std::size_t whole_number(std::string_view name, const Json& value, std::size_t least, std::size_t most) {
  const bool fits =
      value.is_number_unsigned() && value.get<std::uint64_t>() >= least && value.get<std::uint64_t>() <= most;
  if (!fits) bad(fmt::format("\"{}\" must be a whole number from {} to {}", name, least, most));
  return value;
}

void check_text(std::string_view name, const Json& value, std::size_t most) {
  if (!value.is_string()) bad(fmt::format("\"{}\" must be a string", name));
  if (value.get_ref<const std::string&>().size() > most) {
    throw RequestError(413, fmt::format("\"{}\" may have {} bytes", name, most));
  }
}

void check_subject(std::string_view name, const Json& value) {
  const bool one = value.is_object() && value.size() == 1 && (value.contains("text") || value.contains("document"));
  if (!one) bad(fmt::format("\"{}\" must be an object with either \"text\" or \"document\"", name));
  check_text(value.begin().key(), value.front(), kLongestPairText);
}

void check_texts(std::string_view name, const Json& value, std::size_t most) {
  if (!value.is_array()) bad(fmt::format("\"{}\" must be a list of objects with \"text\"", name));
  if (value.size() > most) throw RequestError(413, fmt::format("\"{}\" may have {} entries", name, most));
  for (const Json& entry : value) {
    if (!entry.is_object() || !entry.contains("text")) bad(fmt::format("each of \"{}\" must have a \"text\"", name));
    check_text("text", entry["text"], kLongestText);
  }
}

void check_names(std::string_view name, const Json& value, std::size_t most) {
  if (!value.is_array()) bad(fmt::format("\"{}\" must be a list of strings", name));
  if (value.size() > most) throw RequestError(413, fmt::format("\"{}\" may have {} entries", name, most));
  for (const Json& entry : value) check_text(name, entry, kLongestText);
}

void check(const ApiParameter& parameter, const Json& value) {
  switch (parameter.type) {
    case Type::Text:
      return check_text(parameter.name, value, parameter.most);
    case Type::Number:
      whole_number(parameter.name, value, parameter.least, parameter.most);
      return;
    case Type::Subject:
      return check_subject(parameter.name, value);
    case Type::Names:
      return check_names(parameter.name, value, parameter.most);
    case Type::Texts:
      return check_texts(parameter.name, value, parameter.most);
  }
}

/// A value out of a path or a query, which are texts.
Json from_text(const ApiParameter& parameter, const std::string& text) {
  if (!simdjson::validate_utf8(text)) bad(fmt::format("\"{}\" is not UTF-8", parameter.name));
  if (parameter.type != Type::Number) return text;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Json(number) : Json(text);
}

const ApiParameter& find(const std::vector<ApiParameter>& parameters, std::string_view name, In in) {
  std::string known;
  for (const ApiParameter& parameter : parameters) {
    if (parameter.in != in) continue;
    if (parameter.name == name) return parameter;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", parameter.name);
  }
  bad(fmt::format("there is no \"{}\" here{}", tsv_cell(name), known.empty() ? "" : "; there are: " + known));
}

}  // namespace

ApiArguments::ApiArguments(const std::vector<ApiParameter>& parameters, const ApiInput& input)
    : may_edit_(input.may_edit) {
  const bool has_body = std::any_of(parameters.begin(), parameters.end(),
                                    [](const ApiParameter& parameter) { return parameter.in == In::Body; });
  for (const ApiParameter& parameter : parameters) {
    if (parameter.in == In::Path) values_[std::string(parameter.name)] = from_text(parameter, input.path_part);
  }
  for (const auto& [name, text] : input.query) {
    const ApiParameter& parameter = find(parameters, name, In::Query);
    if (values_.contains(name)) bad(fmt::format("\"{}\" is given twice", tsv_cell(name)));
    values_[name] = from_text(parameter, text);
    check(parameter, values_[name]);
  }
  if (has_body) {
    if (!simdjson::validate_utf8(input.body)) bad("the body is not UTF-8");
    Json json;
    try {
      json = parse_shallow(input.body);
    } catch (const Error&) {
      bad("the body is nested too deeply");
    }
    if (!json.is_object()) bad("the body must be a JSON object");
    for (const auto& [name, value] : json.items()) {
      check(find(parameters, name, In::Body), value);
      values_[name] = value;
    }
  }
  for (const ApiParameter& parameter : parameters) {
    if (parameter.required && !values_.contains(parameter.name)) bad(fmt::format("\"{}\" is needed", parameter.name));
  }
}

std::optional<std::string> ApiArguments::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  return found->second.get<std::string>();
}

std::optional<std::size_t> ApiArguments::number(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  return found->second.get<std::size_t>();
}

std::size_t ApiArguments::number(std::string_view name, std::size_t otherwise) const {
  return number(name).value_or(otherwise);
}

Subject ApiArguments::subject() const {
  Subject subject{text("text"), text("document"), text("word"), number("topic")};
  const int given =
      subject.text.has_value() + subject.document.has_value() + subject.word.has_value() + subject.topic.has_value();
  if (given == 0) bad("\"text\" is needed, or what else can be asked about here");
  if (given > 1) bad("only one thing can be asked about at once");
  return subject;
}

Subject ApiArguments::subject(std::string_view name) const {
  const Json& value = values_.find(name)->second;
  Subject subject;
  (value.contains("text") ? subject.text : subject.document) = value.front().get<std::string>();
  return subject;
}

std::vector<std::string> ApiArguments::names(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  return found->second.get<std::vector<std::string>>();
}

std::vector<std::string> ApiArguments::texts(std::string_view name) const {
  std::vector<std::string> texts;
  for (const Json& entry : values_.find(name)->second) texts.push_back(entry["text"]);
  return texts;
}

}  // namespace idne
