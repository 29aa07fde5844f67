#pragma once

#include <functional>
#include <span>
#include <string_view>

/// Every reader of bytes that come from somewhere else, each as a function that takes any bytes, and returns: Error is
/// an answer, too.
namespace idne::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};
std::span<const Target> targets();

/// A model file with the checksum that fits its bytes, so that what lies behind the checksum is reached. Bytes that are
/// no such file stay as they are.
void seal(std::span<char> file);

}  // namespace idne::fuzz
