#include <algorithm>
#include <string>

#include "json/values.h"
#include "serve/answer_types.h"
#include "serve/api.h"

namespace idne {
namespace {

using In = ApiParameter::In;
using Type = ApiParameter::Type;

Json schema(const ApiParameter& parameter) {
  const Json text{{"type", "string"}};
  switch (parameter.type) {
    case Type::Text:
      return {{"type", "string"}, {"maxLength", parameter.most}};
    case Type::Number:
      return {{"type", "integer"}, {"minimum", parameter.least}, {"maximum", parameter.most}};
    case Type::Subject:
      return {{"type", "object"}, {"properties", {{"text", text}, {"document", text}}}};
    case Type::Names:
      return {{"type", "array"}, {"maxItems", parameter.most}, {"items", text}};
    case Type::Texts:
      return {{"type", "array"},
              {"maxItems", parameter.most},
              {"items", {{"type", "object"}, {"required", {"text"}}, {"properties", {{"text", text}}}}}};
  }
  return {};
}

/// "explain/pair" is explain_pair, "documents/{id}" is document.
std::string operation_id(const ApiEndpoint& endpoint) {
  constexpr std::string_view kOne = "s/{id}";
  std::string_view path = endpoint.path.substr(1);
  if (path.ends_with(kOne)) path.remove_suffix(kOne.size());
  std::string id(path);
  std::ranges::replace(id, '/', '_');
  return id;
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
  const auto answer = [](const char* description, std::string_view type) -> Json {
    return {{"description", description}, {"content", {{"application/json", {{"schema", schema_of(type)}}}}}};
  };
  Json responses{{"200", answer("the answer", endpoint.type)}};
  // Every status with which something is refused, docs/serve.md.
  for (const char* status :
       {"400", "401", "403", "404", "405", "408", "409", "411", "413", "414", "415", "429", "431", "500", "503"}) {
    responses[status] = answer("what is wrong", "Failed");
  }
  Json json{
      {"operationId", operation_id(endpoint)}, {"summary", endpoint.summary}, {"responses", std::move(responses)}};
  if (!parameters.empty()) json["parameters"] = std::move(parameters);
  if (properties.empty()) return json;
  Json body{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) body["required"] = std::move(required);
  json["requestBody"] = {{"required", true}, {"content", {{"application/json", {{"schema", std::move(body)}}}}}};
  return json;
}

}  // namespace

Json openapi() {
  Json paths = Json::object();
  for (const ApiEndpoint& endpoint : api_endpoints()) {
    const std::string method = endpoint.method == "GET" ? "get" : "post";
    paths["/api/v1" + std::string(endpoint.path)][method] = operation(endpoint);
  }
  Json schemas = Json::object();
  for (const AnswerType& type : answer_types()) schemas[std::string(type.name)] = schema_of(type);
  return {
      {"openapi", "3.0.3"},
      {"info",
       {{"title", "idne"},
        {"version", "1"},
        {"description",
         "Answers are what the program prints with --format json. If the server was started with --token-file, every "
         "request needs the header Authorization: Bearer TOKEN."}}},
      {"paths", std::move(paths)},
      {"components",
       {{"schemas", std::move(schemas)}, {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}},
      // With the token, or without one from a server that has none.
      {"security", Json::array({Json{{"token", Json::array()}}, Json::object()})}};
}

std::string openapi_text() { return text_of(openapi(), 1) + "\n"; }

}  // namespace idne
