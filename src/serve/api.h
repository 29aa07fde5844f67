#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "idne/run.h"

/// The HTTP API without HTTP: one table says what can be asked, and feeds the handlers and the OpenAPI description.
namespace idne {

using Json = nlohmann::ordered_json;
class ApiArguments;
class Service;

struct ApiParameter {
  enum class In { Path, Query, Body };
  enum class Type { Text, Number, Subject, Texts, Names };
  std::string_view name;
  In in;
  Type type;
  std::string_view description;
  bool required = false;
  std::size_t least = 0, most = 0;  ///< of a number; of a text's bytes; of a list's entries
};

struct ApiEndpoint {
  std::string_view method;
  std::string_view path;  ///< below /api/v1; "{id}" at its end stands for the rest
  std::string_view summary;
  std::string_view type;  ///< of its answer, serve/answer_types.h
  std::vector<ApiParameter> parameters;
  Json (*answer)(const Service&, const ApiArguments&, const Run&);
  bool kept = false;   ///< long to make, and the same for many
  bool whole = false;  ///< needs the index, which may still be in the making
};

const std::vector<ApiEndpoint>& api_endpoints();

/// What a client gives: the end of the path, the query and the body.
struct ApiInput {
  const std::string& path_part;
  const std::multimap<std::string, std::string>& query;
  const std::string& body;
  bool may_edit = true;  ///< who asks may give feedback and names
};
/// The answer as JSON. Throws RequestError, Error, Interrupted.
std::string api_answer(const ApiEndpoint& endpoint, const Service& service, const ApiInput& input, const Run& run);

/// What the table says, as an OpenAPI 3.0 description.
Json openapi();
std::string openapi_text();

}  // namespace idne
