#include "idne/model.h"

#include <fmt/format.h>

#include "idne/error.h"
#include "math/placement.h"

namespace idne {

std::vector<WordCount> BagsView::operator[](std::size_t i) const {
  const auto words = words_[i];
  const auto counts = counts_.subspan(words_.begin(i), words.size());
  std::vector<WordCount> bag;
  bag.reserve(words.size());
  for (std::size_t n = 0; n < words.size(); ++n) {
    bag.push_back({static_cast<std::uint32_t>(words[n]), static_cast<std::uint32_t>(counts[n])});
  }
  return bag;
}

CountMatrix BagsView::counts() const {
  CountMatrix all;
  all.reserve(size(), counts_.size());
  for (std::size_t i = 0; i < size(); ++i) all.add_row((*this)[i]);
  return all;
}

std::size_t Model::documents_everywhere() const { return spread_ ? spread_->all() : documents_.size(); }

const Topics& Model::topics() const {
  if (!has_topics()) throw Error("this model's method has no topics; train with --method idne");
  return topics_;
}

MatrixView Model::word_vectors() const {
  if (words_.vectors.rows == 0) throw Error("this model's method has no vectors of words; train with --method idne");
  return words_.vectors;
}

const BagsView& Model::document_words() const {
  if (documents_.words.size() == 0) throw Error("this model does not keep the words of its documents; train it again");
  return documents_.words;
}

std::size_t Model::document(std::string_view id) const {
  for (std::size_t i = 0; i < documents_.ids.size(); ++i) {
    if (documents_.ids[i] == id) return i;
  }
  throw Error(fmt::format("the model has no document with the id '{}'", id));
}

}  // namespace idne
