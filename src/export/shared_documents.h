#pragma once

#include "corpus/corpus.h"

namespace idne {

/// What for_each_document does, shared out over run.ranks, if there are any: each of them works on parts of the file in
/// turn, and `take` is called on rank 0 alone, with what one process would give it, in order. Also in what they hold at
/// once they are like one process each. What is thrown is thrown on all. A meeting of all.
/// REQUIRES with ranks: a regular file, the same for all of them.
void for_each_shared_document(
    const std::filesystem::path& path, const Run& run,
    const std::function<void(const NewDocument& document, Tokenizer& tokenizer, std::string& out)>& work,
    const std::function<void(std::string_view bytes, std::size_t documents)>& take, const DocumentReading& how = {});

}  // namespace idne
