#include "import/folder_watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "idne/error.h"
#include "text/strings.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

bool is_passed_over(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with('.') || name == "node_modules";
}

}  // namespace

FolderWatch::FolderWatch(fs::path folder, std::set<std::string> endings, const std::vector<fs::path>& files)
    : root_(std::move(folder)), endings_(std::move(endings)), descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (descriptor_ < 0) throw Error(fmt::format("{}: cannot be watched: {}", root_.string(), std::strerror(errno)));
  try {
    if (!fs::is_directory(root_)) throw Error(root_.string() + ": no such folder");
    add(root_);
    for (const fs::path& file : files) {
      const fs::path parent = file.has_parent_path() ? file.parent_path() : ".";
      const int watch = ::inotify_add_watch(descriptor_, parent.c_str(), kEvents);
      if (watch < 0) throw Error(fmt::format("{}: cannot be watched: {}", parent.string(), std::strerror(errno)));
      files_[watch].insert(file.filename().string());
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FolderWatch::~FolderWatch() { ::close(descriptor_); }

void FolderWatch::add(const fs::path& folder) {
  const int watch = ::inotify_add_watch(descriptor_, folder.c_str(), kEvents);
  if (watch < 0) {
    if (folder != root_ && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) return;  // gone again, or not ours
    const char* const advice =
        errno == ENOSPC ? "; there are more folders than fs.inotify.max_user_watches lets a user watch" : "";
    throw Error(fmt::format("{}: cannot be watched: {}{}", folder.string(), std::strerror(errno), advice));
  }
  folders_[watch] = folder;
  std::error_code none;
  for (auto entry = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, none);
       !none && entry != fs::directory_iterator(); entry.increment(none)) {
    std::error_code gone;
    const bool is_folder = entry->is_directory(gone) && !entry->is_symlink(gone);
    if (is_folder && !is_passed_over(entry->path())) add(entry->path());
  }
}

bool FolderWatch::matters(const fs::path& file) const {
  return !is_passed_over(file) && endings_.contains(lower_ascii(file.extension().string()));
}

bool FolderWatch::read_events() {
  bool any = false;
  alignas(inotify_event) std::array<char, 16384> bytes;
  for (ssize_t size; (size = ::read(descriptor_, bytes.data(), bytes.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      inotify_event event;
      std::memcpy(&event, bytes.data() + at, sizeof(event));
      const std::string name = event.len > 0 ? bytes.data() + at + sizeof(event) : "";
      at += static_cast<ssize_t>(sizeof(event) + event.len);
      if (event.mask & IN_Q_OVERFLOW) {
        any = true;  // something was missed: all is looked at
        add(root_);
        continue;
      }
      if (const auto names = files_.find(event.wd); names != files_.end()) any |= names->second.contains(name);
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end()) continue;
      if (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) {
        if (folder->second == root_) throw Error(root_.string() + ": the folder is gone");
        continue;
      }
      if (event.mask & IN_IGNORED) {
        folders_.erase(folder);
        continue;
      }
      const fs::path file = folder->second / name;
      if (event.mask & IN_ISDIR) {
        if (is_passed_over(file)) continue;
        any = true;  // with all that is in it
        if (event.mask & (IN_CREATE | IN_MOVED_TO)) add(file);
      } else if (matters(file)) {
        any = true;
      }
    }
  }
  return any;
}

bool FolderWatch::wait(std::chrono::milliseconds settle, std::chrono::milliseconds longest,
                       const std::function<bool()>& stopped) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kAsk{100};  // whether to stop
  Clock::time_point first{}, last{};
  for (bool any = false;;) {
    if (stopped && stopped()) return false;
    pollfd waits{descriptor_, POLLIN, 0};
    const auto longest_sleep = any ? std::min(settle, kAsk) : kAsk;
    if (::poll(&waits, 1, static_cast<int>(longest_sleep.count())) > 0 && read_events()) {
      last = Clock::now();
      if (!any) first = last;
      any = true;
    }
    if (any && (Clock::now() - last >= settle || Clock::now() - first >= longest)) return true;
  }
}

}  // namespace idne
