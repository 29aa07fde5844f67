#include "serve/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace idne {
namespace {

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

RequestState refused(int status, std::string why) {
  RequestState state;
  state.kind = RequestState::Kind::Refused;
  state.status = status;
  state.why = std::move(why);
  return state;
}

}  // namespace

RequestState look_at_request(std::string_view bytes, std::size_t most_header, std::size_t most_body) {
  const std::size_t end = bytes.substr(0, most_header).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (bytes.size() >= most_header)
      return refused(431, fmt::format("the head of a request may have {} bytes", most_header));
    if (!bytes.empty() && (bytes[0] < 'A' || bytes[0] > 'Z')) return refused(400, "this is no HTTP request");
    return {};
  }
  std::optional<std::size_t> length;
  bool expects_continue = false;
  std::string_view lines = bytes.substr(0, end + 2);
  if (lines.find('\0') != std::string_view::npos) return refused(400, "the head of the request has a zero byte");
  for (lines.remove_prefix(lines.find("\r\n") + 2); !lines.empty(); lines.remove_prefix(lines.find("\r\n") + 2)) {
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return refused(400, "a header line without a name");
    const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (same_but_for_case(name, "transfer-encoding")) return refused(411, "the request must have a Content-Length");
    if (same_but_for_case(name, "expect")) expects_continue = same_but_for_case(value, "100-continue");
    if (!same_but_for_case(name, "content-length")) continue;
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc::result_out_of_range) return refused(413, "the body is too large");
    if (error != std::errc() || stop != value.data() + value.size() || (length && *length != number)) {
      return refused(400, "Content-Length is no number");
    }
    length = number;
  }
  if (length.value_or(0) > most_body)
    return refused(413, fmt::format("the body of a request may have {} bytes", most_body));
  RequestState state;
  state.size = end + 4 + length.value_or(0);
  state.kind = bytes.size() >= state.size ? RequestState::Kind::Whole : RequestState::Kind::Incomplete;
  state.expects_continue = expects_continue;
  return state;
}

}  // namespace idne
