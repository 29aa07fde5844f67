#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "idne/model.h"

namespace idne {

/// The documents' texts as the corpus has them; a model keeps their words alone.
class DocumentTexts {
 public:
  /// Reads a corpus; documents that the model does not have are passed over. Throws Error.
  DocumentTexts(const Model& model, const std::unordered_map<std::string_view, std::size_t>& rows,
                const std::filesystem::path& corpus, const Run& run);
  /// "" if the corpus does not have it.
  std::string_view operator[](std::size_t row) const {
    return std::string_view(bytes_).substr(begin_[row], size_[row]);
  }
  std::size_t found() const { return found_; }

 private:
  std::string bytes_;
  std::vector<std::size_t> begin_, size_;
  std::size_t found_ = 0;
};

}  // namespace idne
