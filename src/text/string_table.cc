#include "idne/string_table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace idne {
namespace {

constexpr std::size_t kInKey = 8;

template <class Number>
std::uint64_t load(const char* from) {
  Number number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}

/// Different for texts of one size up to kInKey that differ: their first and last bytes, which are all of them.
std::uint64_t key_of(std::string_view text) {
  const char* first = text.data();
  const std::size_t size = text.size();
  if (size > kInKey) return XXH3_64bits(first, size);
  if (size >= 4) return load<std::uint32_t>(first) | load<std::uint32_t>(first + size - 4) << 32;
  if (size >= 2) return load<std::uint16_t>(first) | load<std::uint16_t>(first + size - 2) << 16;
  return size == 1 ? load<std::uint8_t>(first) : 0;
}

/// Spreads keys over the slots (the end of MurmurHash3).
std::uint64_t spread(std::uint64_t key, std::uint32_t size) {
  key ^= std::uint64_t{size} << 56;
  key = (key ^ key >> 33) * 0xFF51AFD7ED558CCD;
  key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53;
  return key ^ key >> 33;
}

}  // namespace

std::size_t StringTable::slot_of(std::string_view text, std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  const auto size = static_cast<std::uint32_t>(text.size());
  for (std::size_t at = spread(key, size) & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number_plus_one == 0) return at;
    if (slot.key != key || slot.size != size) continue;
    if (text.size() <= kInKey || strings_[slot.number_plus_one - 1] == text) return at;
  }
}

std::optional<std::uint32_t> StringTable::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[slot_of(text, key_of(text))];
  if (slot.number_plus_one == 0) return std::nullopt;
  return slot.number_plus_one - 1;
}

std::uint32_t StringTable::add(std::string_view text) {
  if (strings_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t key = key_of(text);
  Slot& slot = slots_[slot_of(text, key)];
  if (slot.number_plus_one == 0) {
    strings_.push_back(keep(text));
    slot = {key, static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(strings_.size())};
  }
  return slot.number_plus_one - 1;
}

void StringTable::grow() {
  std::vector<Slot> before(std::max<std::size_t>(64, slots_.size() * 2));
  before.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : before) {
    if (slot.number_plus_one == 0) continue;
    std::size_t at = spread(slot.key, slot.size) & mask;
    while (slots_[at].number_plus_one != 0) at = (at + 1) & mask;
    slots_[at] = slot;
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
