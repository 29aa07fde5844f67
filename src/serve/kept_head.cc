#include "serve/kept_head.h"

#include <algorithm>
#include <array>

#include "serve/request_reader.h"
#include "text/strings.h"

namespace idne {

std::string kept_head(std::string_view head) {
  constexpr std::string_view kLineEnd = "\r\n";
  constexpr std::array<std::string_view, 6> kKept{"Authorization", "Connection", "Content-Length",
                                                  "Host",          "Origin",     "X-Forwarded-For"};
  const std::size_t first = head.find(kLineEnd) + kLineEnd.size();
  std::string kept(head.substr(0, first));
  for (std::string_view lines = head.substr(first); lines != kLineEnd;) {
    const HeaderLine line = take_header_line(lines);
    const auto is = [&](std::string_view name) { return equal_but_for_case(line.name, name); };
    const bool encodings = is("Accept-Encoding");
    if (!encodings && std::none_of(kKept.begin(), kKept.end(), is)) continue;
    kept += encodings ? std::string_view(kEncodings) : line.name;
    kept += ": ";
    kept += line.value;
    kept += kLineEnd;
  }
  return kept += kLineEnd;
}

std::string forwarded_for(std::string_view request) {
  constexpr std::string_view kLineEnd = "\r\n";
  std::string list;
  for (std::string_view lines = request.substr(request.find(kLineEnd) + kLineEnd.size());
       !lines.starts_with(kLineEnd);) {
    const HeaderLine line = take_header_line(lines);
    if (equal_but_for_case(line.name, "X-Forwarded-For")) list.append(list.empty() ? "" : ", ").append(line.value);
  }
  return list;
}

bool is_last_request(std::string_view request) {
  constexpr std::string_view kLineEnd = "\r\n";
  const std::size_t first = request.find(kLineEnd);
  bool last = request.substr(0, first).ends_with("HTTP/1.0");
  for (std::string_view lines = request.substr(first + kLineEnd.size()); !lines.starts_with(kLineEnd);) {
    const HeaderLine line = take_header_line(lines);
    if (!equal_but_for_case(line.name, "Connection")) continue;
    const std::string options = lower_ascii(line.value);
    if (options.find("close") != std::string::npos) return true;
    if (options.find("keep-alive") != std::string::npos) last = false;
  }
  return last;
}

}  // namespace idne
