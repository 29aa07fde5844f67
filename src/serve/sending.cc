#include "serve/sending.h"

#include <algorithm>

#include "serve/kept_head.h"
#include "text/strings.h"

namespace idne {
namespace {

/// What stands before the next such letter, which is taken away with it.
std::string_view take_until(char end, std::string_view& text) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return trimmed(part);
}

/// "q=0", "q=0.00": not that, whatever else there is.
bool is_refusal(std::string_view parameter) {
  const std::string_view name = take_until('=', parameter);
  const std::string_view weight = trimmed(parameter);
  return equal_but_for_case(name, "q") && weight.starts_with('0') && weight.find_first_of("123456789") == weight.npos;
}

bool accepts_gzip(const httplib::Request& request) { return takes_gzip(request.get_header_value(kEncodings)); }

}  // namespace

bool takes_gzip(std::string_view accepted) {
  bool any = false;
  while (!accepted.empty()) {
    std::string_view one = take_until(',', accepted);
    const std::string_view coding = take_until(';', one);
    const bool taken = !is_refusal(one);
    if (equal_but_for_case(coding, "gzip") || equal_but_for_case(coding, "x-gzip")) return taken;
    if (coding == "*") any = taken;
  }
  return any;
}

void send_fixed(const FixedAnswer& answer, const httplib::Request& request, httplib::Response& response) {
  const bool pack = accepts_gzip(request);
  response.set_content(pack ? answer.packed : answer.plain, answer.type);
  if (pack) response.set_header("Content-Encoding", "gzip");
  response.set_header("Vary", "Accept-Encoding");
}

void send_json(const std::string& text, const httplib::Request& request, httplib::Response& response) {
  constexpr std::size_t kShort = 4096;
  if (text.size() < kShort) return response.set_content(text, kJsonType);
  if (accepts_gzip(request)) {
    response.set_content(gzip(text, kQuickPacking), kJsonType);
    response.set_header("Content-Encoding", "gzip");
  } else {
    response.set_content(text, kJsonType);
  }
  response.set_header("Vary", "Accept-Encoding");
}

}  // namespace idne
