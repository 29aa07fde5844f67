#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/index.h"
#include "idne/model.h"
#include "idne/run.h"
#include "idne/search.h"

namespace idne {

/// How a query names a document, the best last.
enum class NameMatch {
  None,
  NearName,     ///< it is the title or the id but for one typo
  IdPrefix,     ///< the id begins with it
  TitlePrefix,  ///< the title begins with it
  FoldedName,   ///< it is the title or the id but for accents and punctuation
  Id,           ///< it is the id
  Title,        ///< it is the title
};

struct KeywordHit {
  std::size_t row;
  double score;
  std::vector<std::string> words;  ///< words of the query that the document has, in the query's order
  NameMatch name_match = NameMatch::None;
  bool has_all = false;  ///< of those words of the query that any document has
};

/// The text of a document, by its row.
using TextOf = std::function<std::string_view(std::size_t row)>;

/// A piece of a text, and whether it is a word that was looked for.
struct SnippetPart {
  std::string text;
  bool match;
};

/// Documents by the words of their texts, titles and ids, ranked by BM25. Titles and ids are known whole, rare names
/// included; texts are, too, if they are given, and else as far as the model kept their words. Searches are safe from
/// several threads at once. Keeps the model's tensors alive; copies share everything.
class KeywordIndex {
 public:
  /// `text_of` is called while this is made, and not afterwards.
  explicit KeywordIndex(const Model& model, const TextOf& text_of = {});

  /// Up to `count` documents with a word of the query or named by it: by name_match, then those that have all of its
  /// words, then by score, then row. The last word of a query that ends with it stands for all words that begin with it
  /// too, so that results come while somebody types; in a document that has the word itself that is what counts. A word
  /// that no document has is forgiven one typo, and so is a long one that hardly any has, behind those. A word counts
  /// once, however often it is in the query. Throws Interrupted.
  std::vector<KeywordHit> search(std::string_view query, std::size_t count, const Run& run = {}) const;

  /// The piece of a text, of about so many bytes, that has most of what search() looks for, cut at spaces, with "…"
  /// where something is left out. Looks at the beginning of long texts only. Empty if the text has nothing of it.
  std::vector<SnippetPart> snippet(std::string_view query, std::string_view text, std::size_t size) const;
  /// The words of a text that search() looks for, as they stand there, each once. Throws Interrupted.
  std::vector<std::string> found_words(std::string_view query, std::string_view text, const Run& run = {}) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

struct MergedHit {
  std::size_t row;
  double score;
  std::vector<std::string> words;
  std::optional<float> cosine;  ///< only if the document is among the nearest
};

/// Fuses two rankings by reciprocal rank: a document gets 1 / (60 + rank) from each list that has it (Cormack et al.,
/// 2009). Those that the query names come first, in the order of NameMatch, which counts 1 a step, then those that have
/// all of its words, which counts half a step.
std::vector<MergedHit> merge_hits(std::span<const KeywordHit> by_words, std::span<const Hit> by_meaning,
                                  std::size_t count);

/// By words and by meaning. `vector` is the query's, as TextEncoder gives it; without one, or if it is zero (no known
/// word), words alone decide.
std::vector<MergedHit> merged_search(const KeywordIndex& keywords, const DocumentIndex& documents,
                                     std::string_view query, std::span<const float> vector, std::size_t count,
                                     const Run& run = {});

}  // namespace idne
