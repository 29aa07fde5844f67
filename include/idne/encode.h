#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"
#include "idne/string_table.h"
#include "idne/text.h"

namespace idne {

class Encoder;
class NeighbourJoin;
struct TextRules;

/// A word's part of a sum over word vectors.
struct WordTerm {
  std::uint32_t word;
  double coefficient;
};

/// Texts to vectors, with a model's words and method, in the form that the model's documents have: where they are
/// joined with their neighbours (`--neighbours`), so is a new one, with the documents that it links to. Give each
/// thread a tokenizer of its own; the rest is safe for use by several threads. The model must live as long.
class TextEncoder {
 public:
  /// Throws Error if the model's method cannot embed new documents.
  explicit TextEncoder(const Model& model);
  ~TextEncoder();
  TextEncoder(TextEncoder&&) noexcept;

  const Model& model() const { return model_; }
  const StringTable& vocabulary() const { return vocabulary_; }
  /// Of the vectors that encode() gives.
  std::size_t dimensions() const;
  /// Whether links matter to a new document's vector.
  bool joined() const { return join_ != nullptr; }

  /// A word of a text that the model knows: bytes begin … end of the text, and its number.
  struct Place {
    std::size_t begin, end;
    std::uint32_t word;
  };
  /// In the text's order. A text is read as the model's were: its function words are those of its own language, and
  /// what was joined is joined. Throws Interrupted.
  std::vector<Place> places(std::string_view text, Tokenizer& tokenizer, const Run& run = {}) const;
  /// The same, counted.
  std::vector<WordCount> words(std::string_view text, Tokenizer& tokenizer, const Run& run = {}) const;
  /// The word or phrase that somebody who saw it in the model asks for: in any case and accents, also one that is a
  /// function word in another of the model's languages, and with stems in any inflection. Nothing if there is none.
  std::optional<std::uint32_t> find_word(std::string_view text, Tokenizer& tokenizer) const;
  /// What somebody who asks for a word means: that one, or else the words of the text.
  std::vector<WordCount> words_asked_for(std::string_view text, Tokenizer& tokenizer) const;
  /// `links` are numbers of the model's documents.
  void encode(std::span<const WordCount> words, std::span<const std::uint32_t> links, std::span<float> out) const;
  /// The same for a vector of the word space, such as a topic's, instead of a text.
  void encode_vector(std::span<const float> vector, std::span<const std::uint32_t> links, std::span<float> out) const;

  /// A text's own vector, before it is joined, as a sum over word vectors. Nothing if the method's vectors are no sums.
  std::optional<std::vector<WordTerm>> terms(std::span<const WordCount> words) const;
  /// The same for a document of the model. Nothing also where its vector is more than its words', and where the model
  /// does not keep them.
  std::optional<std::vector<WordTerm>> document_terms(std::size_t document) const;
  /// For a text without links, given its own vector: the vector of the word space whose product with it is the product
  /// of what encode() gives with `other`, a vector such as a document's.
  std::vector<double> direction(std::span<const float> other, std::span<const double> text) const;

 private:
  const Model& model_;
  StringTable vocabulary_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<NeighbourJoin> join_;
  std::unique_ptr<const TextRules> rules_;
};

}  // namespace idne
