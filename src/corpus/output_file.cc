#include "idne/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

int create_beside(const fs::path& target, fs::path& temporary) {
  if (std::error_code none; fs::is_directory(target, none)) {
    throw Error(target.string() + ": cannot write: is a folder; give a file name");
  }
  temporary = target;
  temporary += fmt::format(".part-{}", ::getpid());
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw Error(fmt::format("{}: cannot write: {}", target.string(), std::strerror(errno)));
  return descriptor;
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
  ::unlink(temporary.c_str());
}

OutputFile::OutputFile(const fs::path& path) : target_(real_target(path)) {
  if (is_device(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write");
  } else {
    descriptor_ = create_beside(target_, temporary_);
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

void OutputFile::commit() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail("cannot write");
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("cannot write");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot rename into place");
  temporary_.clear();
}

}  // namespace idne
