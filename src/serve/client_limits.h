#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>

namespace idne {

/// How much one client may ask, so that others get their turn: so many requests per second, with some at once, and so
/// many that wait or are worked on. For one thread.
class ClientLimits {
 public:
  using Clock = std::chrono::steady_clock;
  /// A client that was quiet may ask for what these seconds would have allowed, such as a page with all its parts.
  static constexpr double kSavedSeconds = 4;

  /// 0 is no limit.
  ClientLimits(double per_second, std::size_t at_once) : per_second_(per_second), at_once_(at_once) {}

  /// Takes a request of a client in, and returns 0, or the seconds after which it may come again. leave() for each that
  /// was taken in.
  int enter(const std::string& client, Clock::time_point now) {
    if (per_second_ <= 0 && at_once_ == 0) return 0;
    if (clients_.size() >= kMany) forget_quiet(now);
    State& state = clients_.try_emplace(client, State{most(), 0, now}).first->second;
    refill(state, now);
    if (at_once_ > 0 && state.at_work >= at_once_) return 1;
    if (per_second_ > 0) {
      if (state.saved < 1) return static_cast<int>(std::ceil((1 - state.saved) / per_second_));
      state.saved -= 1;
    }
    ++state.at_work;
    return 0;
  }

  void leave(const std::string& client) {
    const auto found = clients_.find(client);
    if (found != clients_.end() && found->second.at_work > 0) --found->second.at_work;
  }

  std::size_t known() const { return clients_.size(); }

 private:
  static constexpr std::size_t kMany = 10'000;
  struct State {
    double saved;
    std::size_t at_work;
    Clock::time_point seen;
  };

  double most() const { return std::max(1.0, per_second_ * kSavedSeconds); }
  void refill(State& state, Clock::time_point now) const {
    const double seconds = std::chrono::duration<double>(now - state.seen).count();
    state.saved = std::min(most(), state.saved + seconds * per_second_);
    state.seen = now;
  }
  /// Those who have all that they can save are as good as new.
  void forget_quiet(Clock::time_point now) {
    for (auto one = clients_.begin(); one != clients_.end();) {
      refill(one->second, now);
      const bool quiet = one->second.at_work == 0 && one->second.saved >= most();
      one = quiet ? clients_.erase(one) : std::next(one);
    }
  }

  const double per_second_;
  const std::size_t at_once_;
  std::unordered_map<std::string, State> clients_;
};

}  // namespace idne
