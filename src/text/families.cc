#include "text/families.h"

#include "text/word_kinds.h"

namespace idne {

std::vector<std::uint32_t> word_families(const std::vector<std::string_view>& words) {
  std::vector<std::uint32_t> families;
  for (std::uint32_t w = 0; w < words.size(); ++w) families.push_back(is_number_or_key(words[w]) ? kNoFamily : w);
  return families;
}

}  // namespace idne
