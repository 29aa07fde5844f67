#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "idne/model.h"

namespace idne {

/// The types of a model file, with safetensors' names for them.
struct TypeInfo {
  Model::Type type;
  std::string_view name;
  std::size_t size;
};
inline constexpr std::array<TypeInfo, 4> kTypes{{{Model::Type::I64, "I64", 8},
                                                 {Model::Type::F32, "F32", 4},
                                                 {Model::Type::I32, "I32", 4},
                                                 {Model::Type::U8, "U8", 1}}};

inline const TypeInfo& type_info(Model::Type type) {
  for (const TypeInfo& info : kTypes) {
    if (info.type == type) return info;
  }
  __builtin_unreachable();
}
inline std::string_view type_name(Model::Type type) { return type_info(type).name; }

}  // namespace idne
