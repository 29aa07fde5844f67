#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace idne {

/// Distinct strings, numbered from 0 in the order in which they came. Look-ups from several threads are safe as long as
/// nobody adds.
class StringTable {
 public:
  StringTable() = default;
  StringTable(StringTable&&) = default;
  StringTable& operator=(StringTable&&) = default;

  /// The number of `text`, adding it if it is new.
  std::uint32_t add(std::string_view text);
  /// The number of `text`, or nothing.
  std::optional<std::uint32_t> find(std::string_view text) const;

  std::string_view operator[](std::size_t number) const { return strings_[number]; }
  std::size_t size() const { return strings_.size(); }
  const std::vector<std::string_view>& strings() const { return strings_; }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number_plus_one = 0;
  };
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  void grow();
  std::string_view keep(std::string_view text);

  std::vector<Slot> slots_;
  std::vector<std::string_view> strings_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  std::size_t free_bytes_ = 0;
};

}  // namespace idne
