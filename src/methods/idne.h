#pragma once

#include "idne/method.h"
#include "methods/attention.h"

namespace idne {

/// Inductive Document Network Embedding with topic-word attention (Brochier, Guille, Velcin, ECIR 2020).
const Method& idne_method();

/// The activation that a model was trained with.
Activation activation_of(const Model& model);

}  // namespace idne
