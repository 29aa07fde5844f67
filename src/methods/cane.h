#pragma once

#include "methods/method.h"

namespace idne {

/// Context-aware network embedding (Tu et al., ACL 2017): a structure vector of each document beside the mean, over its
/// links, of a text vector that depends on the text at the other end. Cannot embed new documents.
const Method& cane_method();

}  // namespace idne
