#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace idne {

/// Memory that requests and answers of all clients may take together. Safe for use by several threads.
class Budget {
 public:
  explicit Budget(std::size_t most) : most_(most) {}
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  friend class Charge;
  bool take(std::size_t bytes) {
    std::size_t before = used();
    do {
      if (bytes > most_ - before) return false;
    } while (!used_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  const std::size_t most_;
  std::atomic<std::size_t> used_{0};
};

/// A part of a budget; it moves with what it is for, and is given back at the end. One that was moved from is empty and
/// can be used again.
class Charge {
 public:
  /// So little is never counted: what is small is answered even while large things take up all the rest.
  static constexpr std::size_t kFree = 4096;

  Charge() = default;
  explicit Charge(Budget& budget) : budget_(&budget) {}
  Charge(Charge&& other) noexcept : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    clear();
    budget_ = other.budget_;
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~Charge() { clear(); }

  /// From now on for so many bytes, instead of those before. False, and nothing has changed, if there are too few left.
  bool set(std::size_t bytes) {
    if (bytes <= kFree) bytes = 0;
    if (bytes > bytes_ && !budget_->take(bytes - bytes_)) return false;
    if (bytes < bytes_) budget_->give_back(bytes_ - bytes);
    bytes_ = bytes;
    return true;
  }
  void clear() {
    if (bytes_ > 0) budget_->give_back(std::exchange(bytes_, 0));
  }

 private:
  Budget* budget_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace idne
