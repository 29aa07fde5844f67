#include "idne/string_table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace idne {
namespace {

constexpr std::size_t kInKey = 16;

template <class Number>
std::uint64_t load(const char* from) {
  Number number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}

}  // namespace

StringTable::Key StringTable::key_of(std::string_view text) {
  const char* first = text.data();
  const std::size_t size = text.size();
  if (size > kInKey) return {XXH3_64bits(first, size), 0};
  if (size >= 8) return {load<std::uint64_t>(first), load<std::uint64_t>(first + size - 8)};
  if (size >= 4) return {load<std::uint32_t>(first), load<std::uint32_t>(first + size - 4)};
  if (size >= 2) return {load<std::uint16_t>(first), load<std::uint16_t>(first + size - 2)};
  return {size == 1 ? load<std::uint8_t>(first) : 0, 0};
}

/// Where a key's slot is looked for, and what tells it from most others there.
struct StringTable::Hash {
  Hash(const Key& key, std::size_t size) {
    std::uint64_t bits = (key.first ^ key.last * 0x9E3779B97F4A7C15) + (std::uint64_t{size} << 56);
    bits = (bits ^ bits >> 33) * 0xFF51AFD7ED558CCD;  // the end of MurmurHash3
    bits = (bits ^ bits >> 33) * 0xC4CEB9FE1A85EC53;
    at = bits ^ bits >> 33;
    constexpr std::size_t kSizes = 32;
    tag = static_cast<std::uint32_t>((bits >> 32) / kSizes * kSizes + std::min(size, kSizes - 1));
  }
  std::uint64_t at;
  std::uint32_t tag;
};

std::size_t StringTable::slot_of(std::string_view text, const Key& key, const Hash& hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash.at & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number_plus_one == 0) return at;
    const std::size_t number = slot.number_plus_one - 1;
    if (slot.tag != hash.tag || keys_[number] != key) continue;
    if (text.size() <= kInKey || strings_[number] == text) return at;
  }
}

std::optional<std::uint32_t> StringTable::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const Key key = key_of(text);
  const Slot& slot = slots_[slot_of(text, key, {key, text.size()})];
  if (slot.number_plus_one == 0) return std::nullopt;
  return slot.number_plus_one - 1;
}

std::uint32_t StringTable::add(std::string_view text) {
  if (strings_.size() * 2 >= slots_.size()) grow();
  const Key key = key_of(text);
  const Hash hash(key, text.size());
  Slot& slot = slots_[slot_of(text, key, hash)];
  if (slot.number_plus_one == 0) {
    strings_.push_back(keep(text));
    keys_.push_back(key);
    slot = {hash.tag, static_cast<std::uint32_t>(strings_.size())};
  }
  return slot.number_plus_one - 1;
}

void StringTable::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), {});
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < strings_.size(); ++number) {
    const Hash hash(keys_[number], strings_[number].size());
    std::size_t at = hash.at & mask;
    while (slots_[at].number_plus_one != 0) at = (at + 1) & mask;
    slots_[at] = {hash.tag, number + 1};
  }
}

std::string_view StringTable::keep(std::string_view text) {
  if (text.size() > free_bytes_) {
    free_bytes_ = std::max<std::size_t>(text.size(), std::size_t{1} << 16);
    chunks_.push_back(std::make_unique<char[]>(free_bytes_));
    free_ = chunks_.back().get();
  }
  if (!text.empty()) std::memcpy(free_, text.data(), text.size());
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return kept;
}

}  // namespace idne
