#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "corpus/blocks.h"

namespace idne {

/// A file of any size that takes no room: its beginning, then the same again and again. Counts the bytes it gave.
struct RepeatedSource : BlockReader::Source {
  RepeatedSource(std::string beginning, std::string goes_on, std::uint64_t bytes, std::uint64_t& count)
      : begins(std::move(beginning)), again(std::move(goes_on)), size(bytes), given(count) {}

  std::size_t read(char* out, std::size_t most) override {
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(most, size - given));
    for (std::size_t k = 0; k < n; ++k, ++given) {
      out[k] = given < begins.size() ? begins[given] : again[(given - begins.size()) % again.size()];
    }
    return n;
  }
  std::uint64_t position() const override { return given; }

  std::string begins, again;
  std::uint64_t size;
  std::uint64_t& given;
};

}  // namespace idne
