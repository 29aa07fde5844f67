#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/api.h"
#include "serve/service.h"

namespace idne {

inline constexpr std::size_t kLongestText = 1'000'000;  ///< bytes

/// Checked arguments by name; what was not given is absent.
class ApiArguments {
 public:
  /// Throws RequestError if something is missing, unknown, or not as it should be.
  ApiArguments(const std::vector<ApiParameter>& parameters, const ApiInput& input);
  std::optional<std::string> text(std::string_view name) const;
  std::size_t number(std::string_view name, std::size_t otherwise) const;
  std::optional<std::size_t> number(std::string_view name) const;
  /// One of "text", "document", "word", "topic", as far as the endpoint has them.
  Subject subject() const;
  Subject subject(std::string_view name) const;
  /// Nothing if they are not given.
  std::vector<std::string> names(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  bool may_edit() const { return may_edit_; }

 private:
  std::map<std::string, Json, std::less<>> values_;
  bool may_edit_;
};

}  // namespace idne
