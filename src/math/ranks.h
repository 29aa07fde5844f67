#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "idne/error.h"

namespace idne {

using Bytes = std::vector<std::byte>;

/// What a process has sent to others so far.
struct Traffic {
  std::uint64_t meetings = 0;  ///< calls in which all take part
  std::uint64_t bytes = 0;     ///< that went out, each receiver counted
};

/// Processes that do one task together (docs/scale.md): each runs the same program over its own part of the corpus,
/// and they meet in calls that all of them make, in the same order. What each of them gives is kept in the order of
/// the ranks, so that no result depends on who was faster. One process alone has no Ranks: Run::ranks is null.
///
/// All calls throw Error, on whoever can tell, if another process is gone. One thread of a process at a time may call.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual std::size_t number() const = 0;
  virtual std::size_t size() const = 0;
  bool first() const { return number() == 0; }

  /// What each gives, in the order of the ranks, on all of them.
  std::vector<Bytes> all_gather(std::span<const std::byte> own);
  /// The same on rank 0 alone; the others get nothing.
  std::vector<Bytes> gather(std::span<const std::byte> own);
  /// to[r] goes to rank r; what came from each.
  std::vector<Bytes> exchange(const std::vector<Bytes>& to);
  /// Rank `root`'s bytes, on all; all know how many.
  void broadcast(std::size_t root, std::span<std::byte> bytes);
  /// Numbers of which rank r gives counts[r]; all know all counts. `all` gets them one rank after the other.
  void all_gather(std::span<const float> own, std::span<const std::size_t> counts, std::span<float> all);
  /// Each gets the sums over the ranks: of whole numbers, so that no order matters.
  void add_up(std::span<std::uint64_t> numbers);

  const Traffic& traffic() const { return traffic_; }

 protected:
  virtual std::vector<Bytes> do_all_gather(std::span<const std::byte> own) = 0;
  virtual std::vector<Bytes> do_gather(std::span<const std::byte> own) = 0;
  virtual std::vector<Bytes> do_exchange(const std::vector<Bytes>& to) = 0;
  virtual void do_broadcast(std::size_t root, std::span<std::byte> bytes) = 0;
  virtual void do_all_gather(std::span<const float> own, std::span<const std::size_t> counts, std::span<float> all) = 0;
  virtual void do_add_up(std::span<std::uint64_t> numbers) = 0;

 private:
  void count(std::uint64_t bytes) { ++traffic_.meetings, traffic_.bytes += bytes; }

  Traffic traffic_;
};

/// Plain values one after the other, to be sent and read again by the same program.
class Packer {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(&value, sizeof value);
  }
  template <class T>
  void add_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(static_cast<std::uint64_t>(values.size()));
    add_bytes(values.data(), values.size_bytes());
  }
  template <class T>
  void add_all(const std::vector<T>& values) {
    add_all(std::span<const T>(values));
  }
  void add_text(std::string_view text) { add_all(std::span<const char>(text)); }

  std::size_t size() const { return bytes_.size(); }
  const Bytes& bytes() const { return bytes_; }
  Bytes take() { return std::exchange(bytes_, {}); }

 private:
  void add_bytes(const void* from, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  Bytes bytes_;
};

/// Reads what a Packer wrote. Throws Error beyond the end.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }

  template <class T>
  T next() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> next_all() {
    const auto count = next<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) too_short();
    std::vector<T> values(count);
    const auto from = take(count * sizeof(T));
    if (count > 0) std::memcpy(values.data(), from.data(), from.size());
    return values;
  }
  /// Valid as long as the bytes.
  std::string_view next_text() {
    const auto size = next<std::uint64_t>();
    if (size > bytes_.size()) too_short();
    const auto from = take(size);
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }

 private:
  [[noreturn]] static void too_short() { throw Error("another process sent less than it announced"); }
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size()) too_short();
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  std::span<const std::byte> bytes_;
};

/// What each gives, one rank after the other.
template <class T>
std::vector<T> all_of(Ranks& ranks, std::span<const T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<Bytes> parts = ranks.all_gather(std::as_bytes(own));
  std::size_t size = 0;
  for (const Bytes& part : parts) size += part.size() / sizeof(T);
  std::vector<T> all;
  all.reserve(size);
  for (Bytes& part : parts) {  // each is given back when it was taken: they may be large
    if (part.size() % sizeof(T) != 0) throw Error("another process sent what is no whole number of values");
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(T));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
    part = Bytes();
  }
  return all;
}
template <class T>
std::vector<T> all_of(Ranks& ranks, const T& own) {
  return all_of(ranks, std::span<const T>(&own, 1));
}

/// Throws Error on all unless each gives the same: "process 2 WHAT process 0; all machines need the same".
void check_all_same(Ranks& ranks, std::uint64_t own, std::string_view what);

/// What is packed for each rank, exchanged.
std::vector<Bytes> exchange_packed(Ranks& ranks, std::vector<Packer>& to);

/// Whether any of the ranks says so. Also a meeting point.
bool any_of(Ranks& ranks, bool own);

/// The sum of what each gives, on all; the number itself without ranks. Also a meeting point.
std::uint64_t sum_of(Ranks* ranks, std::uint64_t own);

/// The part of n things that is this rank's, about as many as each other's; all without ranks.
struct Share {
  std::size_t begin, end;
};
Share share_of(const Ranks* ranks, std::size_t n);

/// One rank after the other does `add`, which changes `sum`: it goes on from the rank before, so that the sum is that
/// of one process that has all. Afterwards all have the last. A meeting of all.
template <class Sum>
void add_in_order(Ranks* ranks, const std::function<void()>& add, Sum& sum) {
  if (!ranks) return add();
  for (std::size_t rank = 0; rank < ranks->size(); ++rank) {
    if (rank == ranks->number()) add();
    ranks->broadcast(rank, std::as_writable_bytes(std::span(&sum, 1)));
  }
}

/// Does work that meets nobody. If it throws Error or Interrupted on any rank, all of them throw that of the lowest.
/// Without ranks just does it.
void all_or_none(Ranks* ranks, const std::function<void()>& work);

}  // namespace idne
