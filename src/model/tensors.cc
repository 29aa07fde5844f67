#include "model/tensors.h"

#include <fmt/format.h>

#include "idne/error.h"
#include "model/types.h"

namespace idne {
namespace {

using layout::Entry;
using layout::Kind;
using Tensor = ModelTensors::Tensor;
using Type = ModelTensors::Type;

std::string offsets_name(const Entry& entry) { return fmt::format("{}.offsets", entry.name); }
std::string bytes_name(const Entry& entry) { return fmt::format("{}.bytes", entry.name); }
std::string values_name(const Entry& entry) { return fmt::format("{}.values", entry.name); }
std::string counts_name(const Entry& entry) { return fmt::format("{}.counts", entry.name); }

}  // namespace

std::vector<std::string> tensor_names(const Entry& entry) {
  switch (entry.kind) {
    case Kind::Strings:
      return {offsets_name(entry), bytes_name(entry)};
    case Kind::Lists:
      return {offsets_name(entry), values_name(entry)};
    case Kind::Bags:
      return {offsets_name(entry), values_name(entry), counts_name(entry)};
    default:
      return {std::string(entry.name)};
  }
}

template <class T>
std::span<const T> ModelTensors::values(const std::string& name, Type type) const {
  const auto found = all().find(name);
  if (found == all().end()) throw Error(fmt::format("this model has no {}", name));
  const Tensor& tensor = found->second;
  if (tensor.type != type) throw Error(fmt::format("this model's {} is not {}", name, type_info(type).name));
  return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(T)};
}

bool ModelTensors::has(const Entry& entry) const { return all().contains(tensor_names(entry).front()); }

MatrixView ModelTensors::matrix(const Entry& entry) const {
  const std::string name(entry.name);
  const auto floats = values<float>(name, Type::F32);
  const auto& shape = all().at(name).shape;
  if (shape.size() != 2) throw Error(fmt::format("this model's {} is no matrix", name));
  return {floats.data(), shape[0], shape[1]};
}
std::span<const float> ModelTensors::floats(const Entry& entry) const {
  return values<float>(std::string(entry.name), Type::F32);
}
std::span<const std::int32_t> ModelTensors::numbers32(const Entry& entry) const {
  return values<std::int32_t>(std::string(entry.name), Type::I32);
}
std::span<const std::int64_t> ModelTensors::numbers64(const Entry& entry) const {
  return values<std::int64_t>(std::string(entry.name), Type::I64);
}
StringsView ModelTensors::strings(const Entry& entry) const {
  const auto bytes = values<char>(bytes_name(entry), Type::U8);
  return {{bytes.data(), bytes.size()}, values<std::int64_t>(offsets_name(entry), Type::I64)};
}
ListsView ModelTensors::lists(const Entry& entry) const {
  return {values<std::int64_t>(offsets_name(entry), Type::I64), values<std::int32_t>(values_name(entry), Type::I32)};
}
BagsView ModelTensors::bags(const Entry& entry) const {
  return {values<std::int64_t>(offsets_name(entry), Type::I64), values<std::int32_t>(values_name(entry), Type::I32),
          values<std::int32_t>(counts_name(entry), Type::I32)};
}

