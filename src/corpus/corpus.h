#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/bags.h"
#include "idne/corpus.h"
#include "network/network.h"
#include "text/joins.h"
#include "text/languages.h"
#include "text/vocabulary.h"

namespace idne {

/// What a method learns from: documents over the kept words, and their network.
struct Corpus {
  Vocabulary vocabulary;
  CountMatrix counts;
  Network network;
  Joins joins = {};           ///< by which words were joined
  LanguageSet languages = 0;  ///< that its texts were read by
  /// Where documents are spread over processes: `counts` and `network` have this one's. Null: all are here.
  std::shared_ptr<const Placement> spread = nullptr;

  Bags bags() const { return spread ? Bags(counts, *spread) : Bags(counts); }
  std::size_t documents() const { return counts.rows(); }  ///< that are here
  std::size_t words() const { return vocabulary.words.size(); }
};

/// Joins words that belong together, and keeps those that the rule keeps.
struct CorpusWords {
  KeptWords kept;
  Joins joins;
  std::size_t tokens;  ///< words that there were to choose from
};
CorpusWords words_of(const Collection& collection, const VocabularyRule& rule);

/// Words as they are to be shown, in the vocabulary's order.
std::vector<std::string> shown_words(const Collection& collection, const Vocabulary& vocabulary, const Joins& joins);

/// What words_of gives, with the network.
Corpus make_corpus(const Collection& collection, const VocabularyRule& rule);

/// The files of a corpus that are in a folder, compressed or not.
std::vector<std::filesystem::path> corpus_files(const std::filesystem::path& folder);

/// A document that is not in a corpus. Only the text is needed: an id may be missing or repeated.
struct NewDocument {
  std::string_view id, text;
  std::vector<std::string_view> links;
};

struct DocumentReading {
  std::string_view stage = "embedding";  ///< what is done with them, for the progress
  /// A thread takes so much of the file at once: less where a document takes long, so that few of them keep all threads
  /// busy and the results that wait for their turn stay small.
  std::size_t bytes_at_once = std::size_t{1} << 18;
};

/// Reads the documents of a JSONL file or corpus folder and turns them into bytes: `work` is called for each document,
/// by several threads at once, each with a tokenizer of its own, and adds to `out`; `take` is called with the bytes of
/// many documents and their number, in order.
void for_each_document(
    const std::filesystem::path& path, const Run& run,
    const std::function<void(const NewDocument& document, Tokenizer& tokenizer, std::string& out)>& work,
    const std::function<void(std::string_view bytes, std::size_t documents)>& take, const DocumentReading& how = {});

}  // namespace idne
