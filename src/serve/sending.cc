#include "serve/sending.h"

#include "serve/kept_head.h"

namespace idne {
namespace {

bool accepts_gzip(const httplib::Request& request) {
  return request.get_header_value(kEncodings).find("gzip") != std::string::npos;
}

}  // namespace

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
