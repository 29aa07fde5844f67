#include "serve/api.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace idne {
namespace {

using In = ApiParameter::In;
using Type = ApiParameter::Type;

constexpr std::size_t kLongestText = 1'000'000;
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

void check(const ApiParameter& parameter, const Json& value) {
  switch (parameter.type) {
    case Type::Text:
      return check_text(parameter.name, value, parameter.most);
    case Type::Number:
      whole_number(parameter.name, value, parameter.least, parameter.most);
      return;
    case Type::Subject:
      return check_subject(parameter.name, value);
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
  bad(fmt::format("there is no \"{}\" here{}", name, known.empty() ? "" : "; there are: " + known));
}

ApiParameter k(std::string_view description, std::size_t most) {
  return {"k", In::Body, Type::Number, description, false, 1, most};
}
ApiParameter query_number(std::string_view name, std::string_view description, std::size_t least, std::size_t most) {
  return {name, In::Query, Type::Number, description, false, least, most};
}
ApiParameter subject_text() { return {"text", In::Body, Type::Text, "a text", false, 0, kLongestText}; }
ApiParameter subject_document() {
  return {"document", In::Body, Type::Text, "or the id of a document", false, 0, kLongestText};
}

std::vector<ApiEndpoint> make_endpoints() {
  using A = const ApiArguments&;
  using S = const Service&;
  constexpr std::size_t kAny = 1'000'000'000, kMost = 1000;
  return {
      {"GET", "/info", "what the model holds and how it was made", {}, [](S s, A) { return s.info(); }},
      {"GET",
       "/topics",
       "words, share, examples and relatives of each topic",
       {query_number("top", "words a topic, else 10", 1, 50),
        query_number("examples", "documents a topic, else 3", 0, 20)},
       [](S s, A a) { return s.topics(a.number("top", 10), a.number("examples", 3)); }},
      {"GET",
       "/words",
       "words that the model knows, most frequent first",
       {{"prefix", In::Query, Type::Text, "what they begin with", false, 0, kMost},
        query_number("k", "how many, else 20", 1, kMost)},
       [](S s, A a) { return s.words(a.text("prefix").value_or(""), a.number("k", 20)); }},
      {"GET",
       "/documents",
       "documents in their order",
       {query_number("from", "the first row, or the first of those that are asked for", 0, kAny),
        query_number("k", "how many, else 100", 1, kMost),
        query_number("topic", "only those with this main topic", 1, kAny),
        {"label", In::Query, Type::Text, "only those with this label", false, 0, kMost}},
       [](S s, A a) {
         return s.documents(a.number("from", 0), a.number("k", 100), {a.number("topic"), a.text("label")});
       }},
      {"GET",
       "/documents/{id}",
       "a document: its text with attention, topics, links and neighbours",
       {{"id", In::Path, Type::Text, "its id", true, 0, kLongestText}},
       [](S s, A a) { return s.document(*a.text("id")); }},
      {"GET", "/map", "all documents in two dimensions", {}, [](S s, A) { return s.map(); }},
      {"GET",
       "/search",
       "documents by words and by meaning",
       {{"q", In::Query, Type::Text, "what to look for", true, 0, 10000},
        query_number("k", "how many, else 20", 1, 100)},
       [](S s, A a) { return s.search(*a.text("q"), a.number("k", 20)); }},
      {"POST",
       "/embed",
       "vectors of texts",
       {{"documents", In::Body, Type::Texts, "objects with a \"text\" each", true, 0, kMost}},
       [](S s, A a) { return s.embed(a.texts("documents")); }},
      {"POST",
       "/similar",
       "the documents nearest to a text, a document, a word or a topic",
       {subject_text(),
        subject_document(),
        {"word", In::Body, Type::Text, "or a word", false, 0, kMost},
        {"topic", In::Body, Type::Number, "or the number of a topic", false, 1, kAny},
        k("how many, else 10", kMost)},
       [](S s, A a) { return s.similar(a.subject(), a.number("k", 10)); }},
      {"POST",
       "/suggest",
       "labels for a text or a document, and documents to link it to, with reasons",
       {subject_text(),
        subject_document(),
        k("labels, and documents; else 5", 100),
        {"reasons", In::Body, Type::Number, "words that speak for each document, else 5", false, 1, 100}},
       [](S s, A a) { return s.suggest(a.subject(), a.number("k", 5), a.number("reasons", 5)); }},
      {"POST",
       "/explain",
       "which topics a text or a document is about, word by word",
       {subject_text(), subject_document()},
       [](S s, A a) { return s.explain(a.subject()); }},
      {"POST",
       "/explain/pair",
       "why two are close",
       {{"first", In::Body, Type::Subject, "\"text\" or \"document\"", true},
        {"second", In::Body, Type::Subject, "\"text\" or \"document\"", true},
        {"top", In::Body, Type::Number, "pairs of words and of topics, else 10", false, 1, kMost}},
       [](S s, A a) { return s.explain_pair(a.subject("first"), a.subject("second"), a.number("top", 10)); }},
  };
}

Json schema(const ApiParameter& parameter) {
  const Json text{{"type", "string"}};
  switch (parameter.type) {
    case Type::Text:
      return {{"type", "string"}, {"maxLength", parameter.most}};
    case Type::Number:
      return {{"type", "integer"}, {"minimum", parameter.least}, {"maximum", parameter.most}};
    case Type::Subject:
      return {{"type", "object"}, {"properties", {{"text", text}, {"document", text}}}};
    case Type::Texts:
      return {{"type", "array"},
              {"maxItems", parameter.most},
              {"items", {{"type", "object"}, {"required", {"text"}}, {"properties", {{"text", text}}}}}};
  }
  return {};
}

Json operation(const ApiEndpoint& endpoint) {
  Json parameters = Json::array(), properties = Json::object(), required = Json::array();
  for (const ApiParameter& parameter : endpoint.parameters) {
    Json its_schema = schema(parameter);
    if (parameter.in == In::Body) {
      its_schema["description"] = parameter.description;
      properties[std::string(parameter.name)] = std::move(its_schema);
      if (parameter.required) required.push_back(parameter.name);
    } else {
      parameters.push_back({{"name", parameter.name},
                            {"in", parameter.in == In::Path ? "path" : "query"},
                            {"description", parameter.description},
                            {"required", parameter.required},
                            {"schema", std::move(its_schema)}});
    }
  }
  const Json error{
      {"description", "what is wrong"},
      {"content",
       {{"application/json", {{"schema", {{"type", "object"}, {"properties", {{"error", {{"type", "string"}}}}}}}}}}}};
  Json json{{"summary", endpoint.summary},
            {"responses",
             {{"200", {{"description", "the answer"}, {"content", {{"application/json", Json::object()}}}}},
              {"400", error},
              {"401", error},
              {"404", error},
              {"413", error},
              {"503", error}}}};
  if (!parameters.empty()) json["parameters"] = std::move(parameters);
  if (properties.empty()) return json;
  Json body{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) body["required"] = std::move(required);
  json["requestBody"] = {{"required", true}, {"content", {{"application/json", {{"schema", std::move(body)}}}}}};
  return json;
}

}  // namespace

ApiArguments::ApiArguments(const std::vector<ApiParameter>& parameters, const std::string& path_part,
                           const std::multimap<std::string, std::string>& query, const std::string& body) {
  const bool has_body = std::any_of(parameters.begin(), parameters.end(),
                                    [](const ApiParameter& parameter) { return parameter.in == In::Body; });
  for (const ApiParameter& parameter : parameters) {
    if (parameter.in == In::Path) values_[std::string(parameter.name)] = from_text(parameter, path_part);
  }
  for (const auto& [name, text] : query) {
    const ApiParameter& parameter = find(parameters, name, In::Query);
    values_[name] = from_text(parameter, text);
    check(parameter, values_[name]);
  }
  if (has_body) {
    if (!simdjson::validate_utf8(body)) bad("the body is not UTF-8");
    constexpr int kDeepest = 10;
    const auto shallow = [](int depth, Json::parse_event_t, Json&) {
      if (depth > kDeepest) bad("the body is nested too deeply");
      return true;
    };
    const Json json = Json::parse(body, shallow, false);
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

std::vector<std::string> ApiArguments::texts(std::string_view name) const {
  std::vector<std::string> texts;
  for (const Json& entry : values_.find(name)->second) texts.push_back(entry["text"]);
  return texts;
}

const std::vector<ApiEndpoint>& api_endpoints() {
  static const std::vector<ApiEndpoint> endpoints = make_endpoints();
  return endpoints;
}

Json openapi() {
  Json paths = Json::object();
  for (const ApiEndpoint& endpoint : api_endpoints()) {
    const std::string method = endpoint.method == "GET" ? "get" : "post";
    paths["/api/v1" + std::string(endpoint.path)][method] = operation(endpoint);
  }
  return {
      {"openapi", "3.0.3"},
      {"info",
       {{"title", "idne"},
        {"version", "1"},
        {"description",
         "Answers are what the program prints with --format json. If the server was started with --token-file, every "
         "request needs the header Authorization: Bearer TOKEN."}}},
      {"paths", std::move(paths)}};
}

}  // namespace idne
