#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/string_table.h"
#include "idne/text.h"
#include "idne/words.h"

/// Words as people write them: "Gerät", which is matched as "gerat".
namespace idne {

/// How a word stands in its text, but small at the beginning of a sentence, where grammar capitalises it; "" if that is
/// its normal form. `scratch` holds the result if need be.
std::string_view written_form(std::string_view text, const Token& token, std::string& scratch);

/// How often words are written in other ways than their normal one.
class FormCounts {
 public:
  void add(std::uint32_t word, std::string_view form, std::uint64_t count = 1);

  std::size_t size() const { return words_.size(); }
  std::string_view form(std::size_t n) const { return forms_[n]; }
  std::uint32_t word(std::size_t n) const { return words_[n]; }
  std::uint64_t count(std::size_t n) const { return counts_[n]; }

 private:
  StringTable forms_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> counts_;
  static constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> last_;  ///< the form that each word had last
};

bool begins_with_capital(std::string_view word);
/// With the first letter as a capital, or small.
std::string capitalised(std::string_view word);
std::string uncapitalised(std::string_view word);

}  // namespace idne
