#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

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

template <class T>
inline constexpr ModelTensors::Type kTypeOf = std::is_same_v<T, float>          ? ModelTensors::Type::F32
                                              : std::is_same_v<T, std::int32_t> ? ModelTensors::Type::I32
                                              : std::is_same_v<T, std::int64_t> ? ModelTensors::Type::I64
                                                                                : ModelTensors::Type::U8;

/// A tensor that owns a vector, or a string as its bytes.
template <class Values>
ModelTensors::Tensor owned(Values values, std::vector<std::size_t> shape) {
  const auto owner = std::make_shared<const Values>(std::move(values));
  return {kTypeOf<typename Values::value_type>, std::move(shape), std::as_bytes(std::span(*owner)), owner};
}
template <class Values>
ModelTensors::Tensor owned(Values values) {
  const std::size_t size = values.size();
  return owned(std::move(values), {size});
}

}  // namespace idne
