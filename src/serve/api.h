#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/service.h"

/// The HTTP API without HTTP: one table says what can be asked, and feeds the handlers and the OpenAPI description.
namespace idne {

struct ApiParameter {
  enum class In { Path, Query, Body };
  enum class Type { Text, Number, Subject, Texts };
  std::string_view name;
  In in;
  Type type;
  std::string_view description;
  bool required = false;
  std::size_t least = 0, most = 0;  ///< of a number; of a text's bytes; of a list's entries
};

/// Checked arguments by name; what was not given is absent.
class ApiArguments {
 public:
  /// Throws RequestError if something is missing, unknown, or not as it should be.
  ApiArguments(const std::vector<ApiParameter>& parameters, const std::string& path_part,
               const std::multimap<std::string, std::string>& query, const std::string& body);
  std::optional<std::string> text(std::string_view name) const;
  std::size_t number(std::string_view name, std::size_t otherwise) const;
  std::optional<std::size_t> number(std::string_view name) const;
  /// One of "text", "document", "word", "topic", as far as the endpoint has them.
  Subject subject() const;
  Subject subject(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;

 private:
  std::map<std::string, Json, std::less<>> values_;
};

struct ApiEndpoint {
  std::string_view method;
  std::string_view path;  ///< below /api/v1; "{id}" at its end stands for the rest
  std::string_view summary;
  std::vector<ApiParameter> parameters;
  std::function<Json(const Service&, const ApiArguments&)> answer;
};

const std::vector<ApiEndpoint>& api_endpoints();

/// What the table says, as an OpenAPI 3.0 description.
Json openapi();

}  // namespace idne
