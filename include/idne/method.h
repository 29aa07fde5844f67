#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "idne/corpus.h"
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
};

/// A way to learn vectors from a corpus. One file a method in src/methods; find_method is the registry.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  virtual std::span<const OptionSpec> options() const = 0;
  /// Learns tensors; at least documents.vectors. The result does not depend on run.threads.
  virtual Model fit(const Corpus& corpus, const Options& options, const Run& run) const = 0;
  /// Whether new documents can be embedded from their texts.
  virtual bool inductive() const { return true; }
  /// How a model of this method embeds new documents. Throws Error if the method is not inductive.
  virtual std::unique_ptr<Encoder> encoder(const Model& model) const = 0;
};

std::span<const Method* const> methods();
/// Throws Error that lists the known ones.
const Method& find_method(std::string_view name);

/// What `idne train` does between reading and saving: keeps words, fits, and adds what makes a model file whole.
Model train(const Collection& collection, const Method& method, const Options& options, const VocabularyRule& rule,
            const Run& run);

/// Texts to vectors, with a model's words and method, in the form that the model's documents have: where they are
/// joined with their neighbours (`--neighbours`), so is a new one, with the documents that it links to. Give each
/// thread a tokenizer of its own; the rest is safe for use by several threads. The model must live as long.
class TextEncoder {
 public:
  explicit TextEncoder(const Model& model);
  std::size_t dimensions() const { return (joined() ? 2 : 1) * encoder_->dimensions(); }
  /// Whether links matter to a new document's vector.
  bool joined() const { return levels_.rows > 0; }
  /// The words of a text that the model knows.
  std::vector<WordCount> words(std::string_view text, Tokenizer& tokenizer) const;
  /// `links` are numbers of the model's documents.
  void encode(std::span<const WordCount> words, std::span<const std::uint32_t> links, std::span<float> out) const;
  /// The same for a vector of the word space, such as a topic's, instead of a text.
  void encode_vector(std::span<const float> vector, std::span<const std::uint32_t> links, std::span<float> out) const;
  const StringTable& vocabulary() const { return vocabulary_; }

 private:
  StringTable vocabulary_;
  std::unique_ptr<Encoder> encoder_;
  MatrixView levels_;   ///< what new documents are joined with; no rows if they are not
  MatrixView stretch_;  ///< of both halves of a joined vector
  std::size_t documents_;
};

}  // namespace idne
