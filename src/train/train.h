#pragma once

#include "idne/train.h"
#include "methods/method.h"

namespace idne {

/// train() with a method that may not be in the registry.
Model train(const Collection& collection, const Method& method, const Options& options, const VocabularyRule& rule,
            const Run& run, TrainSeconds* seconds = nullptr);

}  // namespace idne
