#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/model.h"
#include "idne/text.h"

namespace idne {

/// A title as people type it: words in small letters with one space between them, Latin letters to ASCII. Unlike the
/// words of texts it keeps single letters and function words: "World War I" is not "World War". A title without letters
/// and digits ("🎉", "...") is itself.
std::string folded_title(std::string_view title, Tokenizer& tokenizer);

/// The documents by their titles (or ids), folded. Rows without one are not in it.
class TitleIndex {
 public:
  explicit TitleIndex(const StringsView& titles);

  /// Rows whose title begins with a folded title.
  std::span<const std::uint32_t> with_prefix(std::string_view folded) const;
  /// Rows whose title is a typo away from a folded title.
  std::vector<std::uint32_t> nearly(std::string_view folded) const;
  std::string_view folded(std::uint32_t row) const {
    return std::string_view(bytes_).substr(begin_[row], begin_[row + 1] - begin_[row]);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> begin_;  ///< of each row's title, and the end
  std::vector<std::uint32_t> by_title_;
};

}  // namespace idne
