#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "evaluate/suggest_metrics.h"
#include "idne/encode.h"
#include "idne/run.h"
#include "idne/text.h"

namespace idne {

/// Something that suggests links and labels for a new document by its words. Safe for use by several threads at once.
class Adviser {
 public:
  virtual ~Adviser() = default;
  /// Documents to link to, best first, at most so many.
  virtual std::vector<std::uint32_t> links(std::span<const WordCount> words, std::size_t count) const = 0;
  /// The labels that it knows, most probable first; none if it has nothing to say.
  virtual std::vector<LabelGuess> labels(std::span<const WordCount> words) const = 0;
};

/// All that a model suggests, as the program does. The encoder and its model must live as long.
std::unique_ptr<Adviser> whole_adviser(const TextEncoder& encoder);
/// What the model's vectors alone suggest: the documents with the largest cosine, and labels by logistic regression on
/// vectors, which is learned here if `with_labels`. Throws Error if a vector is not finite, here or later.
std::unique_ptr<Adviser> vector_adviser(const TextEncoder& encoder, bool with_labels, const Run& run);

/// Of each number of a list its probability, most probable first; ties by number.
std::vector<LabelGuess> by_probability(std::span<const double> probabilities);

}  // namespace idne
