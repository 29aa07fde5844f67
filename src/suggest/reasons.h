#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "explain/explain.h"
#include "idne/suggest.h"

namespace idne {

/// Whether two words are forms of one, as far as their spelling tells: they begin alike and differ in an ending.
bool same_idea(std::string_view a, std::string_view b);

/// The reasons for a link in words, strongest first: words that both have and pairs of words that are close, each idea
/// once, `top` at most, and none that adds less than `least`: a link that votes alone speak for has no words for it.
std::vector<WordPair> one_idea_once(std::span<const WordPart> shared, std::span<const WordPair> pairs,
                                    const Words& words, std::size_t top, double least = 0);

/// Why a text should be linked with documents, looked for in the words of both.
class LinkReasons {
 public:
  /// `vector` is the text's. All must live as long.
  LinkReasons(const TextEncoder& encoder, std::span<const WordCount> words, std::span<const float> vector);
  /// Adds to a link, whose cosine counts `space_weight`, its pairs of words and its topics.
  void explain_space(SuggestedLink& link, double space_weight, const SuggestionCounts& counts) const;
  /// Of the product with `direction`, a vector as documents have it, and of the text's vector at unit length: what each
  /// word of the text adds. Empty if the method's vectors are no sums.
  std::vector<WordPart> word_parts_of(std::span<const float> direction) const;

 private:
  std::vector<double> towards(std::span<const float> other, double length) const;

  const TextEncoder& encoder_;
  const Model& model_;
  const double length_;          ///< of the text's vector, as documents have it
  std::vector<WordTerm> terms_;  ///< and its words' parts in the word space
  std::vector<BoundedTerm> longest_;
  std::vector<double> text_, views_;
};

}  // namespace idne
