#pragma once

#include <string>

namespace idne {

/// The time of day as logs have it: 2025-03-04T05:06:07.008Z
std::string utc_now();

}  // namespace idne
