#include "idne/feedback.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "idne/error.h"
#include "text/strings.h"
#include "text/times.h"

namespace idne {
namespace {

constexpr std::string_view kAccept = "accept", kReject = "reject", kUndo = "undo";

struct Said {
  Feedback feedback;
  bool undone = false;
};

/// Throws Error that says what is wrong with a line, without its place.
Said said_in(simdjson::dom::parser& parser, std::string_view line) {
  simdjson::dom::object object;
  if (parser.parse(line.data(), line.size()).get(object)) throw Error("not a JSON object on one line");
  const auto text = [&](std::string_view name) {
    std::string_view value;
    if (object[name].get(value) || value.empty()) throw Error(fmt::format("\"{}\" is needed, a string", name));
    return std::string(value);
  };
  const std::optional<Feedback::Kind> kind = feedback_kind(text("kind"));
  if (!kind) throw Error("\"kind\" must be \"link\" or \"label\"");
  const std::string verdict = text("verdict");
  if (verdict != kAccept && verdict != kReject && verdict != kUndo) {
    throw Error("\"verdict\" must be \"accept\", \"reject\" or \"undo\"");
  }
  return {{*kind, text("document"), text("target"), verdict == kAccept}, verdict == kUndo};
}

struct Lines {
  std::vector<Said> all;
  std::size_t whole = 0;  ///< bytes up to the end of the last line that is not cut off
};

/// Throws Error with the line, unless it is a last one without an end.
Lines lines_of(std::string_view text, const std::string& name) {
  Lines lines;
  simdjson::dom::parser parser;
  std::uint64_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = trimmed(text.substr(begin, std::min(end, text.size()) - begin));
    try {
      if (!line.empty()) lines.all.push_back(said_in(parser, line));
    } catch (const Error& error) {
      if (end == std::string_view::npos) return lines;
      throw Error(name, number, error.what());
    }
    begin = end == std::string_view::npos ? text.size() : end + 1;
    lines.whole = begin;
  }
  return lines;
}

std::vector<Feedback> last_ones(const std::vector<Said>& all) {
  using Pair = std::tuple<Feedback::Kind, std::string_view, std::string_view>;
  std::map<Pair, std::size_t> last;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Feedback& one = all[n].feedback;
    std::string_view first = one.document, second = one.target;
    if (one.kind == Feedback::Kind::Link && second < first) std::swap(first, second);
    last[{one.kind, first, second}] = n;
  }
  std::vector<bool> holds(all.size());
  for (const auto& [pair, n] : last) holds[n] = !all[n].undone;
  std::vector<Feedback> result;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (holds[n]) result.push_back(all[n].feedback);
  }
  return result;
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

