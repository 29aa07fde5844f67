#include "corpus/bags.h"

namespace idne {
namespace {

/// Seven bits per byte, the lowest first; the highest bit says that more follow.
void pack_number(std::uint32_t number, Packer& to) {
  for (; number >= 0x80; number >>= 7) to.add(static_cast<std::uint8_t>(number | 0x80));
  to.add(static_cast<std::uint8_t>(number));
}

std::uint32_t next_number(Unpacker& from) {
  std::uint32_t number = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    const auto byte = from.next<std::uint8_t>();
    number |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
    if (!(byte & 0x80)) return number;
  }
  throw Error("another process sent a number that is none");
}

}  // namespace

void pack(std::span<const WordCount> bag, Packer& to) {
  pack_number(static_cast<std::uint32_t>(bag.size()), to);
  std::uint32_t before = 0;
  for (const WordCount& entry : bag) {
    pack_number(entry.word - before, to);
    pack_number(entry.count, to);
    before = entry.word;
  }
}

void unpack(Unpacker& from, std::vector<WordCount>& bag) {
  bag.clear();
  std::uint32_t before = 0;
  for (std::uint32_t left = next_number(from); left > 0; --left) {
    before += next_number(from);
    bag.push_back({before, next_number(from)});
  }
}

CountMatrix Bags::rows(std::span<const std::uint32_t> documents) const {
  CountMatrix result;
  std::uint64_t entries = 0;  // counted first: what grows as it goes takes up to three times the memory
  for (const std::uint32_t document : documents) {
    if (spread_.here(document)) entries += row(document).size();
  }
  result.reserve(documents.size(), sum_of(ranks(), entries));
  if (!ranks()) {
    for (const std::uint32_t document : documents) result.add_row(own_.row(document));
    return result;
  }
  Packer own;
  for (const std::uint32_t document : documents) {
    if (spread_.here(document)) pack(row(document), own);
  }
  const std::vector<Bytes> all = ranks()->all_gather(own.bytes());
  std::vector<Unpacker> from(all.begin(), all.end());
  std::vector<WordCount> bag;
  for (const std::uint32_t document : documents) {
    unpack(from[spread_.owner(document)], bag);
    result.add_row(bag);
  }
  return result;
}

CountMatrix Bags::rows_for_me(std::span<const std::uint32_t> documents) const {
  if (!ranks()) return rows(documents);
  std::vector<Packer> questions(ranks()->size()), answers(ranks()->size());
  for (const std::uint32_t document : documents) questions[spread_.owner(document)].add(document);
  const std::vector<Bytes> asked = exchange_packed(*ranks(), questions);
  for (std::size_t rank = 0; rank < asked.size(); ++rank) {
    for (Unpacker from(asked[rank]); !from.done();) pack(row(from.next<std::uint32_t>()), answers[rank]);
  }
  const std::vector<Bytes> said = exchange_packed(*ranks(), answers);
  std::vector<WordCount> bag;
  std::size_t entries = 0;
  for (const Bytes& bytes : said) {
    for (Unpacker from(bytes); !from.done(); entries += bag.size()) unpack(from, bag);
  }
  std::vector<Unpacker> from(said.begin(), said.end());
  CountMatrix result;
  result.reserve(documents.size(), entries);
  for (const std::uint32_t document : documents) {
    unpack(from[spread_.owner(document)], bag);
    result.add_row(bag);
  }
  return result;
}

}  // namespace idne
