#pragma once

#include <chrono>

namespace idne {

/// Says when it is time to report again: ten times a second at most.
class Pace {
 public:
  bool due() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace idne
