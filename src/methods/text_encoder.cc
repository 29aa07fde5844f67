#include <fmt/format.h>

#include <algorithm>

#include "idne/encode.h"
#include "idne/error.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "model/reading.h"
#include "text/stems.h"

namespace idne {

TextEncoder::TextEncoder(const Model& model)
    : model_(model),
      encoder_(find_method(model.info().method).encoder(model)),
      join_(NeighbourJoin::of(model)),
      rules_(std::make_unique<TextRules>(reading_of(model))) {
  const StringsView& words = model.words().strings;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (vocabulary_.add(words[w]) != w) throw Error(fmt::format("the model has the word '{}' twice", words[w]));
  }
}

TextEncoder::~TextEncoder() = default;
TextEncoder::TextEncoder(TextEncoder&&) noexcept = default;

std::size_t TextEncoder::dimensions() const { return joined() ? join_->dimensions() : encoder_->dimensions(); }

std::vector<TextEncoder::Place> TextEncoder::places(std::string_view text, Tokenizer& tokenizer, const Run& run) const {
  std::vector<Place> places;
  const auto note = [&](std::string_view word, std::size_t begin, std::size_t end) {
    if (const auto known = vocabulary_.find(word)) places.push_back({begin, end, *known});
  };
  for_each_word(text, tokenizer, *rules_, note, run);
  return places;
}

std::vector<WordCount> TextEncoder::words(std::string_view text, Tokenizer& tokenizer, const Run& run) const {
  std::vector<std::uint32_t> words;
  for (const Place& place : places(text, tokenizer, run)) words.push_back(place.word);
  return count_words(std::move(words));
}

std::optional<std::uint32_t> TextEncoder::find_word(std::string_view text, Tokenizer& tokenizer) const {
  const std::vector<std::string> parts = folded_words(text, tokenizer);
  const std::string whole = joined_words(parts);
  if (const auto known = vocabulary_.find(whole)) return known;
  if (!rules_->stems || parts.empty()) return std::nullopt;
  const StringsView& forms = model_.words().forms;
  for (std::uint32_t word = 0; word < forms.size(); ++word) {
    if (joined_words(folded_words(forms[word], tokenizer)) == whole) return word;
  }
  for (std::size_t language = 0; language < languages().size(); ++language) {
    if (!contains(rules_->languages, language)) continue;
    std::vector<std::string> stems;
    for (const std::string& part : parts) stems.push_back(stem_of(part, language));
    if (const auto known = vocabulary_.find(joined_words(stems))) return known;
  }
  return std::nullopt;
}

std::vector<WordCount> TextEncoder::words_asked_for(std::string_view text, Tokenizer& tokenizer) const {
  if (const auto word = find_word(text, tokenizer)) return {{*word, 1}};
  return words(text, tokenizer);
}

void TextEncoder::encode(std::span<const WordCount> words, std::span<const std::uint32_t> links,
                         std::span<float> out) const {
  if (!joined()) return encoder_->encode(words, out);
  std::vector<float> text(encoder_->dimensions());
  encoder_->encode(words, text);
  encode_vector(text, links, out);
}

void TextEncoder::encode_vector(std::span<const float> vector, std::span<const std::uint32_t> links,
                                std::span<float> out) const {
  if (!joined()) {
    std::copy(vector.begin(), vector.end(), out.begin());
    return;
  }
  std::vector<std::uint32_t> once(links.begin(), links.end());
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  join_->join(vector, once, out);
}

std::optional<std::vector<WordTerm>> TextEncoder::terms(std::span<const WordCount> words) const {
  return encoder_->terms(words);
}

std::optional<std::vector<WordTerm>> TextEncoder::document_terms(std::size_t document) const {
  const BagsView& words = model_.documents().words;
  if (words.size() == 0 || joined() || !encoder_->documents_are_texts()) return std::nullopt;
  return encoder_->terms(words[document]);
}

std::vector<double> TextEncoder::direction(std::span<const float> other, std::span<const double> text) const {
  if (joined()) return join_->direction(other, text);
  return {other.begin(), other.end()};
}

}  // namespace idne
