#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "idne/encode.h"
#include "idne/model.h"
#include "idne/options.h"
#include "idne/run.h"

namespace idne {

/// Gives a bag of words its vector. Safe for use by several threads.
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::size_t dimensions() const = 0;
  /// REQUIRES: sorted by word, words of the model's vocabulary. A document without words gets zeros.
  virtual void encode(std::span<const WordCount> words, std::span<float> out) const = 0;
  /// The same vector as a sum over the model's word vectors, in double precision; words that add nothing have no term.
  /// Nothing if the method's vectors are no such sums.
  virtual std::optional<std::vector<WordTerm>> terms(std::span<const WordCount>) const { return std::nullopt; }
  /// Whether a document of the model has the vector that its words alone would have.
  virtual bool documents_are_texts() const { return true; }
};

/// A way to learn vectors from a corpus. One file per method; find_method is the registry.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  /// Its own; training_options has those that all methods share, too.
  virtual std::span<const OptionSpec> options() const = 0;
  /// Learns tensors; at least the documents' vectors. The result does not depend on run.threads.
  virtual Model fit(const Corpus& corpus, const Options& options, const Run& run) const = 0;
  /// The same, where nobody needs the network afterwards: it may be freed as soon as the method is done with it.
  virtual Model fit_freeing(Corpus& corpus, const Options& options, const Run& run) const {
    return fit(corpus, options, run);
  }
  /// Whether new documents can be embedded from their texts.
  virtual bool inductive() const { return true; }
  /// Whether it learns from the links and not from the texts: it is judged joined with LSA as well, which does the
  /// other.
  virtual bool network_only() const { return false; }
  /// Hops of neighbours that documents in the network are joined with when the method is judged, unless somebody says
  /// otherwise.
  virtual std::size_t usual_neighbours() const { return 0; }
  /// Whether its suggestions are judged as the program gives them. Other methods stand for what was published, which is
  /// vectors: their name is the row of the vectors alone.
  virtual bool judged_whole() const { return false; }
  /// Words to train further: those of a model, and perhaps new ones behind them.
  struct Further {
    std::vector<float> words;  ///< row after row
    MatrixView topics;
    std::uint64_t steps, before;  ///< to take, and taken before
    const Corpus& learned_from;   ///< what the model's words were learned from, over these alone
  };
  /// Trains word vectors further, with the options that a model was trained with; gives the loss, too. Throws Error if
  /// the method does not learn words in steps.
  virtual double train_further(const Corpus& corpus, const Options& options, Further& further, const Run& run) const;
  /// How a model of this method embeds new documents. Throws Error if the method is not inductive.
  virtual std::unique_ptr<Encoder> encoder(const Model& model) const = 0;
};

std::span<const Method* const> methods();
/// Throws Error that lists the known ones.
const Method& find_method(std::string_view name);

/// Options of training with a method: its own, then those of all methods (`neighbours`).
std::span<const OptionSpec> training_options(const Method& method);

/// The options that a model was trained with.
Options options_of(const Model& model);

/// The vectors of all documents, row after row.
std::vector<float> encode_all(const CountMatrix& counts, const Encoder& encoder, const Run& run);

}  // namespace idne
