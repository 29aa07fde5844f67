#include "serve/api.h"

#include <gtest/gtest.h>

#include <set>

#include "json/values.h"
#include "serve/api_arguments.h"

namespace idne {
namespace {

const ApiEndpoint& endpoint(std::string_view path) {
  for (const ApiEndpoint& one : api_endpoints()) {
    if (one.path == path) return one;
  }
  throw std::out_of_range(std::string(path));
}

ApiArguments posted(std::string_view path, const std::string& body) {
  return {endpoint(path).parameters, {"", {}, body}};
}

int status_of(std::string_view path, const std::string& body) {
  try {
    const ApiArguments arguments = posted(path, body);
    if (path != "/embed" && path != "/explain/pair") (void)arguments.subject();
    return 200;
  } catch (const RequestError& error) {
    EXPECT_STRNE(error.what(), "");
    return error.status();
  }
}

TEST(Api, GoodArgumentsAreTakenAsTheyAre) {
  const ApiArguments arguments = posted("/similar", R"({"text": "caf\u00e9", "k": 7})");
  EXPECT_EQ(arguments.subject().text, "café");
  EXPECT_EQ(arguments.number("k", 10), 7u);
  EXPECT_EQ(posted("/similar", R"({"topic": 3})").subject().topic, 3u);
  EXPECT_EQ(posted("/similar", R"({"topic": 3})").number("k", 10), 10u);
  EXPECT_EQ(posted("/embed", R"({"documents": [{"text": "a"}, {"text": "", "id": "x"}]})").texts("documents"),
            (std::vector<std::string>{"a", ""}));
  const ApiArguments pair = posted("/explain/pair", R"({"first": {"text": "a"}, "second": {"document": "d"}})");
  EXPECT_EQ(pair.subject("first").text, "a");
  EXPECT_EQ(pair.subject("second").document, "d");
}

TEST(Api, BadBodiesAreRefusedWithAReason) {
  for (const char* body : {"", "{", "[]", "3", "null", "{}", R"({"x": 1})", R"({"text": 3})", R"({"text": null})",
                           R"({"text": "a", "k": 0})", R"({"text": "a", "k": -1})", R"({"text": "a", "k": 1.5})",
                           R"({"text": "a", "k": "5"})", R"({"text": "a", "k": 1001})", R"({"text": "a", "word": "b"})",
                           "{\"text\": \"\xFF\"}", R"({"text": "a"} {})"}) {
    EXPECT_EQ(status_of("/similar", body), 400) << body;
  }
  EXPECT_EQ(status_of("/similar", std::string(100000, '[')), 400);
  EXPECT_EQ(status_of("/similar", R"({"text": ")" + std::string(1'000'001, 'a') + "\"}"), 413);
  for (const char* body : {R"({"documents": "a"})", R"({"documents": ["a"]})", R"({"documents": [{}]})"}) {
    EXPECT_EQ(status_of("/embed", body), 400) << body;
  }
  std::string many = R"({"documents": [{"text": "a"})";
  for (int n = 0; n < 1000; ++n) many += R"(,{"text": "a"})";
  EXPECT_EQ(status_of("/embed", many + "]}"), 413);
  for (const char* body :
       {R"({"first": {"text": "a"}})", R"({"first": "a", "second": "b"})", R"({"first": {}, "second": {"text": "b"}})",
        R"({"first": {"text": "a", "document": "b"}, "second": {"text": "b"}})"}) {
    EXPECT_EQ(status_of("/explain/pair", body), 400) << body;
  }
}

TEST(Api, QueriesAreChecked) {
  const auto asked = [](const std::multimap<std::string, std::string>& query) {
    return ApiArguments(endpoint("/documents").parameters, {"", query, ""});
  };
  EXPECT_EQ(asked({{"from", "12"}}).number("from", 0), 12u);
  EXPECT_THROW(asked({{"from", "x"}}), RequestError);
  EXPECT_THROW(asked({{"from", "-1"}}), RequestError);
  EXPECT_THROW(asked({{"k", "100000"}}), RequestError);
  EXPECT_THROW(asked({{"other", "1"}}), RequestError);
  EXPECT_THROW(asked({{"label", "\xFF"}}), RequestError);
  EXPECT_THROW(ApiArguments(endpoint("/search").parameters, {"", {}, ""}), RequestError);
}

TEST(Api, TheDescriptionHasEveryEndpointAndParameter) {
  const Json description = openapi();
  std::size_t operations = 0;
  for (const auto& [path, methods] : description["paths"].items()) operations += methods.size();
  EXPECT_EQ(operations, api_endpoints().size());
  for (const ApiEndpoint& one : api_endpoints()) {
    const Json& operation =
        description["paths"]["/api/v1" + std::string(one.path)][one.method == "GET" ? "get" : "post"];
    std::set<std::string> named;
    for (const Json& parameter : operation.value("parameters", Json::array())) named.insert(parameter["name"]);
    if (operation.contains("requestBody")) {
      for (const auto& [name, schema] :
           operation["requestBody"]["content"]["application/json"]["schema"]["properties"].items()) {
        named.insert(name);
      }
    }
    std::set<std::string> known;
    for (const ApiParameter& parameter : one.parameters) known.emplace(parameter.name);
    EXPECT_EQ(named, known) << one.path;
  }
}

TEST(Api, EveryTypeThatIsNamedIsDescribed) {
  const Json description = openapi();
  const std::string text = text_of(description);
  constexpr std::string_view kRef = "#/components/schemas/";
  std::set<std::string> named{"Failed"};
  for (std::size_t at = text.find(kRef); at != std::string::npos; at = text.find(kRef, at + 1)) {
    const std::size_t begin = at + kRef.size();
    named.insert(text.substr(begin, text.find('"', begin) - begin));
  }
  std::set<std::string> described;
  for (const auto& [name, schema] : description["components"]["schemas"].items()) described.insert(name);
  EXPECT_EQ(named, described);
}

TEST(Api, EveryOperationHasANameOfItsOwn) {
  std::set<std::string> names;
  const Json description = openapi();
  for (const auto& [path, methods] : description["paths"].items()) {
    for (const auto& [method, operation] : methods.items()) {
      EXPECT_TRUE(names.insert(operation["operationId"]).second) << path;
      EXPECT_TRUE(operation["responses"].contains("414")) << path;
    }
  }
  EXPECT_TRUE(names.contains("document") && names.contains("documents") && names.contains("explain_pair"));
  EXPECT_EQ(description["components"]["securitySchemes"]["token"]["scheme"], "bearer");
}

}  // namespace
}  // namespace idne
