#include "idne/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "idne/error.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// A link is followed, so that the file behind it is replaced and not the link.
fs::path real_target(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? path : real;
}

/// A name beside the target that nobody else has, not even another thread of this process.
fs::path name_beside(const fs::path& target) {
  static std::atomic<std::uint64_t> count{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  fs::path name = target;
  return name += fmt::format(".part-{}-{:x}-{}", ::getpid(), now, ++count);
}

/// Whether a name is what name_beside() makes of this target's.
bool is_beside(std::string_view name, std::string_view target) {
  if (!name.starts_with(target)) return false;
  name.remove_prefix(target.size());
  constexpr std::string_view kPart = ".part-";
  return name.starts_with(kPart) && std::ranges::count(name.substr(kPart.size()), '-') == 2 &&
         name.find_first_not_of("0123456789abcdef-", kPart.size()) == std::string_view::npos;
}

/// Takes away what killed processes left beside a target. Whoever still writes holds a lock, wherever it runs.
void remove_left_over(const fs::path& target) {
  std::error_code error;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!is_beside(entry.path().filename().string(), target.filename().string())) continue;
    const int part = ::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (part < 0) continue;
    if (entry.is_regular_file(error) && ::flock(part, LOCK_EX | LOCK_NB) == 0) ::unlink(entry.path().c_str());
    ::close(part);
  }
}

/// A file that is there for nobody else, locked; -1 and errno if there can be none.
int create_locked(const fs::path& target, fs::path& temporary, mode_t mode) {
  remove_left_over(target);
  while (true) {
    temporary = name_beside(target);
    const int descriptor = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0) return descriptor;
    ::flock(descriptor, LOCK_EX | LOCK_NB);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || status.st_nlink > 0) return descriptor;
    ::close(descriptor);  // another process took it for left over just before it was locked
  }
}

/// A file without a name, which the system takes away with the process, or, where it knows no such files, one with a
/// name of its own that is there for nobody else: `temporary` then says which.
int create_beside(const fs::path& target, fs::path& temporary) {
  if (std::error_code none; fs::is_directory(target, none)) {
    throw Error(target.string() + ": cannot write: is a folder; give a file name");
  }
  constexpr mode_t kMode = 0666;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
  if (descriptor >= 0 && ::access(fmt::format("/proc/self/fd/{}", descriptor).c_str(), F_OK) == 0) {
    ::flock(descriptor, LOCK_EX | LOCK_NB);
    return descriptor;
  }
  if (descriptor >= 0) ::close(descriptor);  // it could never be given a name
  descriptor = create_locked(target, temporary, kMode);
  if (descriptor < 0) {
    temporary.clear();
    throw Error(fmt::format("{}: cannot write: {}", target.string(), std::strerror(errno)));
  }
  return descriptor;
}

/// So that a new name outlives a power cut. Some file systems refuse it; the file is whole anyway.
void keep_names(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

bool is_device(const fs::path& path) {
  std::error_code none;
  const auto status = fs::status(path, none);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

void check_writable(const fs::path& path) {
  if (is_device(path)) return;
  fs::path temporary;
  ::close(create_beside(real_target(path), temporary));
  if (!temporary.empty()) ::unlink(temporary.c_str());
}

OutputFile::OutputFile(const fs::path& path) : target_(real_target(path)), regular_(!is_device(path)) {
  if (regular_) {
    descriptor_ = create_beside(target_, temporary_);
  } else {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write");
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(const char* what) const {
  throw Error(fmt::format("{}: {}: {}", target_.string(), what, std::strerror(errno)));
}

void OutputFile::write(const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(descriptor_, at, std::min<std::size_t>(size, std::size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write");
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

void OutputFile::write_at_start(std::string_view text) {
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) fail("cannot write");
  write(text);
}

/// Gives a file without a name its own. Where that is taken, one beside it is given first and renamed at once: whoever
/// kills the process in between leaves that name behind, for the next one to take away.
void OutputFile::give_name() {
  const std::string nameless = fmt::format("/proc/self/fd/{}", descriptor_);
  const auto link = [&](const fs::path& name) {
    return ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link(target_)) return;
  if (errno != EEXIST) fail("cannot write");
  remove_left_over(target_);
  const fs::path beside = name_beside(target_);
  if (!link(beside)) fail("cannot write");
  temporary_ = beside;
  if (::rename(beside.c_str(), target_.c_str()) != 0) fail("cannot rename into place");
  temporary_.clear();
}

void OutputFile::commit() {
  if (regular_ && ::fsync(descriptor_) != 0) fail("cannot write");
  if (regular_ && temporary_.empty()) give_name();
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("cannot write");
  if (!regular_) return;
  if (!temporary_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot rename into place");
  temporary_.clear();
  keep_names(target_.parent_path());
}

}  // namespace idne
