#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "corpus/corpus.h"
#include "idne/options.h"
#include "idne/suggest.h"

/// Many texts at once: what `suggest`, `similar` and `explain` share when they are given documents instead of a text.
namespace idne::app {

/// Whether a FILE holds documents, which its name tells: .jsonl, .jsonl.gz, .jsonl.zst, or a folder. Anything else is
/// one text.
bool is_batch(const std::string& file);

/// Whether several processes can share these documents out: not what can be read once alone, such as standard input.
/// The same answer in all of them.
bool can_be_shared(const std::string& documents);

/// FILE, as these verbs have it, and where their answers go.
OptionSpec text_or_documents_option();
OptionSpec answers_option();

/// What --format says, or else the ending of -o: "json" (a line per document for a batch), "tsv" or what else the verb
/// has; "text" for one text on stdout. Throws UsageError where that does not fit: pages and text are of one text, and
/// a TSV's first column is an id. Throws Error if -o cannot be written.
std::string answer_format(const Options& options, bool batch);

/// Adds what is said of one document to `out`. Called by several threads at once.
using Answer = std::function<void(const NewDocument& document, Tokenizer& tokenizer, std::string& out)>;
/// Writes the answers for all documents of FILE, in order, to -o, whole or not at all, or to stdout. Gives their
/// number.
std::uint64_t answer_batch(const Options& options, std::string_view stage, const Run& run, const Answer& answer);
/// The same for one answer.
void write_answer(const Options& options, std::string_view text);

/// Says how many were written where, and how many there are of which nothing is known: here, by each process of its
/// own. Once the progress has gone.
void tell_answered(const Options& options, std::uint64_t documents, std::uint64_t wordless);

/// Nearest documents for many questions: with the index that is kept beside the model, or one made now.
NearestSearch indexed_search(const Model& model, const std::string& model_path, const Run& run);
/// The same for the documents of FILE. For few of them all documents of the model are looked at, as for one text: that
/// takes less time than to make an index.
NearestSearch batch_search(const Options& options, const Model& model, const Run& run);

}  // namespace idne::app
