#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace idne {

void Metrics::add(const std::string& what, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{what, status}];
  Latency& latency = latencies_[what];
  ++latency
        .counts[static_cast<std::size_t>(std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin())];
  latency.sum += seconds;
}

std::string Metrics::text(const ConnectionCounts& connections, const ReloadStatus& reloads) const {
  std::string text;
  const auto single = [&text](std::string_view name, std::string_view type, std::string_view help,
                              std::uint64_t value) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
  };
  single("idne_connections", "gauge", "Connections that are open.", connections.open);
  single("idne_connections_accepted_total", "counter", "Connections so far.", connections.accepted);
  single("idne_refused_total", "counter", "Connections and requests refused because there were too many.",
         connections.refused);
  single("idne_timed_out_total", "counter", "Requests that took too long to come in or to be taken.",
         connections.timed_out);
  single("idne_broken_total", "counter", "Requests that were broken or cut off.", connections.broken);
  single("idne_accept_paused_total", "counter", "Times that the system had no file left for another connection.",
         connections.not_accepted);
  single("idne_failed_total", "counter", "What ended with an exception, such as for want of memory.",
         connections.failed);
  single("idne_limited_total", "counter", "Requests refused because one client had too many.", connections.limited);
  single("idne_stopped_total", "counter", "Requests stopped because they took longer than the deadline.", stopped_);
  single("idne_buffered_bytes", "gauge", "Memory that requests and answers take.", connections.buffered);
  single("idne_reloads_total", "counter", "Times that a model was taken up anew.", reloads.done);
  single("idne_reloads_failed_total", "counter", "Times that it could not be, and the old one stayed.", reloads.failed);
  single("idne_reload_failing", "gauge", "1 if that was so the last time.", reloads.why.empty() ? 0 : 1);
  single("idne_requests_waiting", "gauge", "Requests that wait or are worked on.", connections.waiting);

  const std::lock_guard lock(mutex_);
  text += "# HELP idne_requests_total Requests answered.\n# TYPE idne_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    text += fmt::format("idne_requests_total{{endpoint=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  }
  text +=
      "# HELP idne_request_seconds Time to answer a request, without waiting and sending.\n"
      "# TYPE idne_request_seconds histogram\n";
  for (const auto& [endpoint, latency] : latencies_) {
    std::uint64_t sum = 0;
    for (std::size_t b = 0; b < kBounds.size(); ++b) {
      sum += latency.counts[b];
      text += fmt::format("idne_request_seconds_bucket{{endpoint=\"{}\",le=\"{}\"}} {}\n", endpoint, kBounds[b], sum);
    }
    sum += latency.counts.back();
    text += fmt::format(
        "idne_request_seconds_bucket{{endpoint=\"{0}\",le=\"+Inf\"}} {1}\n"
        "idne_request_seconds_sum{{endpoint=\"{0}\"}} {2}\nidne_request_seconds_count{{endpoint=\"{0}\"}} {1}\n",
        endpoint, sum, latency.sum);
  }
  return text;
}

}  // namespace idne
