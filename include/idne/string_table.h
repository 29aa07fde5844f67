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
  /// Most words have up to eight bytes: these are in the key, and found without another look into memory.
  struct Slot {
    std::uint64_t key = 0;  ///< the text itself, or the hash of a longer one
    std::uint32_t size = 0;
    std::uint32_t number_plus_one = 0;
  };
  void swap(StringTable& other) noexcept {
    std::swap(slots_, other.slots_);
    std::swap(strings_, other.strings_);
    std::swap(chunks_, other.chunks_);
    std::swap(free_, other.free_);
    std::swap(free_bytes_, other.free_bytes_);
  }
  std::size_t slot_of(std::string_view text, std::uint64_t key) const;
  void grow();
  std::string_view keep(std::string_view text);

  std::vector<Slot> slots_;
  std::vector<std::string_view> strings_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  std::size_t free_bytes_ = 0;
};

}  // namespace idne
