#include "serve/fixed_answer.h"

#include <zlib.h>

#include <array>
#include <new>
#include <utility>

namespace idne {

std::string gzip(std::string_view text, int level) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  constexpr int kMemory = 8;
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

FixedAnswer::FixedAnswer(std::string its_type, std::string text)
    : type(std::move(its_type)), plain(std::move(text)), packed(gzip(plain, kThoroughPacking)) {}

std::string type_of(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, const char*>, 6> kTypes{{{".html", "text/html; charset=utf-8"},
                                                                            {".js", "text/javascript; charset=utf-8"},
                                                                            {".css", "text/css; charset=utf-8"},
                                                                            {".svg", "image/svg+xml"},
                                                                            {".png", "image/png"},
                                                                            {".txt", "text/plain; charset=utf-8"}}};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

}  // namespace idne
