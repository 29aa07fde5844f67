#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace idne {

/// Distinct strings, numbered from 0 in the order in which they came. Look-ups from several threads are safe as long as
/// nobody adds.
class StringTable {
 public:
  StringTable() = default;
  /// What was moved from is empty, and can be used again.
  StringTable(StringTable&& other) noexcept { swap(other); }
  StringTable& operator=(StringTable&& other) noexcept {
    StringTable taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// The number of `text`, adding it if it is new.
  std::uint32_t add(std::string_view text);
  /// The number of `text`, or nothing.
  std::optional<std::uint32_t> find(std::string_view text) const;

  std::string_view operator[](std::size_t number) const { return strings_[number]; }
  std::size_t size() const { return strings_.size(); }
  const std::vector<std::string_view>& strings() const { return strings_; }

 private:
  /// Nearly all words have up to sixteen bytes: their keys are all that they are. Those of frequent words, which come
  /// early, lie close together.
  struct Key {
    std::uint64_t first = 0, last = 0;  ///< the text's first and last bytes, or the hash of a longer one
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    std::uint32_t tag = 0;  ///< of the hash, and the size of a text that is all in its key
    std::uint32_t number_plus_one = 0;
  };
  struct Hash;
  void swap(StringTable& other) noexcept {
    std::swap(slots_, other.slots_);
    std::swap(keys_, other.keys_);
    std::swap(strings_, other.strings_);
    std::swap(chunks_, other.chunks_);
    std::swap(free_, other.free_);
    std::swap(free_bytes_, other.free_bytes_);
  }
  static Key key_of(std::string_view text);
  std::size_t slot_of(std::string_view text, const Key& key, const Hash& hash) const;
  void grow();
  std::string_view keep(std::string_view text);

  std::vector<Slot> slots_;
  std::vector<Key> keys_;
  std::vector<std::string_view> strings_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  std::size_t free_bytes_ = 0;
};

}  // namespace idne
