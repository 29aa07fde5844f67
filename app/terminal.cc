#include "terminal.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <new>
#include <typeinfo>

#include "processes.h"

namespace idne::app {
namespace {

/// Set by the handler, read by every thread that works. Lock-free, as a handler needs it.
std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// The alarm cuts short a read that began just after the signal, and would wait for ever.
void on_signal(int number) {
  if (number != SIGALRM) stop_signal = number;
  ::alarm(1);
}

/// Without SA_RESTART, so that a program that waits for a pipe or a terminal stops too.
void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);  // nohup asked for the contrary
  if (handler == SIG_DFL) action.sa_handler = SIG_IGN;                      // one may be on its way
  ::sigaction(SIGALRM, &action, nullptr);
}

/// How many bytes the UTF-8 character at the front of a text has; 0 if it is broken, or a control character.
std::size_t printable_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7F ? 0 : 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool control = lead == 0xC2 && byte(1) < 0xA0;
  return overlong || control ? 0 : size;
}

}  // namespace

void say_to_stderr(std::string_view text) noexcept {
  if (!speaks()) return;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is this one. What is written to a closed stdout must fail, not vanish.
    if (::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) ::_exit(1);
  }
}

void fail_beyond_file_limit() { std::signal(SIGXFSZ, SIG_IGN); }

void end_without_memory() {
  static const std::terminate_handler for_others = std::get_terminate();
  std::set_terminate([] {
    const std::type_info* thrown = abi::__cxa_current_exception_type();
    if (!thrown || *thrown != typeid(std::bad_alloc)) for_others();
    say_to_stderr("idne: error: not enough memory\n");
    ::_exit(1);
  });
}

bool is_terminal(std::FILE* stream) {
  // Open MPI's mpirun gives processes a terminal of its own making, wherever its own output goes.
  static const bool by_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  return !by_mpirun && ::isatty(::fileno(stream)) == 1;
}

std::optional<std::size_t> terminal_width(std::FILE* stream) {
  if (!is_terminal(stream)) return std::nullopt;
  winsize size{};
  const bool known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20;
  return known ? size.ws_col : 80;
}

bool use_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal(stdout) && !(no_colour && *no_colour);
}