std::string text_behind(int descriptor, const std::filesystem::path& path) {
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t size = ::pread(descriptor, piece.data(), piece.size(), static_cast<off_t>(text.size()));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail(path, "cannot read");
    if (size == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

/// Keeps other programs from writing meanwhile, where the file system knows such locks.
class Lock {
 public:
  explicit Lock(int descriptor) : descriptor_(descriptor) {
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Lock() { ::flock(descriptor_, LOCK_UN); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

/// In one piece, so that nothing comes between. A process that is killed in the middle of it may leave a line that is
/// cut off, which whoever opens the file next takes off.
void append_line(int descriptor, std::string_view line, const std::filesystem::path& path) {
  const Lock lock(descriptor);
  struct stat before {};
  if (::fstat(descriptor, &before) != 0) fail(path, "cannot write");
  const ssize_t size = ::write(descriptor, line.data(), line.size());
  if (size == static_cast<ssize_t>(line.size()) && ::fdatasync(descriptor) == 0) return;
  const int code = size >= 0 && size < static_cast<ssize_t>(line.size()) ? ENOSPC : errno;
  [[maybe_unused]] const int cut = ::ftruncate(descriptor, before.st_size);
  errno = code;
  fail(path, "cannot write");
}

}  // namespace

std::string_view to_text(Feedback::Kind kind) { return kind == Feedback::Kind::Link ? "link" : "label"; }

std::optional<Feedback::Kind> feedback_kind(std::string_view text) {
  if (text == "link") return Feedback::Kind::Link;
  if (text == "label") return Feedback::Kind::Label;
  return std::nullopt;
}

std::vector<Feedback> read_feedback(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot open");
  const std::unique_ptr<const int, void (*)(const int*)> closed(&descriptor, [](const int* one) { ::close(*one); });
  return last_ones(lines_of(text_behind(descriptor, path), path.string()).all);
}

struct FeedbackFile::Open {
  explicit Open(const std::filesystem::path& path) {
    constexpr mode_t kMode = 0640;
    descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
    if (descriptor < 0) fail(path, "cannot write");
    try {
      struct stat status {};
      if (::fstat(descriptor, &status) != 0) fail(path, "cannot read");
      if (!S_ISREG(status.st_mode))
        throw Error(fmt::format("{}: must be a file that can be read again", path.string()));
      const Lock lock(descriptor);
      const std::string text = text_behind(descriptor, path);
      const Lines lines = lines_of(text, path.string());
      if (lines.whole < text.size() && ::ftruncate(descriptor, static_cast<off_t>(lines.whole)) != 0) {
        fail(path, "cannot write");
      }
      const bool ends = lines.whole == 0 || text[lines.whole - 1] == '\n';
      if (!ends && ::write(descriptor, "\n", 1) != 1) fail(path, "cannot write");
      for (const Feedback& one : last_ones(lines.all)) set(one.kind, one.document, one.target, one.accepted);
    } catch (...) {
      ::close(descriptor);
      throw;
    }
  }
  ~Open() { ::close(descriptor); }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;

  void set(Feedback::Kind kind, const std::string& document, const std::string& target, std::optional<bool> accepted) {
    set_one(kind, document, target, accepted);
    if (kind == Feedback::Kind::Link) set_one(kind, target, document, accepted);
  }
  std::optional<bool> verdict(Feedback::Kind kind, const std::string& document, const std::string& target) const {
    const auto about = documents.find(document);
    if (about == documents.end()) return std::nullopt;
    const auto found = about->second.find({kind, target});
    return found == about->second.end() ? std::nullopt : std::optional(found->second);
  }

  int descriptor = -1;
  std::map<std::string, Verdicts, std::less<>> documents;

 private:
  void set_one(Feedback::Kind kind, const std::string& from, const std::string& to, std::optional<bool> accepted) {
    if (accepted) {
      documents[from][{kind, to}] = *accepted;
    } else if (const auto found = documents.find(from); found != documents.end()) {
      found->second.erase({kind, to});
      if (found->second.empty()) documents.erase(found);
    }
  }
};

FeedbackFile::FeedbackFile(std::filesystem::path path) : path_(std::move(path)), open_(std::make_unique<Open>(path_)) {}

FeedbackFile::~FeedbackFile() = default;

FeedbackFile::Verdicts FeedbackFile::about(std::string_view document) const {
  const std::shared_lock lock(mutex_);
  const auto found = open_->documents.find(document);
  return found == open_->documents.end() ? Verdicts{} : found->second;
}

void FeedbackFile::write(const Feedback& feedback, std::string_view verdict) {
  append_line(
      open_->descriptor,
      fmt::format("{{\"time\":\"{}\",\"kind\":\"{}\",\"document\":{},\"target\":{},\"verdict\":\"{}\"}}\n", utc_now(),
                  to_text(feedback.kind), json_quoted(feedback.document), json_quoted(feedback.target), verdict),
      path_);
}

void FeedbackFile::add(const Feedback& feedback) {
  const std::unique_lock lock(mutex_);
  if (open_->verdict(feedback.kind, feedback.document, feedback.target) == feedback.accepted) return;
  write(feedback, feedback.accepted ? kAccept : kReject);
  open_->set(feedback.kind, feedback.document, feedback.target, feedback.accepted);
}

bool FeedbackFile::undo(Feedback::Kind kind, const std::string& document, const std::string& target) {
  const std::unique_lock lock(mutex_);
  if (!open_->verdict(kind, document, target)) return false;
  write({kind, document, target, false}, kUndo);
  open_->set(kind, document, target, std::nullopt);
  return true;
}

void FeedbackFile::reopen() {
  auto anew = std::make_unique<Open>(path_);
  const std::unique_lock lock(mutex_);
  open_ = std::move(anew);
}

}  // namespace idne
