#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "idne/encode.h"
#include "idne/run.h"

namespace idne {

/// The documents' texts as the corpus has them; a model keeps their words alone.
class DocumentTexts {
 public:
  /// Reads a corpus. Throws Error, also if it is not the model's: each of the model's documents must be there with the
  /// text that it had. Documents that the model does not have are passed over.
  DocumentTexts(const TextEncoder& encoder, const std::unordered_map<std::string_view, std::size_t>& rows,
                const std::string& model_name, const std::filesystem::path& corpus, const Run& run);
  std::string_view operator[](std::size_t row) const {
    return std::string_view(bytes_).substr(begin_[row], size_[row]);
  }
  /// How many documents of the corpus the model does not have, for one line to the user; "" if there are none.
  const std::string& note() const { return note_; }

 private:
  std::string bytes_, note_;
  std::vector<std::size_t> begin_, size_;
};

}  // namespace idne
