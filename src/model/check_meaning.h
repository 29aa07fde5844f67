#pragma once

#include "model/tensors.h"

namespace idne {

/// Throws Error that says what is wrong with a model whose layout is right: a method that nobody knows or that lacks
/// what it needs, options that say other than the tensors do, names that are there twice, vectors and weights that are
/// not numbers or huge, lists out of order, counts and dates beyond all sense.
void check_meaning(const Model& model);
/// The part of it about vectors and weights.
void check_floats(const ModelTensors& tensors);

/// All that the loader asks of a model, and so of whatever is to be loaded again: check_layout, then check_meaning.
void check_model(const Model& model);

}  // namespace idne