std::string colour(std::size_t number) {
  constexpr std::array<int, 6> kColours{32, 34, 35, 33, 36, 31};
  return number == 0 ? "\x1b[0m" : fmt::format("\x1b[{}m", kColours[(number - 1) % kColours.size()]);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (text.starts_with("\r\n")) text.remove_prefix(1);
    const std::size_t size = printable_bytes(text);
    result += size ? text.substr(0, size) : "?";
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

std::string printable_line(std::string_view text) {
  std::string line = printable(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string duration(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

namespace {

bool is_number_column(const std::string& heading) { return heading.starts_with('>'); }

/// Cuts columns of text, the widest first, until a table fits between the edges: a long id leaves its title as much
/// room as it takes itself. Numbers stay whole.
void fit(std::vector<std::size_t>& width, const std::vector<std::string>& headings, std::size_t edge) {
  constexpr std::size_t kGap = 2, kLeast = 10;
  std::size_t used = width.empty() ? 0 : kGap * (width.size() - 1);
  for (const std::size_t one : width) used += one;
  while (used > edge) {
    std::size_t* widest = nullptr;
    for (std::size_t c = 0; c < width.size(); ++c) {
      if (!is_number_column(headings[c]) && width[c] > kLeast && (!widest || width[c] > *widest)) widest = &width[c];
    }
    if (!widest) return;
    --*widest;
    --used;
  }
}

/// Gives what is too long for the last column a second line, but for lines that only add to the one above.
std::vector<std::vector<std::string>> wrapped(const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  std::vector<std::vector<std::string>> lines;
  for (const auto& row : rows) {
    lines.push_back(row);
    if (row.front().empty() || columns_of(row.back()) <= columns) continue;
    const std::size_t space = cut_to_columns(row.back(), columns).rfind(' ');
    if (space == std::string::npos) continue;
    lines.back().back().resize(space);
    lines.emplace_back(row.size()).back() = row.back().substr(space + 1);
  }
  return lines;
}

}  // namespace

void print_table(const std::vector<std::string>& headings, std::vector<std::vector<std::string>> rows, bool wrap) {
  for (auto& row : rows) std::transform(row.begin(), row.end(), row.begin(), printable_line);
  std::vector<std::size_t> width;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    width.push_back(columns_of(headings[c]) - (is_number_column(headings[c]) ? 1 : 0));
    for (const auto& row : rows) width[c] = std::max(width[c], columns_of(row[c]));
  }
  if (const auto edge = terminal_width(stdout)) {
    fit(width, headings, *edge);
    if (wrap) rows = wrapped(rows, width.back());
  }
  const auto line = [&](const std::vector<std::string>& cells, bool heading) {
    std::string text;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const bool right = is_number_column(headings[c]);
      const std::string cell = cut_to_columns(heading && right ? cells[c].substr(1) : cells[c], width[c]);
      const std::string gap(width[c] - columns_of(cell), ' ');
      text += right ? gap + cell : cell + gap;
      if (c + 1 < cells.size()) text += "  ";
    }
    return text.erase(text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = line(headings, true);
  if (use_colour()) text = "\x1b[1m" + text + "\x1b[0m";
  for (const auto& row : rows) text += line(row, false);
  print_result(text);
}

Session::Session(int threads) {
  stop_signal = 0;
  handle(on_signal);
  run_.threads = threads > 0 ? threads : hardware_threads();
  run_.stopped = [] { return stop_signal != 0; };
  run_.ranks = ranks();
  if (!speaks()) return;
  run_.progress = [this, watched = is_terminal(stderr)](const Progress& progress) {
    watched ? show(progress) : note(progress);
  };
}

Session::~Session() {
  if (line_open_) say_to_stderr("\r\x1b[K");
  handle(SIG_DFL);
}

bool Session::interrupted() { return stop_signal != 0; }

int Session::interrupted_code() {
  constexpr int kKilledBy = 128;
  return kKilledBy + (stop_signal == 0 ? SIGINT : stop_signal.load());
}

/// For a log: a line now and then.
void Session::note(const Progress& progress) {
  constexpr auto kEvery = std::chrono::seconds(30);
  const auto now = std::chrono::steady_clock::now();
  if (shown_ == std::chrono::steady_clock::time_point{}) shown_ = now;
  if (now - shown_ < kEvery) return;
  shown_ = now;
  if (progress.total > 0) {
    tell("{}: {:.0f} %\n", progress.stage,
         100 * static_cast<double>(progress.done) / static_cast<double>(progress.total));
  } else {
    tell("{}: {}\n", progress.stage, with_commas(progress.done));
  }
}

void Session::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_start_ = now;
    stage_first_ = progress.done;
  } else if (now - shown_ < std::chrono::milliseconds(100) && progress.done != progress.total) {
    return;
  }
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  const auto done = static_cast<double>(progress.done), total = static_cast<double>(progress.total);
  const double done_here = done - static_cast<double>(std::min(stage_first_, progress.done));
  std::string line = stage_;
  if (progress.total > 0) {
    constexpr std::size_t kBar = 24;
    const auto full = static_cast<std::size_t>(std::min(1.0, done / total) * kBar);
    line += " ";
    for (std::size_t k = 0; k < kBar; ++k) line += k < full ? "█" : "░";
    line += fmt::format(" {:3.0f} %", 100 * done / total);
  }
  if (!std::isnan(progress.loss)) {
    line += fmt::format("  loss {:.4f}", progress.loss);
    if (seconds > 0.2)
      line += fmt::format("  {} steps/s", with_commas(static_cast<std::uint64_t>(done_here / seconds)));
  }
  if (progress.documents > 0 && seconds > 0.5) {
    line += fmt::format("  {:.{}f} documents/s", static_cast<double>(progress.documents) / seconds,
                        static_cast<double>(progress.documents) < 10 * seconds ? 1 : 0);
  }
  if (seconds > 0.5 && done_here > 0 && progress.total > 0) {
    line += fmt::format("  {} left", duration(seconds * (total - done) / done_here));
  }
  tell("\r\x1b[K{}", cut_to_columns(line, terminal_width(stderr).value_or(80) - 1));
  line_open_ = true;
}

std::string read_text(const std::string& file) {
  if (file == "-") {
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    if (std::cin.bad()) throw Error("stdin: cannot read");
    return text;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (!stream) throw Error(fmt::format("{}: cannot open: {}", file, std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), stream.get())) text.append(piece.data(), n);
  if (std::ferror(stream.get())) throw Error(fmt::format("{}: cannot read: {}", file, std::strerror(errno)));
  return text;
}

void print_result(std::string_view text) {
  if (!speaks()) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(fmt::format("stdout: cannot write: {}", std::strerror(errno)));
  }
}

}  // namespace idne::app
