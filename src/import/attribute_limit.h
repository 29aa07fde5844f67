#pragma once

#include <string>

namespace idne {

/// Blanks attributes of tags that have very many: libxml2's time grows with the square of their number.
void limit_attributes(std::string& html);

}  // namespace idne
