#pragma once

#include <map>
#include <string>
#include <string_view>

#include "idne/model.h"

namespace idne {

/// What a file says about its model, as texts by their keys (model/layout.h), and back.
std::map<std::string, std::string> info_texts(const ModelInfo& info);

/// Takes the texts that it knows out of the map. Throws Error if one is not as it should be.
ModelInfo take_info(std::map<std::string, std::string>& texts);

/// Options as a JSON object, and back. Throws Error unless it is a flat one of numbers, texts, true and false.
std::string options_text(const std::map<std::string, OptionValue>& options);
std::map<std::string, OptionValue> options_from(std::string_view json);

}  // namespace idne
