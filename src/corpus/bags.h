#pragma once

#include <span>

#include "idne/text.h"
#include "math/placement.h"

namespace idne {

/// The bags of words of a corpus's documents, wherever these are. Documents have their numbers among all.
class Bags {
 public:
  /// All are here. Both must live as long.
  Bags(const CountMatrix& counts) : own_(counts), spread_(counts.rows()) {}  // NOLINT: that is what it means
  Bags(const CountMatrix& own, const Placement& spread) : own_(own), spread_(spread) {}

  std::size_t documents() const { return spread_.all(); }
  const CountMatrix& own() const { return own_; }
  const Placement& spread() const { return spread_; }
  Ranks* ranks() const { return spread_.ranks(); }

  /// The bags of these documents. All ranks ask for the same ones; a meeting of all.
  CountMatrix rows(std::span<const std::uint32_t> documents) const;
  /// The same where each rank asks for others.
  CountMatrix rows_for_me(std::span<const std::uint32_t> documents) const;

 private:
  std::span<const WordCount> row(std::uint32_t document) const { return own_.row(document - spread_.begin()); }

  const CountMatrix& own_;
  Placement spread_;
};

/// Bags in few bytes, for those who have the same words: numbers rise, and most counts are small.
void pack(std::span<const WordCount> bag, Packer& to);
void unpack(Unpacker& from, std::vector<WordCount>& bag);

}  // namespace idne
