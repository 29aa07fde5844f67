#include "serve/access_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "idne/error.h"
#include "text/strings.h"
#include "text/times.h"

namespace idne {
namespace {

int open_log(const std::string& where) {
  constexpr mode_t kMode = 0640;
  const int descriptor = ::open(where.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor < 0) throw Error(fmt::format("{}: cannot write: {}", where, std::strerror(errno)));
  return descriptor;
}

}  // namespace

AccessLog::AccessLog(const std::string& where) : where_(where) {
  if (where == "none") return;
  own_ = where != "-";
  descriptor_ = own_ ? open_log(where) : STDERR_FILENO;
}

AccessLog::~AccessLog() {
  if (own_) ::close(descriptor_);
}

void AccessLog::write(const Entry& entry) {
  if (where_ == "none") return;
  constexpr double kPerMillisecond = 1e3;
  constexpr std::size_t kLongestPath = 500, kLongestMethod = 16;
  std::string line =
      fmt::format(R"({{"time":"{}","peer":{}{},"method":{},"path":{},"status":{},"bytes":{},"ms":{:.3f})", utc_now(),
                  json_quoted(entry.peer), entry.user.empty() ? "" : ",\"user\":" + json_quoted(entry.user),
                  json_quoted(std::string_view(entry.method).substr(0, kLongestMethod)),
                  json_quoted(std::string_view(entry.path).substr(0, kLongestPath)), entry.status, entry.bytes,
                  entry.seconds * kPerMillisecond);
  write_line(std::move(line));
}

void AccessLog::write_event(std::string_view event, const Fields& fields) {
  std::string line = fmt::format(R"({{"time":"{}","event":{})", utc_now(), json_quoted(event));
  constexpr std::size_t kLongest = 1000;
  for (const auto& [name, value] : fields) {
    line += fmt::format(",{}:{}", json_quoted(name), json_quoted(std::string_view(value).substr(0, kLongest)));
  }
  write_line(std::move(line));
}

void AccessLog::reopen() {
  if (!own_) return;
  const int anew = open_log(where_);
  const std::lock_guard lock(mutex_);
  ::close(descriptor_);
  descriptor_ = anew;
}

void AccessLog::write_line(std::string line) {
  const std::lock_guard lock(mutex_);
  if (descriptor_ < 0) return;
  line += left_out_ > 0 ? fmt::format(R"(,"left_out_before":{}}})", left_out_) : "}";
  line += '\n';
  pollfd ready{descriptor_, POLLOUT, 0};
  static_assert(PIPE_BUF >= 4096);  // a pipe that is ready takes a line of that size at once
  const bool fits = line.size() <= PIPE_BUF && ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0 &&
                    ::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  left_out_ = fits ? 0 : left_out_ + 1;
}

}  // namespace idne
