#include "idne/model.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "idne/error.h"
#include "model/types.h"

namespace idne {
namespace {

template <class T>
Model::Tensor owned(Model::Type type, std::vector<T> values, std::vector<std::size_t> shape) {
  const auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  return {type, std::move(shape), std::as_bytes(std::span(*owner)), owner};
}

template <class T>
std::span<const T> values_of(const Model::Tensor& tensor) {
  return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(T)};
}

}  // namespace

void Model::add(const std::string& name, std::vector<float> values, std::vector<std::size_t> shape) {
  tensors_[name] = owned(Type::F32, std::move(values), std::move(shape));
}
void Model::add(const std::string& name, std::vector<std::int32_t> values) {
  const std::size_t size = values.size();
  tensors_[name] = owned(Type::I32, std::move(values), {size});
}
void Model::add(const std::string& name, std::vector<std::int64_t> values) {
  const std::size_t size = values.size();
  tensors_[name] = owned(Type::I64, std::move(values), {size});
}
void Model::add_bytes(const std::string& name, std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  tensors_[name] = {Type::U8, {owner->size()}, std::as_bytes(std::span(*owner)), owner};
}

const Model::Tensor& Model::tensor(const std::string& name, Type type) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error(fmt::format("this model has no {}", name));
  if (found->second.type != type) throw Error(fmt::format("this model's {} is not {}", name, type_name(type)));
  return found->second;
}

MatrixView Model::matrix(const std::string& name) const {
  const Tensor& t = tensor(name, Type::F32);
  if (t.shape.size() != 2) throw Error(fmt::format("this model's {} is no matrix", name));
  return {values_of<float>(t).data(), t.shape[0], t.shape[1]};
}
std::span<const float> Model::floats(const std::string& name) const {
  return values_of<float>(tensor(name, Type::F32));
}
std::span<const std::int32_t> Model::numbers32(const std::string& name) const {
  return values_of<std::int32_t>(tensor(name, Type::I32));
}
std::span<const std::int64_t> Model::numbers64(const std::string& name) const {
  return values_of<std::int64_t>(tensor(name, Type::I64));
}

StringsView Model::strings(const std::string& name) const {
  const auto bytes = values_of<char>(tensor(name + ".bytes", Type::U8));
  return {{bytes.data(), bytes.size()}, numbers64(name + ".offsets")};
}

std::span<const std::int32_t> Model::list(const std::string& name, std::size_t i) const {
  const auto offsets = numbers64(name + ".offsets");
  const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
  return numbers32(name + ".values").subspan(begin, end - begin);
}

std::string_view Model::text(const std::string& key) const {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string_view() : found->second;
}

std::uint64_t Model::count(const std::string& key) const {
  const std::string_view number = text(key);
  std::uint64_t value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value;
}

std::optional<std::size_t> Model::find_document(std::string_view id) const {
  const StringsView ids = strings("documents.ids");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == id) return i;
  }
  return std::nullopt;
}

}  // namespace idne
