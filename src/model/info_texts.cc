#include "model/info_texts.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "idne/error.h"
#include "model/layout.h"
#include "text/strings.h"

namespace idne {
namespace {

using Texts = std::map<std::string, std::string>;

std::string take(Texts& texts, const layout::Text& text) {
  auto node = texts.extract(std::string(text.key));
  return node ? std::move(node.mapped()) : std::string();
}

template <class Number>
std::optional<Number> take_number(Texts& texts, const layout::Text& text) {
  const std::string digits = take(texts, text);
  if (digits.empty()) return {};
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw Error(fmt::format("\"{}\" is no number: '{}'", text.key, digits));
  }
  return number;
}

struct Writer {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const {
    const std::string digits = fmt::format("{}", value);
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
  }
  std::string operator()(const std::string& value) const { return json_quoted(value); }
  std::string operator()(const std::vector<std::string>& list) const {
    std::string text;
    for (const std::string& one : list) text.append(text.empty() ? "" : ",").append(json_quoted(one));
    return "[" + text + "]";
  }
};

OptionValue value_from(const simdjson::dom::element& element) {
  using Type = simdjson::dom::element_type;
  switch (element.type()) {
    case Type::BOOL:
      return bool(element);
    case Type::INT64:
      return std::int64_t(element);
    case Type::DOUBLE:
      return double(element);
    case Type::STRING:
      return std::string(std::string_view(element));
    case Type::ARRAY: {
      std::vector<std::string> list;
      for (const auto one : simdjson::dom::array(element)) list.emplace_back(std::string_view(one));
      return list;
    }
    default:
      throw Error("its options are not numbers and texts alone");
  }
}

}  // namespace

std::string options_text(const std::map<std::string, OptionValue>& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", json_quoted(name), std::visit(Writer{}, value));
  }
  return "{" + text + "}";
}

std::map<std::string, OptionValue> options_from(std::string_view json) {
  std::map<std::string, OptionValue> options;
  if (json.empty()) return options;
  simdjson::dom::parser parser;
  try {
    for (const auto field : simdjson::dom::object(parser.parse(simdjson::padded_string(json)))) {
      options[std::string(field.key)] = value_from(field.value);
    }
  } catch (const simdjson::simdjson_error&) {
    throw Error("its options are not a JSON object of numbers and texts");
  }
  return options;
}

Texts info_texts(const ModelInfo& info) {
  Texts texts;
  const auto put = [&](const layout::Text& text, std::string value) {
    if (!value.empty()) texts[std::string(text.key)] = std::move(value);
  };
  put(layout::kMethod, info.method);
  put(layout::kOptions, options_text(info.options));
  put(layout::kAttention, info.attention);
  put(layout::kLinks, fmt::format("{}", info.links));
  put(layout::kGroupCount, fmt::format("{}", info.groups));
  put(layout::kDropped, info.dropped);
  if (info.unknown_share) put(layout::kUnknownShare, fmt::format("{:.6f}", *info.unknown_share));
  if (info.rounds) put(layout::kRounds, fmt::format("{}", *info.rounds));
  if (info.loss && std::isfinite(*info.loss)) put(layout::kLoss, fmt::format("{:.6f}", *info.loss));
  return texts;
}

ModelInfo take_info(Texts& texts) {
  ModelInfo info;
  info.method = take(texts, layout::kMethod);
  info.options = options_from(take(texts, layout::kOptions));
  info.attention = take(texts, layout::kAttention);
  info.links = take_number<std::uint64_t>(texts, layout::kLinks).value_or(0);
  info.groups = take_number<std::uint64_t>(texts, layout::kGroupCount).value_or(0);
  info.dropped = take(texts, layout::kDropped);
  info.unknown_share = take_number<double>(texts, layout::kUnknownShare);
  info.rounds = take_number<std::uint64_t>(texts, layout::kRounds);
  info.loss = take_number<double>(texts, layout::kLoss);
  if (info.unknown_share && !(*info.unknown_share >= 0 && *info.unknown_share <= 1)) {
    throw Error(fmt::format("\"{}\" is no share: {}", layout::kUnknownShare.key, *info.unknown_share));
  }
  if (info.loss && !std::isfinite(*info.loss)) info.loss.reset();
  return info;
}

}  // namespace idne
