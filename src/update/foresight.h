#pragma once

#include "idne/encode.h"
#include "idne/update.h"
#include "update/merge.h"
#include "update/new_words.h"

namespace idne {

/// How well a model does on documents that are new to it, before it learns anything from them. `fresh_words` are
/// those of the changes.
Foreseen foresee(const TextEncoder& encoder, const Collection& changes, const CountMatrix& fresh_words,
                 const TokenWords& tokens, const Merge& merge, const Run& run);

/// One line: whether that is good enough. `untrained`: documents that came since words were learned, of so many. Where
/// words were trained further, those that came were learned.
void advise(UpdateReport& report, std::uint64_t untrained, std::size_t documents, bool trained_further);

}  // namespace idne
