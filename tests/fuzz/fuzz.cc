#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "targets.h"

/// The program that libFuzzer makes of the targets (`make fuzz`); IDNE_FUZZ names the one that is run.
namespace {

const idne::fuzz::Target& chosen() {
  static const idne::fuzz::Target& target = []() -> const idne::fuzz::Target& {
    const char* const name = std::getenv("IDNE_FUZZ");
    const auto all = idne::fuzz::targets();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return name && one.name == name; });
    if (found != all.end()) return *found;
    std::fputs("IDNE_FUZZ must be one of", stderr);
    for (const auto& one : all) std::fprintf(stderr, " %.*s", static_cast<int>(one.name.size()), one.name.data());
    std::fputs("\n", stderr);
    std::exit(2);
  }();
  return target;
}

}  // namespace

/// What a target makes once is not to count as the time of its first input.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  chosen().run("");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen().run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Models keep a checksum that fits, and every other time their header as it is, so that what is behind both is
/// reached.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (chosen().name != "model") return LLVMFuzzerMutate(data, size, most);
  std::size_t tensors = 8;
  if (size >= 8) {
    for (std::size_t k = 0; k < 4; ++k) tensors += std::size_t{data[k]} << (8 * k);
  }
  if (seed % 2 == 0 && tensors < size) {
    LLVMFuzzerMutate(data + tensors, size - tensors, size - tensors);  // what it takes away at the end stays as it was
  } else {
    size = LLVMFuzzerMutate(data, size, most);
  }
  idne::fuzz::seal({reinterpret_cast<char*>(data), size});
  return size;
}