void ModelMaker::set(const Entry& entry, std::vector<float> values, std::size_t rows, std::size_t columns) {
  model_.tensors_[std::string(entry.name)] = owned(std::move(values), {rows, columns});
  refresh();
}
void ModelMaker::set(const Entry& entry, std::vector<float> values) {
  model_.tensors_[std::string(entry.name)] = owned(std::move(values));
  refresh();
}
void ModelMaker::set(const Entry& entry, std::vector<std::int32_t> values) {
  model_.tensors_[std::string(entry.name)] = owned(std::move(values));
  refresh();
}
void ModelMaker::set(const Entry& entry, std::vector<std::int64_t> values) {
  model_.tensors_[std::string(entry.name)] = owned(std::move(values));
  refresh();
}
void ModelMaker::set(const Entry& entry, Lists lists) {
  model_.tensors_[offsets_name(entry)] = owned(std::move(lists.offsets));
  model_.tensors_[values_name(entry)] = owned(std::move(lists.values));
  refresh();
}
void ModelMaker::set(const Entry& entry, const CountMatrix& bags) {
  Lists words;
  std::vector<std::int32_t> counts;
  words.values.reserve(bags.entries());
  counts.reserve(bags.entries());
  for (std::size_t i = 0; i < bags.rows(); ++i) {
    for (const WordCount& word : bags.row(i)) {
      words.values.push_back(static_cast<std::int32_t>(word.word));
      counts.push_back(static_cast<std::int32_t>(word.count));
    }
    words.end_row();
  }
  model_.tensors_[counts_name(entry)] = owned(std::move(counts));
  set(entry, std::move(words));
}
void ModelMaker::set_strings(const Entry& entry, std::string bytes, std::vector<std::int64_t> offsets) {
  model_.tensors_[bytes_name(entry)] = owned(std::move(bytes));
  model_.tensors_[offsets_name(entry)] = owned(std::move(offsets));
  refresh();
}
void ModelMaker::remove(const Entry& entry) {
  for (const std::string& name : tensor_names(entry)) model_.tensors_.erase(name);
  refresh();
}

void ModelMaker::take(std::map<std::string, Tensor> tensors) {
  model_.tensors_ = std::move(tensors);
  refresh();
}

/// A model in the making lacks some entries: their views are empty.
void ModelMaker::refresh() {
  const auto matrix_of = [&](const Entry& entry) { return has(entry) ? matrix(entry) : MatrixView{}; };
  const auto strings_of = [&](const Entry& entry) { return has(entry) ? strings(entry) : StringsView{}; };
  const auto floats_of = [&](const Entry& entry) { return has(entry) ? floats(entry) : std::span<const float>{}; };
  const auto numbers_of = [&](const Entry& entry) {
    return has(entry) ? numbers64(entry) : std::span<const std::int64_t>{};
  };
  const auto bags_of = [&](const Entry& entry) { return has(entry) ? bags(entry) : BagsView{}; };
  const auto lists_of = [&](const Entry& entry) { return has(entry) ? lists(entry) : ListsView{}; };
  model_.documents_ = {strings_of(layout::kDocumentIds),
                       strings_of(layout::kDocumentTitles),
                       numbers_of(layout::kDocumentDates),
                       matrix_of(layout::kDocumentVectors),
                       lists_of(layout::kDocumentLabels),
                       lists_of(layout::kDocumentLinks),
                       lists_of(layout::kDocumentGroups),
                       bags_of(layout::kDocumentWords),
                       bags_of(layout::kDocumentLateWords),
                       floats_of(layout::kLinkAmounts),
                       lists_of(layout::kOwnLinks),
                       lists_of(layout::kOwnGroups),
                       strings_of(layout::kGroupNames),
                       lists_of(layout::kRejectedLinks),
                       lists_of(layout::kRejectedLabels),
                       has(layout::kUntrained) ? numbers32(layout::kUntrained) : std::span<const std::int32_t>{},
                       numbers_of(layout::kDocumentDigests)};
  model_.words_ = {strings_of(layout::kWordStrings), numbers_of(layout::kWordCounts), matrix_of(layout::kWordVectors),
                   strings_of(layout::kWordForms),   strings_of(layout::kLateWords),  strings_of(layout::kLateForms)};
  model_.topics_ = {matrix_of(layout::kTopicVectors),
                    floats_of(layout::kTopicShares),
                    floats_of(layout::kTopicNpmi),
                    floats_of(layout::kTopicCoherence),
                    strings_of(layout::kTopicNames),
                    has(layout::kTopicWords) ? numbers32(layout::kTopicWords) : std::span<const std::int32_t>{},
                    floats_of(layout::kTopicWordWeights)};
  model_.labels_ = {strings_of(layout::kLabelNames), strings_of(layout::kLabelOwnNames),
                    matrix_of(layout::kLabelWeights)};
}

}  // namespace idne
