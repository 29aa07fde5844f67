#pragma once

#include <array>
#include <string_view>

#include "model/tensors.h"

namespace idne {

/// The types of a model file, with safetensors' names for them.
struct TypeInfo {
  ModelTensors::Type type;
  std::string_view name;
  std::size_t size;
};
inline constexpr std::array<TypeInfo, 4> kTypes{{{ModelTensors::Type::I64, "I64", 8},
                                                 {ModelTensors::Type::F32, "F32", 4},
                                                 {ModelTensors::Type::I32, "I32", 4},
                                                 {ModelTensors::Type::U8, "U8", 1}}};

inline const TypeInfo& type_info(ModelTensors::Type type) {
  for (const TypeInfo& info : kTypes) {
    if (info.type == type) return info;
  }
  __builtin_unreachable();
}

}  // namespace idne
