#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "serve/connections.h"
#include "serve/reloadable.h"

namespace idne {

/// What a server has done, in Prometheus's text form. Safe for use by several threads.
class Metrics {
 public:
  /// `what` is an endpoint's path, not the client's: there are few.
  void add(const std::string& what, int status, double seconds);
  /// A request was stopped at its deadline.
  void add_stopped() { ++stopped_; }
  std::string text(const ConnectionCounts& connections, const ReloadStatus& reloads) const;

 private:
  static constexpr std::array<double, 10> kBounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5};
  struct Latency {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};
    double sum = 0;
  };
  std::atomic<std::uint64_t> stopped_{0};
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Latency> latencies_;
};

}  // namespace idne
