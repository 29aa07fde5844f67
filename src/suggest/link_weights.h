#pragma once

#include "idne/model.h"
#include "idne/run.h"
#include "suggest/link_scorer.h"

namespace idne {

/// Finds what votes should weigh in the links that a model suggests, and stores it. Some documents are taken for new
/// ones: their links are looked for by words and by the votes of documents with similar words, which know nothing of
/// them, and weights are good with which the first right one comes early (mean reciprocal rank): the mean of these is
/// taken. The space is left out of this, because it was learned from these very links and would look better than it is
/// for a new text. docs/suggest.md tells how near that is to the best weight. The result does not depend on
/// run.threads.
void learn_link_weights(Model& model, const Run& run);

/// With fewer documents that have words and links the fixed weight stays: chance would choose.
inline constexpr std::size_t kFewestForWeights = 30;
/// How many of so many are looked at.
std::size_t documents_sampled(std::size_t useful);
/// A document, and the digest of its id.
struct SampledDocument {
  std::int64_t digest;
  std::uint32_t document;
  auto operator<=>(const SampledDocument&) const = default;
};
/// Keeps `most` of them, the same ones in whatever order they came, and nearly the same after a few more have come: an
/// update must not change what votes weigh by the chance of another sample.
void take_sample(std::vector<SampledDocument>& documents, std::size_t most);

/// 1 / the rank of the first of `linked` among all documents for a text with these words, by words and by the votes of
/// documents with similar words; 0 if it is not found at all. `self`: a document of the model that is taken for new.
double reciprocal_rank(const LinkScorer& scorer, std::span<const WordCount> words,
                       std::span<const std::uint32_t> linked, std::optional<std::uint32_t> self, double votes_weight);
/// Its mean over up to so many of the model's own documents that have links, groups left out; 0 if none has.
double usual_reciprocal_rank(const LinkScorer& scorer, const Model& model, std::size_t sample, const Run& run);

}  // namespace idne
