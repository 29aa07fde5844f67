#include "import/xml_file.h"

#include <expat.h>
#include <fmt/core.h>

#include <algorithm>
#include <exception>

#include "import/pieces.h"

namespace idne {
namespace {

constexpr int kDeepest = 1000;
constexpr std::size_t kLongestToken = std::size_t{64} << 20;

}  // namespace

/// With exceptions of the handler kept out of Expat's C code.
struct XmlParser::Expat {
  Expat(std::string file_name, XmlHandler& events, const char* encoding, XmlPlace place)
      : file(std::move(file_name)), start(place), handler(events), parser(XML_ParserCreate(encoding), &XML_ParserFree) {
    if (!parser) throw std::bad_alloc();
    XML_SetUserData(parser.get(), this);
    XML_SetElementHandler(
        parser.get(),
        [](void* self, const char* name, const char** attributes) {
          static_cast<Expat*>(self)->guarded([&](Expat& expat) {
            if (++expat.depth > kDeepest) expat.fail("nested too deeply");
            expat.handler.start(name, attributes);
          });
        },
        [](void* self, const char* name) {
          static_cast<Expat*>(self)->guarded([&](Expat& expat) {
            --expat.depth;
            expat.handler.end(name);
          });
        });
    XML_SetCharacterDataHandler(parser.get(), [](void* self, const char* text, int size) {
      static_cast<Expat*>(self)->guarded([&](Expat& expat) {
        expat.handler.text({text, static_cast<std::size_t>(size)});
      });
    });
    XML_SetStartDoctypeDeclHandler(parser.get(), [](void* self, const char*, const char*, const char*, int) {
      static_cast<Expat*>(self)->guarded(
          [](Expat& expat) { expat.fail("has a document type declaration, which is not read"); });
    });
  }

  template <class Call>
  void guarded(Call call) {
    if (failure) return;  // Expat ends the element that it was stopped in
    try {
      call(*this);
    } catch (...) {
      failure = std::current_exception();
      XML_StopParser(parser.get(), false);
    }
  }

  void feed(std::string_view text, bool last) {
    const auto status = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), last);
    if (failure) std::rethrow_exception(failure);
    if (status == XML_STATUS_ERROR) {
      fail(fmt::format("is not well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(parser.get()))));
    }
    fed += text.size();
    unfinished = fed - static_cast<std::uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser.get())));
    if (!last && unfinished > kLongestToken) fail("has a tag or comment of more than 64 MiB");
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::uint64_t line = XML_GetCurrentLineNumber(parser.get()) - lines_before;
    const std::uint64_t column = XML_GetCurrentColumnNumber(parser.get()) + (line == 1 ? start.column : 1);
    throw Error(fmt::format("{}:{}:{}: {}", file, start.line + line - 1, column, what));
  }

  std::string file;
  XmlPlace start;
  std::uint64_t lines_before = 0;
  XmlHandler& handler;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser;
  std::exception_ptr failure;
  int depth = 0;
  std::uint64_t fed = 0, unfinished = 0;  ///< bytes; unfinished are those of a token without its end
  std::string waiting;
};

XmlParser::XmlParser(std::string file, XmlHandler& handler, const char* encoding, XmlPlace start)
    : expat_(std::make_unique<Expat>(std::move(file), handler, encoding, start)) {}

XmlParser::~XmlParser() = default;

void XmlParser::parse_before(const std::string& line) {
  expat_->feed(line + "\n", false);
  ++expat_->lines_before;
}

void XmlParser::parse(std::string_view piece, bool last) {
  std::string& waiting = expat_->waiting;
  const std::uint64_t unfinished = expat_->unfinished, more = waiting.size() + piece.size();
  // Expat looks at an unfinished token from its beginning whenever it gets more: let that be as much again.
  const bool wait = !last && more < unfinished && more + unfinished <= kLongestToken;
  if (!wait && waiting.empty()) return expat_->feed(piece, last);
  waiting += piece;
  if (wait) return;
  expat_->feed(waiting, last);
  waiting.clear();
}

void read_xml(const std::filesystem::path& path, std::string_view stage, const Run& run, XmlHandler& handler) {
  Pieces pieces(path);
  XmlParser parser(path.string(), handler, nullptr);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    parser.parse(piece, false);
    run.check();
    run.report({stage, std::min(pieces.bytes_read(), pieces.bytes()), pieces.bytes()});
  }
  parser.parse("", true);
}

const char* attribute(const char** attributes, std::string_view name) {
  for (; *attributes; attributes += 2) {
    if (name == *attributes) return attributes[1];
  }
  return nullptr;
}

}  // namespace idne
