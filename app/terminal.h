#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "idne/run.h"
#include "text/numbers.h"
#include "text/strings.h"
#include "verbs/options.h"

/// What the verbs share in talking to a person: colours, progress, tables, interruption.
namespace idne::app {

/// A program may be started with its standard streams closed. Were that left so, the next file to be opened would take
/// the place of one of them, and messages would go into it.
void open_standard_streams();
/// Writing more than `ulimit -f` allows is an error, as on a full disk, and no signal that ends the program without a
/// word.
void fail_beyond_file_limit();
/// Where memory is so short that it cannot even be given back in order (destructors of JSON take some), the program
/// ends at once, with the line and the code that it has for that, and does not abort.
void end_without_memory();

/// A message to a person, on stderr. Never throws: a closed or full stderr is no reason to fail.
void say_to_stderr(std::string_view text) noexcept;
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  say_to_stderr(fmt::format(format, std::forward<Arguments>(arguments)...));
}

bool is_terminal(std::FILE* stream);
/// Columns of the terminal behind a stream; nothing where there is none.
std::optional<std::size_t> terminal_width(std::FILE* stream);
/// Whether stdout takes colours: a terminal, and NO_COLOR is not set.
bool use_colour();

/// Colour number 1, 2 … as an escape sequence; 0 ends it. Six colours that differ in light and dark terminals, then
/// again.
std::string colour(std::size_t number);

/// Text fit for a terminal: control characters other than tab and newline, and bytes that are no UTF-8, become '?'.
std::string printable(std::string_view text);
/// The same on one line: tabs and newlines become spaces.
std::string printable_line(std::string_view text);
/// 0.82 as "0.8 s", 75 as "1 min 15 s".
std::string duration(double seconds);

/// Rows under headings, columns as wide as they need; where that is more than a terminal has, columns of text are cut,
/// the widest first, and with `wrap` the last one has a second line.
/// Columns whose heading begins with '>' are aligned to the right. Cells may hold anything: they are made printable.
void print_table(const std::vector<std::string>& headings, std::vector<std::vector<std::string>> rows,
                 bool wrap = false);

/// How a verb runs: threads, a progress line on stderr, or one every 30 s where that is no terminal, Ctrl-C and SIGTERM
/// as stops.
class Session {
 public:
  explicit Session(int threads);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Run& run() const { return run_; }
  /// Whether a signal asked for a stop. A system call that it cut short may have failed for that reason alone.
  static bool interrupted();
  /// The exit code that an interruption asks for: 130 after Ctrl-C, 143 after SIGTERM, 129 after
  /// SIGHUP.
  static int interrupted_code();

 private:
  void show(const Progress& progress);
  void note(const Progress& progress);

  Run run_;
  std::string stage_;
  std::uint64_t stage_first_ = 0;  ///< what was done when it was first told of: a resumed run does not begin at 0
  std::chrono::steady_clock::time_point stage_start_, shown_{};
  bool line_open_ = false;
};

/// The contents of FILE, or of stdin for "-". Throws Error that names the file.
std::string read_text(const std::string& file);

/// Prints a result to stdout; throws Error if that fails.
void print_result(std::string_view text);

}  // namespace idne::app
