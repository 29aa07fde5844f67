#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace idne {

/// What a stream of random numbers is for. Streams of different purposes never share a number.
enum class Purpose : std::uint32_t {
  WordStart = 1,
  TopicStart = 2,
  Pairs = 3,
  Generate = 4,
  Split = 5,
  Folds = 6,
  Hidden = 7,
  Unlinked = 8,
  Svd = 9,
  Walks = 10,
  Entries = 11,
  Triplets = 12,
  Edges = 13,
  ParameterStart = 14,
  HeldOut = 15,
  TopicFit = 16,
  StartLinks = 17,
  Sample = 18,
  Further = 19,
  StepWords = 20,
  Noise = 21,
  Restarts = 22,
  Meetings = 23,
};

/// One block of Philox4x32-10 (Salmon et al., SC 2011): 128 random bits from a 128-bit counter and a 64-bit key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A stream of random numbers that depends on (seed, purpose, index) alone, so that any thread can make any part of a
/// run's numbers at any time. The counter holds (index, purpose, block): streams cannot overlap.
class Random {
 public:
  /// To be replaced by another.
  Random() : Random(0, Purpose{}, 0) {}
  Random(std::uint64_t seed, Purpose purpose, std::uint64_t index)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(index),
                 static_cast<std::uint32_t>(index >> 32)} {}

  std::uint32_t bits32() {
    if (used_ == 4) refill();
    return block_[used_++];
  }
  std::uint64_t bits64() {
    const std::uint64_t high = bits32();
    return high << 32 | bits32();
  }
  /// Uniform in [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(bits64() >> 11) * 0x1p-53; }
  /// Uniform in 0 … n − 1, without bias. REQUIRES: n > 0.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{bits32()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{bits32()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  /// Standard normal, cut at two standard deviations of the uncut one.
  float truncated_normal();

 private:
  void refill() {
    block_ = philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
};

/// Every order is as likely as any other. REQUIRES: fewer than 2³² values.
template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (std::size_t n = values.size(); n > 1; --n) {
    std::swap(values[n - 1], values[random.below(static_cast<std::uint32_t>(n))]);
  }
}

}  // namespace idne
