#pragma once

#include <cstdint>
#include <vector>

#include "idne/model.h"

namespace idne {

/// The words that suggestions go by: a model's own and, numbered behind them, those that became frequent enough since
/// its words were learned, which have no vectors.
class TextWords {
 public:
  /// The model must live as long.
  explicit TextWords(const Model& model);
  TextWords(const TextWords&) = delete;
  TextWords& operator=(const TextWords&) = delete;

  std::size_t size() const { return size_; }
  /// Of all documents; none if the model does not keep them.
  const BagsView& documents() const { return documents_; }

 private:
  std::size_t size_;
  std::vector<std::int64_t> offsets_;  ///< with the next two, if there are any but the model's own
  std::vector<std::int32_t> words_, counts_;
  BagsView documents_;
};

}  // namespace idne
