#pragma once

#include <cstdint>

#include "idne/model.h"

namespace idne {

/// A number that differs if anything that a model holds does.
std::uint64_t digest_of(const Model& model);

}  // namespace idne
