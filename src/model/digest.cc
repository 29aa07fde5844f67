#include "model/digest.h"

#include <xxhash.h>

#include "model/tensors.h"

namespace idne {

std::uint64_t digest_of(const Model& model) {
  std::uint64_t digest = 0;
  for (const auto& [name, tensor] : ModelTensors(model).all()) {
    digest = XXH3_64bits_withSeed(name.data(), name.size(), digest);
    digest = XXH3_64bits_withSeed(tensor.bytes.data(), tensor.bytes.size(), digest);
  }
  return digest;
}

}  // namespace idne
