#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "idne/text.h"

namespace idne {

/// How much oftener than by chance two words are in one document: ln(p(a,b) / p(a)p(b)) / −ln p(a,b), with
/// probabilities counted over all documents; −1 for a pair that never meets. Safe for use by several threads.
class PairCoherence {
 public:
  /// For pairs of these words.
  PairCoherence(const CountMatrix& documents, std::span<const std::uint32_t> words);
  double operator()(std::uint32_t a, std::uint32_t b) const;
  /// What it will be, in the mean, on as many other documents. A pair that met once or twice may not meet there at all:
  /// the fewer times it did, the nearer its number is taken to that of chance.
  double expected(std::uint32_t a, std::uint32_t b) const;

 private:
  /// In how many documents each is, and both are.
  struct Met {
    double a, b, both;
  };
  Met met(std::uint32_t a, std::uint32_t b) const;

  /// The documents of a word, rising; for a frequent one also a bit per document.
  struct Documents {
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint64_t> bits;
    bool has(std::uint32_t document) const { return bits[document / 64] >> document % 64 & 1; }
  };

  double documents_;
  std::unordered_map<std::uint32_t, Documents> documents_of_;
};

/// So many first words of a topic stand for it where coherence and diversity are measured.
inline constexpr std::size_t kCoherenceWords = 10;

/// Document-level NPMI: for each list of words the mean of PairCoherence over its pairs; 0 for a list with
/// fewer than two words.
std::vector<double> npmi(const CountMatrix& documents, const std::vector<std::vector<std::uint32_t>>& lists);

/// The share of distinct words among all words of the lists.
double diversity(const std::vector<std::vector<std::uint32_t>>& lists);

}  // namespace idne
