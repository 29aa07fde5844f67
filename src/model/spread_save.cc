#include "model/spread_save.h"

#include <algorithm>
#include <optional>

#include "model/types.h"

namespace idne {
namespace {

using Tensor = ModelTensors::Tensor;
using Type = ModelTensors::Type;
using layout::Entry;
using layout::Kind;

constexpr std::size_t kPiece = std::size_t{1} << 24;

template <class T>
Tensor filled(Type type, std::size_t count, T value) {
  auto values = std::make_shared<std::vector<T>>(count, value);
  return {type, {count}, std::as_bytes(std::span(std::as_const(*values))), values};
}

/// What a process says of an entry that others have something in, and it has nothing.
void add_nothing(const Entry& entry, std::size_t documents, Container& container) {
  const std::vector<std::string> names = tensor_names(entry);
  switch (entry.kind) {
    case Kind::Strings:
    case Kind::Lists:
      container.tensors[names[0]] = filled<std::int64_t>(Type::I64, documents + 1, 0);
      container.tensors[names[1]] =
          entry.kind == Kind::Lists ? filled<std::int32_t>(Type::I32, 0, 0) : filled<char>(Type::U8, 0, 0);
      break;
    case Kind::Numbers64:
      container.tensors[names[0]] = filled<std::int64_t>(Type::I64, documents, 0);
      break;
    case Kind::Floats: {  // weights of links
      const std::string ends = tensor_names(layout::kDocumentLinks)[1];
      container.tensors[names[0]] =
          filled<float>(Type::F32, container.tensors.at(ends).bytes.size() / sizeof(std::int32_t), 1);
      break;
    }
    default:
      break;
  }
}

/// Offsets as they are when others' values stand before these; the first is the end of theirs, and told by them.
Tensor moved(const Tensor& offsets, std::uint64_t before, bool first) {
  auto values = std::make_shared<std::vector<std::int64_t>>(offsets.bytes.size() / sizeof(std::int64_t));
  std::memcpy(values->data(), offsets.bytes.data(), offsets.bytes.size());
  for (std::int64_t& value : *values) value += static_cast<std::int64_t>(before);
  if (!first) values->erase(values->begin());
  return {offsets.type, {values->size()}, std::as_bytes(std::span(std::as_const(*values))), values};
}

bool has(const Container& container, const Entry& entry) {
  return container.tensors.contains(tensor_names(entry).front());
}

bool is_of_documents(const Entry& entry) {
  return entry.rows.count == layout::Documents || entry.rows.count == layout::LinkEnds;
}

/// Makes the tensors of documents such that all ranks' one after the other are the whole. Gives their names.
std::vector<std::string> make_parts(const Placement& spread, Container& container) {
  Ranks& ranks = *spread.ranks();
  std::vector<std::string> parts;
  for (const Entry* entry : layout::kEntries) {
    if (!is_of_documents(*entry)) continue;
    const bool own = has(container, *entry);
    if (!any_of(ranks, own)) continue;
    if (!own) add_nothing(*entry, spread.own(), container);
    const std::vector<std::string> names = tensor_names(*entry);
    if (names.size() > 1) {
      const Tensor& values = container.tensors.at(names[1]);
      const auto count = static_cast<std::uint64_t>(values.bytes.size() / type_info(values.type).size);
      std::uint64_t before = 0;
      const std::vector<std::uint64_t> counts = all_of(ranks, count);
      for (std::size_t rank = 0; rank < ranks.number(); ++rank) before += counts[rank];
      Tensor& offsets = container.tensors.at(names[0]);
      offsets = moved(offsets, before, ranks.first());
    }
    parts.insert(parts.end(), names.begin(), names.end());
  }
  std::ranges::sort(parts);
  return parts;
}

}  // namespace

void save_spread(const std::filesystem::path& path, int version, Container container, const Placement& spread,
                 const Run& run) {
  Ranks& ranks = *spread.ranks();
  const std::vector<std::string> parts = make_parts(spread, container);
  std::vector<ContainerWriter::Described> order;
  for (const auto& [name, tensor] : container.tensors) {
    order.push_back({name, tensor.type, tensor.shape});
    if (!std::ranges::binary_search(parts, name)) continue;
    std::uint64_t rows = tensor.shape[0];
    ranks.add_up({&rows, 1});
    order.back().shape[0] = rows;
  }
  ContainerWriter::put_in_order(order);
  std::optional<ContainerWriter> writer;
  all_or_none(&ranks, [&] {
    if (ranks.first()) writer.emplace(path, kModelFile, version, container.texts, order);
  });
  for (const ContainerWriter::Described& one : order) {
    const auto own = container.tensors.at(one.name).bytes;
    const bool whole = !std::ranges::binary_search(parts, one.name);
    const std::vector<std::uint64_t> sizes = all_of(ranks, static_cast<std::uint64_t>(own.size()));
    for (std::size_t rank = 0; rank < (whole ? 1 : ranks.size()); ++rank) {
      for (std::size_t begin = 0; begin < sizes[rank]; begin += kPiece) {
        std::span<const std::byte> piece;
        if (rank == ranks.number()) piece = own.subspan(begin, std::min<std::size_t>(kPiece, own.size() - begin));
        const std::vector<Bytes> sent = rank > 0 ? ranks.gather(piece) : std::vector<Bytes>{};
        all_or_none(&ranks, [&] {
          run.check();
          if (ranks.first()) writer->write(rank > 0 ? std::span<const std::byte>(sent[rank]) : piece);
        });
      }
    }
  }
  all_or_none(&ranks, [&] {
    if (ranks.first()) writer->commit();
  });
}

}  // namespace idne
