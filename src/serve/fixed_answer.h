#pragma once

#include <string>
#include <string_view>

namespace idne {

inline constexpr const char* kJsonType = "application/json";

/// How much time zlib takes: for what is packed once, and for every answer.
inline constexpr int kThoroughPacking = 6, kQuickPacking = 1;
std::string gzip(std::string_view text, int level);

/// An answer that does not change: kept as it is and packed.
struct FixedAnswer {
  FixedAnswer(std::string its_type, std::string text);
  std::string type, plain, packed;
};

/// The media type of a file, by its name's end.
std::string type_of(std::string_view path);

}  // namespace idne
