#pragma once

#include <chrono>

namespace idne {

/// Says when it is time to do something again; to report, ten times a second at most.
class Pace {
 public:
  explicit Pace(std::chrono::milliseconds every = std::chrono::milliseconds(100)) : every_(every) {}
  bool due() {
    const auto now = Clock::now();
    if (now - last_ < every_) return false;
    last_ = now;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::milliseconds every_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace idne
