#pragma once

#include "methods/method.h"

namespace idne {

/// Inductive Document Network Embedding with topic-word attention (Brochier, Guille, Velcin, ECIR 2020).
const Method& idne_method();

}  // namespace idne
