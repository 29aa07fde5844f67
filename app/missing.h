#pragma once

#include "idne/export.h"
#include "idne/options.h"

namespace idne::app {

/// What the ending of -o asks for. Throws UsageError if it is missing or another.
LinkFormat link_format(const Options& options);

/// Writes the best missing links of MODEL to -o, of those that `per_document` finds from each document the ones with at
/// least that score.
void write_missing_links(const Options& options, std::size_t per_document, double least);

}  // namespace idne::app
