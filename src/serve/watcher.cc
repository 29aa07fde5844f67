#include "serve/watcher.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

#include "idne/error.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kGone = IN_DELETE_SELF | IN_MOVE_SELF;

/// Whether what got a name, and was not written since, was written before that, or is a link.
bool is_whole(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && (S_ISLNK(status.st_mode) || status.st_size > 0);
}

}  // namespace

Watcher::Watcher(const std::vector<fs::path>& files, std::chrono::milliseconds settle, Handlers handlers)
    : settle_(settle),
      handlers_(std::move(handlers)),
      signals_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      ends_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (signals_.get() < 0 || ends_.get() < 0) throw Error(fmt::format("cannot serve: {}", std::strerror(errno)));
  if (!files.empty()) events_ = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  for (const fs::path& file : files) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const int number = ::inotify_add_watch(events_.get(), folder.c_str(),
                                           IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY | kGone | IN_ONLYDIR);
    if (number < 0) throw Error(fmt::format("{}: cannot watch: {}", folder.string(), std::strerror(errno)));
    folders_[number].path = folder;
    folders_[number].names.insert(file.filename().string());
  }
  thread_ = std::jthread([this] { work(); });
}

Watcher::~Watcher() { wake(ends_); }

void Watcher::wake(const Descriptor& event) noexcept {
  const int code = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto size = ::write(event.get(), &one, sizeof one);
  errno = code;
}

void Watcher::look_at(int folder, std::uint32_t what, const char* name) {
  if ((what & IN_Q_OVERFLOW) != 0) {  // anything may have happened
    pending_ = touched_ = true;
    return;
  }
  const auto found = folders_.find(folder);
  if (found == folders_.end()) return;
  if ((what & kGone) != 0) {
    handlers_.lost(found->second.path);
    folders_.erase(found);
    return;
  }
  if (!found->second.names.contains(std::string_view(name))) return;
  touched_ = true;
  const fs::path file = found->second.path / name;
  if ((what & IN_CREATE) != 0) {
    named_.insert(file);
    return;
  }
  named_.erase(file);
  pending_ = pending_ || (what & IN_MODIFY) == 0;
}

void Watcher::read_events() {
  alignas(inotify_event) std::array<char, 16 * (sizeof(inotify_event) + NAME_MAX + 1)> bytes;
  for (;;) {
    const ssize_t size = ::read(events_.get(), bytes.data(), bytes.size());
    if (size <= 0) return;
    for (const char* at = bytes.data(); at < bytes.data() + size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      look_at(event->wd, event->mask, event->len > 0 ? event->name : "");
      at += sizeof(inotify_event) + event->len;
    }
  }
}

void Watcher::work() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point settled{};
  for (;;) {
    int wait = -1;
    if (pending_ || !named_.empty()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(settled - Clock::now()).count();
      wait = left > 0 ? static_cast<int>(left) : 0;
    }
    std::array<pollfd, 3> ready{{{ends_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}, {events_.get(), POLLIN, 0}}};
    const int count = ::poll(ready.data(), ready.size(), wait);  // one without a descriptor (-1) is passed over
    if (count < 0 && errno != EINTR) return;
    if (count > 0 && ready[0].revents != 0) return;
    if (count > 0 && ready[1].revents != 0) {
      std::uint64_t number = 0;
      [[maybe_unused]] const auto size = ::read(signals_.get(), &number, sizeof number);
      handlers_.signalled();
    }
    if (count > 0 && ready[2].revents != 0) {
      touched_ = false;
      read_events();
      if (touched_) settled = Clock::now() + settle_;
    }
    if (Clock::now() < settled) continue;
    const bool changed = pending_ || std::any_of(named_.begin(), named_.end(), is_whole);
    pending_ = false;
    named_.clear();
    if (changed) handlers_.changed();
  }
}

}  // namespace idne
