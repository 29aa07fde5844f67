#include "serve/access_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>

#include "idne/error.h"
#include "text/strings.h"

namespace idne {
namespace {

std::string now() {
  const auto time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (time - seconds).count());
}

}  // namespace

AccessLog::AccessLog(const std::string& where) {
  if (where == "none") return;
  descriptor_ = STDERR_FILENO;
  if (where == "-") return;
  constexpr mode_t kMode = 0640;
  descriptor_ = ::open(where.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor_ < 0) throw Error(fmt::format("{}: cannot write: {}", where, std::strerror(errno)));
  own_ = true;
}

AccessLog::~AccessLog() {
  if (own_) ::close(descriptor_);
}

void AccessLog::write(const Entry& entry) {
  if (descriptor_ < 0) return;
  constexpr double kPerMillisecond = 1e3;
  constexpr std::size_t kLongestPath = 500, kLongestMethod = 16;
  std::string line =
      fmt::format(R"({{"time":"{}","peer":{},"method":{},"path":{},"status":{},"bytes":{},"ms":{:.3f})", now(),
                  json_quoted(entry.peer), json_quoted(std::string_view(entry.method).substr(0, kLongestMethod)),
                  json_quoted(std::string_view(entry.path).substr(0, kLongestPath)), entry.status, entry.bytes,
                  entry.seconds * kPerMillisecond);
  const std::lock_guard lock(mutex_);
  line += left_out_ > 0 ? fmt::format(R"(,"left_out_before":{}}})", left_out_) : "}";
  line += '\n';
  pollfd ready{descriptor_, POLLOUT, 0};
  static_assert(PIPE_BUF >= 4096);  // a pipe that is ready takes a line of that size at once
  const bool fits = line.size() <= PIPE_BUF && ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0 &&
                    ::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  left_out_ = fits ? 0 : left_out_ + 1;
}

}  // namespace idne
