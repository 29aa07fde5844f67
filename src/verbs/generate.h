#pragma once

#include <vector>

#include "idne/generate.h"
#include "verbs/options.h"

namespace idne {

/// `generate`: "output" is the folder to write.
std::vector<OptionSpec> generate_options();
GenerateOptions generation_from(const Options& options);

}  // namespace idne
