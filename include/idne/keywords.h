#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/index.h"
#include "idne/model.h"
#include "idne/search.h"

namespace idne {

enum class IdMatch { None, Prefix, Whole };

struct KeywordHit {
  std::size_t row;
  double score;
  std::vector<std::string> words;    ///< words of the query that the document has, in the query's order
  IdMatch id_match = IdMatch::None;  ///< whether the query is (the beginning of) the document's id
};

/// Documents by the words of their texts, titles and ids, ranked by BM25. Titles and ids are known whole, rare names
/// included; texts as far as the model kept their words. Searches are safe from several threads at once. Keeps the
/// model's tensors alive; copies share everything.
class KeywordIndex {
 public:
  explicit KeywordIndex(const Model& model);

  /// Up to `count` documents with a word of the query, by score, then row. A document whose id is the query comes
  /// first, then those whose id begins with it. A last word that no document has stands for all words that begin with
  /// it, so that results come while somebody types. A word counts once, however often it is in the query.
  std::vector<KeywordHit> search(std::string_view query, std::size_t count) const;

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
/// 2009). One whose id is the query stays first.
std::vector<MergedHit> merge_hits(std::span<const KeywordHit> by_words, std::span<const Hit> by_meaning,
                                  std::size_t count);

/// By words and by meaning. `vector` is the query's, as TextEncoder gives it; without one, or if it is zero (no known
/// word), words alone decide.
std::vector<MergedHit> merged_search(const KeywordIndex& keywords, const DocumentIndex& documents,
                                     std::string_view query, std::span<const float> vector, std::size_t count);

}  // namespace idne
