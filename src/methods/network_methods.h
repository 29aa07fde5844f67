#pragma once

#include <span>
#include <vector>

#include "math/alias_table.h"
#include "methods/method.h"
#include "methods/skip_gram.h"
#include "network/walks.h"

/// Methods that see the links and not the texts: every document has a vector, no word has, and new documents cannot be
/// embedded.
namespace idne {

/// DeepWalk (Perozzi, Al-Rfou, Skiena, 2014): skip-gram on random walks.
const Method& deepwalk_method();
/// node2vec (Grover, Leskovec, 2016): skip-gram on walks that remember where they came from.
const Method& node2vec_method();
/// VERSE (Tsitsulin et al., 2018): personalised PageRank as likeness, by noise contrastive estimation.
const Method& verse_method();

/// What the three have in common.
class NetworkMethod : public Method {
 public:
  bool inductive() const override { return false; }
  bool network_only() const override { return true; }
  /// Throws: there is no way from a text to a vector.
  std::unique_ptr<Encoder> encoder(const Model& model) const override;

 protected:
  /// Learns the vectors from `steps`, of documents that begin uniformly in ± `range`; documents that are not in
  /// `linked` get zeros.
  static Model learn(std::size_t documents, std::span<const std::uint32_t> linked, const SkipGramSettings& settings,
                     double range, std::uint64_t seed, const SkipGramSteps& steps, const Run& run);
  /// Documents that have a neighbour. Throws Error if there are none.
  std::vector<std::uint32_t> linked_documents(const Network& network) const;
};

struct WindowSettings {
  std::size_t walks = 10;   ///< from each document
  std::size_t length = 80;  ///< of a walk, its start counted in
  std::size_t window = 10;  ///< how far apart two documents of a walk are a pair, at most; drawn anew at each place
  std::size_t negatives = 5;
  std::uint64_t seed = 1;
};

/// The windows of skip-gram along random walks: at each place its document is what the others near it predict. Walks
/// start from all documents in turn, each time in another order. Some thousands are walked at a time, and a step has
/// the same place of several of them: documents that have little to do with each other.
class WalkWindows {
 public:
  /// `walks` must live as long; `starts` are the documents that walks start from, of `documents`.
  WalkWindows(std::vector<std::uint32_t> starts, std::size_t documents, const RememberingWalks& walks,
              const WindowSettings& settings, const Run& run);

  std::uint64_t walk_count() const { return std::uint64_t{starts_.size()} * settings_.walks; }
  /// The same for the same number, whoever asks.
  void draw_walk(std::uint64_t number, std::span<std::uint32_t> walk) const;
  /// To be used while this lives.
  SkipGramSteps steps(const Run& run);

 private:
  void draw_stretch(std::uint64_t stretch, const Run& run);
  void make_step(std::uint64_t step, SkipGramStep& out) const;
  void add_window(std::uint64_t walk, std::size_t at, SkipGramStep& out) const;
  std::vector<double> noise_weights(std::size_t documents, const Run& run) const;

  std::vector<std::uint32_t> starts_;
  const RememberingWalks& walks_;
  const WindowSettings settings_;
  std::uint64_t windows_per_step_;
  AliasTable noise_;
  std::vector<std::uint32_t> drawn_;  ///< the stretch's walks, one after the other
};

}  // namespace idne
