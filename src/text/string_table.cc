#include "idne/string_table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace idne {
namespace {

std::uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }
std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

std::size_t StringTable::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].number_plus_one != 0 &&
         (slots_[at].tag != tag_of(hash) || strings_[slots_[at].number_plus_one - 1] != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::optional<std::uint32_t> StringTable::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[slot_of(text, hash_of(text))];
  if (slot.number_plus_one == 0) return std::nullopt;
  return slot.number_plus_one - 1;
}

std::uint32_t StringTable::add(std::string_view text) {
  if (strings_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.number_plus_one == 0) {
    strings_.push_back(keep(text));
    slot = {tag_of(hash), static_cast<std::uint32_t>(strings_.size())};
  }
  return slot.number_plus_one - 1;
}

void StringTable::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t n = 0; n < strings_.size(); ++n) {
    const std::uint64_t hash = hash_of(strings_[n]);
    std::size_t at = hash & mask;
    while (slots_[at].number_plus_one != 0) at = (at + 1) & mask;
    slots_[at] = {tag_of(hash), static_cast<std::uint32_t>(n + 1)};
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
