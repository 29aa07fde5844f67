#include "math/ranks.h"

#include <fmt/format.h>

#include <algorithm>

namespace idne {

std::vector<Bytes> Ranks::all_gather(std::span<const std::byte> own) {
  count(own.size() * (size() - 1));
  return do_all_gather(own);
}

std::vector<Bytes> Ranks::gather(std::span<const std::byte> own) {
  count(first() ? 0 : own.size());
  return do_gather(own);
}

std::vector<Bytes> Ranks::exchange(const std::vector<Bytes>& to) {
  std::uint64_t bytes = 0;
  for (std::size_t r = 0; r < to.size(); ++r) bytes += r == number() ? 0 : to[r].size();
  count(bytes);
  return do_exchange(to);
}

void Ranks::broadcast(std::size_t root, std::span<std::byte> bytes) {
  count(root == number() ? bytes.size() * (size() - 1) : 0);
  do_broadcast(root, bytes);
}

void Ranks::all_gather(std::span<const float> own, std::span<const std::size_t> counts, std::span<float> all) {
  count(own.size_bytes() * (size() - 1));
  do_all_gather(own, counts, all);
}

void Ranks::add_up(std::span<std::uint64_t> numbers) {
  count(numbers.size_bytes() * (size() - 1));
  do_add_up(numbers);
}

void check_all_same(Ranks& ranks, std::uint64_t own, std::string_view what) {
  const std::vector<std::uint64_t> all = all_of(ranks, own);
  if (all.size() != ranks.size()) throw Error("another process begins otherwise; all machines need the same build");
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] != all[0])
      throw Error(fmt::format("process {} {} process 0; all machines need the same", rank, what));
  }
}

std::uint64_t sum_of(Ranks* ranks, std::uint64_t own) {
  if (ranks) ranks->add_up(std::span(&own, 1));
  return own;
}

Share share_of(const Ranks* ranks, std::size_t n) {
  if (!ranks) return {0, n};
  return {n * ranks->number() / ranks->size(), n * (ranks->number() + 1) / ranks->size()};
}

void all_or_none(Ranks* ranks, const std::function<void()>& work) {
  if (!ranks) return work();
  enum Outcome : std::uint8_t { kDone, kFailed, kStopped };
  Packer own;
  try {
    work();
    own.add(kDone);
  } catch (const Interrupted& stop) {
    own.add(kStopped);
    own.add_text(stop.what());
  } catch (const Error& error) {
    own.add(kFailed);
    own.add_text(error.what());
  }
  for (const Bytes& bytes : ranks->all_gather(own.bytes())) {
    Unpacker said(bytes);
    const auto outcome = said.next<Outcome>();
    if (outcome == kStopped) throw Interrupted(std::string(said.next_text()));
    if (outcome == kFailed) throw Error(std::string(said.next_text()));
  }
}

std::vector<Bytes> exchange_packed(Ranks& ranks, std::vector<Packer>& to) {
  std::vector<Bytes> bytes;
  for (Packer& one : to) bytes.push_back(one.take());
  return ranks.exchange(bytes);
}

bool any_of(Ranks& ranks, bool own) {
  const std::vector<std::uint8_t> said = all_of(ranks, static_cast<std::uint8_t>(own));
  return std::ranges::any_of(said, [](std::uint8_t one) { return one != 0; });
}

}  // namespace idne
