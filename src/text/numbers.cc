#include "text/numbers.h"

#include <algorithm>

namespace idne {

std::string with_commas(std::uint64_t number) { return with_commas(std::to_string(number)); }

std::string with_commas(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size()), sign = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = point; at > sign + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return with_commas(count) + ' ' + std::string(count == 1 ? one : many);
}

}  // namespace idne
