#include "model/layout.h"

#include <fmt/format.h>

namespace idne::layout {

std::string text_of(const Size& size) {
  constexpr std::array<std::string_view, kCounts> kNames{"1",
                                                         "documents",
                                                         "words",
                                                         "topics",
                                                         "labels",
                                                         "groups",
                                                         "width",
                                                         "text width",
                                                         "hidden",
                                                         "words' labels",
                                                         "ends of links",
                                                         "late words",
                                                         "late words' labels",
                                                         "rare words"};
  const std::string_view name = kNames[static_cast<std::size_t>(size.count)];
  if (size.count == Count::One && size.any_multiple) {
    return size.times > 1 ? fmt::format("any · {}", size.times) : "any";
  }
  if (size.count == Count::One) return fmt::format("{}", size.times);
  if (size.any_multiple) return fmt::format("any · {}", name);
  if (size.times > 1) return fmt::format("{} · {}", size.times, name);
  return size.plus > 0 ? fmt::format("({} + {})", name, size.plus) : std::string(name);
}

}  // namespace idne::layout
