#pragma once

#include "idne/suggest.h"

namespace idne {

/// What missing_links gives, on rank 0 alone where there are run.ranks: each looks from its share of the documents. A
/// meeting of all.
std::vector<MissingLink> shared_missing_links(const Suggester& suggester, std::size_t documents,
                                              std::size_t per_document, const Run& run);

}  // namespace idne
