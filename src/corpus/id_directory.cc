#include "corpus/id_directory.h"

#include <xxhash.h>

#include <algorithm>

namespace idne {

IdHash hash_of(std::string_view id) {
  const XXH128_hash_t hash = XXH3_128bits(id.data(), id.size());
  return {hash.high64, hash.low64};
}

IdDirectory::IdDirectory(const Placement& spread, std::span<const std::string_view> ids) : ranks_(*spread.ranks()) {
  std::vector<Packer> to(ranks_.size());
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const IdHash hash = hash_of(ids[n]);
    to[keeper(hash)].add(Entry{hash, static_cast<std::uint32_t>(spread.begin() + n)});
  }
  for (const Bytes& bytes : exchange_packed(ranks_, to)) {
    for (Unpacker from(bytes); !from.done();) entries_.push_back(from.next<Entry>());
  }
  std::ranges::sort(entries_);
  std::uint32_t repeat = kNone;
  for (std::size_t n = 1; n < entries_.size(); ++n) {
    if (entries_[n - 1].id == entries_[n].id) repeat = std::min(repeat, entries_[n].number);
  }
  repeat = std::ranges::min(all_of(ranks_, repeat));
  if (repeat != kNone) first_repeat_ = repeat;
}

std::vector<std::uint32_t> IdDirectory::find(std::span<const IdHash> ids) const {
  std::vector<Packer> questions(ranks_.size());
  for (const IdHash& id : ids) questions[keeper(id)].add(id);
  std::vector<Packer> answers(ranks_.size());
  const std::vector<Bytes> asked = exchange_packed(ranks_, questions);
  for (std::size_t rank = 0; rank < asked.size(); ++rank) {
    for (Unpacker from(asked[rank]); !from.done();) {
      const auto id = from.next<IdHash>();
      const auto found = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
      answers[rank].add(found != entries_.end() && found->id == id ? found->number : kNone);
    }
  }
  const std::vector<Bytes> said = exchange_packed(ranks_, answers);
  std::vector<Unpacker> from(said.begin(), said.end());
  std::vector<std::uint32_t> numbers;
  numbers.reserve(ids.size());
  for (const IdHash& id : ids) numbers.push_back(from[keeper(id)].next<std::uint32_t>());
  return numbers;
}

}  // namespace idne
