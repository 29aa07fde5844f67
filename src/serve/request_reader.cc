#include "serve/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "text/strings.h"

namespace idne {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n";

/// What is wrong with a request.
struct Refusal {
  int status;
  std::string why;
};

/// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const char lower = lower_ascii(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || kOthers.find(c) != std::string_view::npos;
  });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
  });
}

/// Whether each CR stands before an LF, and each LF behind a CR, as far as can be seen.
bool has_whole_line_ends(std::string_view text) {
  for (std::size_t at = text.find_first_of(kLineEnd); at < text.size(); at = text.find_first_of(kLineEnd, at + 2)) {
    if (text[at] != '\r' || (at + 1 < text.size() && text[at + 1] != '\n')) return false;
  }
  return true;
}

void check_first_line(std::string_view line) {
  const std::size_t method = line.find(' '), target = line.rfind(' ');
  const bool good = method != std::string_view::npos && target > method + 1 && is_token(line.substr(0, method)) &&
                    line.substr(method + 1, target - method - 1).find_first_of(" \t") == std::string_view::npos;
  const std::string_view version = good ? line.substr(target + 1) : std::string_view();
  if (has_control(line) || (version != "HTTP/1.1" && version != "HTTP/1.0")) {
    throw Refusal{400, "the first line of a request must be METHOD TARGET HTTP/1.1"};
  }
}

/// What a head says about the body, and whether it can be trusted.
struct Head {
  void add(const HeaderLine& line) {
    const auto is = [&](std::string_view name) { return equal_but_for_case(line.name, name); };
    if (!is_token(line.name)) throw Refusal{400, "a line of the head must be NAME: VALUE"};
    if (has_control(line.value)) throw Refusal{400, "a header has a control character"};
    if (is("transfer-encoding")) throw Refusal{411, "the request must have a Content-Length"};
    if (is("content-encoding") && !line.value.empty() && !equal_but_for_case(line.value, "identity")) {
      throw Refusal{415, "the body must not be packed: no Content-Encoding but identity"};
    }
    if (is("host") && hosts++ > 0) throw Refusal{400, "there is more than one Host"};
    if (is("expect")) expects_continue = equal_but_for_case(line.value, "100-continue");
    if (is("content-length")) add_length(line.value);
  }

  void add_length(std::string_view value) {
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc::result_out_of_range) throw Refusal{413, "the body is too large"};
    if (error != std::errc() || stop != value.data() + value.size()) throw Refusal{400, "Content-Length is no number"};
    if (length && *length != number) throw Refusal{400, "there is more than one Content-Length"};
    length = number;
  }

  std::optional<std::size_t> length;
  int hosts = 0;
  bool expects_continue = false;
};

RequestState look(std::string_view bytes, std::size_t most_header, std::size_t most_body) {
  const std::size_t end = bytes.substr(0, most_header).find(kHeadEnd);
  const bool whole_head = end != std::string_view::npos;
  std::string_view lines = bytes.substr(0, whole_head ? end + kLineEnd.size() : most_header);
  if (!lines.empty() && (lines[0] < 'A' || lines[0] > 'Z')) throw Refusal{400, "this is no HTTP request"};
  if (!has_whole_line_ends(lines)) throw Refusal{400, "a line of the head does not end with CR LF"};
  if (!whole_head) {
    if (bytes.size() < most_header) return {};
    throw Refusal{431, fmt::format("the head of a request may have {} bytes", most_header)};
  }
  const std::size_t first = lines.find(kLineEnd);
  check_first_line(lines.substr(0, first));
  lines.remove_prefix(first + kLineEnd.size());
  Head head;
  while (!lines.empty()) head.add(take_header_line(lines));
  if (!head.length && bytes.starts_with("POST ")) throw Refusal{411, "the request must have a Content-Length"};
  const std::size_t length = head.length.value_or(0);
  if (length > most_body) throw Refusal{413, fmt::format("the body of a request may have {} bytes", most_body)};

  RequestState state;
  state.size = end + kHeadEnd.size() + length;
  state.kind = bytes.size() >= state.size ? RequestState::Kind::Whole : RequestState::Kind::Incomplete;
  state.expects_continue = head.expects_continue;
  return state;
}

}  // namespace

HeaderLine take_header_line(std::string_view& lines) {
  const std::size_t end = lines.find(kLineEnd);
  const std::string_view line = lines.substr(0, end);
  lines.remove_prefix(end + kLineEnd.size());
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  constexpr std::string_view kSpaces = " \t";  // no others: what else looks like a space is a trick
  const std::string_view value = line.substr(colon + 1);
  const std::size_t begin = std::min(value.find_first_not_of(kSpaces), value.size());
  return {line.substr(0, colon), value.substr(begin, value.find_last_not_of(kSpaces) + 1 - begin)};
}

RequestState look_at_request(std::string_view bytes, std::size_t most_header, std::size_t most_body) {
  try {
    return look(bytes, most_header, most_body);
  } catch (Refusal& refusal) {
    RequestState state;
    state.kind = RequestState::Kind::Refused;
    state.status = refusal.status;
    state.why = std::move(refusal.why);
    return state;
  }
}

}  // namespace idne
