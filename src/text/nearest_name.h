#pragma once

#include <span>
#include <string>
#include <string_view>

namespace idne {

/// The name that somebody who typed this most probably meant; "" if none is near enough. Letters that are missing, too
/// many, others, or in the wrong order count as one slip each; large and small letters are the same.
std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// "; did you mean NAME?", or nothing.
std::string hint_at(std::string_view typed, std::span<const std::string> known);

}  // namespace idne
