#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// What answers look like. The description of the API is made from this, and of that the page's types.
namespace idne {

using Json = nlohmann::ordered_json;

/// An object by its name, such as {"Scored", "id: string, score: number"}. A type is string, number, integer, boolean,
/// any, or another object's name; "T[]" is a list of them, "T?" may be null; a field "name?" may be missing.
struct AnswerType {
  std::string_view name, fields;
};

const std::vector<AnswerType>& answer_types();

/// A type as a JSON schema.
Json schema_of(std::string_view type);
/// An object with all its fields, and no others.
Json schema_of(const AnswerType& type);

}  // namespace idne
