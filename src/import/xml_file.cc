#include "import/xml_file.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "import/pieces.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 1000;

/// Expat, with exceptions of the handler kept out of its C code.
class Parser {
 public:
  /// `start` is where in the file the text begins; `encoding` may be a null pointer: as the file says.
  Parser(std::string file, XmlHandler& handler, const char* encoding, XmlPlace start = {})
      : file_(std::move(file)), start_(start), handler_(handler), parser_(XML_ParserCreate(encoding), &XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          static_cast<Parser*>(self)->guarded([&](Parser& parser) {
            if (++parser.depth_ > kDeepest) parser.fail("nested too deeply");
            parser.handler_.start(name, attributes);
          });
        },
        [](void* self, const char* name) {
          static_cast<Parser*>(self)->guarded([&](Parser& parser) {
            --parser.depth_;
            parser.handler_.end(name);
          });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      static_cast<Parser*>(self)->guarded([&](Parser& parser) {
        parser.handler_.text({text, static_cast<std::size_t>(size)});
      });
    });
    XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char*, const char*, const char*, int) {
      static_cast<Parser*>(self)->guarded(
          [](Parser& parser) { parser.fail("has a document type declaration, which is not read"); });
    });
  }

  /// Parses a line of our own that is not in the file.
  void parse_before(const std::string& line) {
    parse(line + "\n", false);
    ++lines_before_;
  }
  void parse(std::string_view piece, bool last) {
    do {  // a line without end makes a piece that is longer than Expat's numbers
      const std::size_t size = std::min(piece.size(), 16 * kPiece);
      const bool final = last && size == piece.size();
      const auto status = XML_Parse(parser_.get(), piece.data(), static_cast<int>(size), final);
      if (failure_) std::rethrow_exception(failure_);
      if (status == XML_STATUS_ERROR) {
        fail(fmt::format("is not well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))));
      }
      piece.remove_prefix(size);
    } while (!piece.empty());
  }

 private:
  template <class Call>
  void guarded(Call call) {
    if (failure_) return;  // Expat ends the element that it was stopped in
    try {
      call(*this);
    } catch (...) {
      failure_ = std::current_exception();
      XML_StopParser(parser_.get(), false);
    }
  }
  [[noreturn]] void fail(const std::string& what) const {
    const std::uint64_t line = XML_GetCurrentLineNumber(parser_.get()) - lines_before_;
    const std::uint64_t column = XML_GetCurrentColumnNumber(parser_.get()) + (line == 1 ? start_.column : 1);
    throw Error(fmt::format("{}:{}:{}: {}", file_, start_.line + line - 1, column, what));
  }

  std::string file_;
  XmlPlace start_;
  std::uint64_t lines_before_ = 0;
  XmlHandler& handler_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser_;
  std::exception_ptr failure_;
  int depth_ = 0;
};

}  // namespace

void parse_xml_excerpt(const XmlExcerpt& excerpt, XmlHandler& handler) {
  Parser parser(excerpt.file, handler, "UTF-8", excerpt.start);
  if (!excerpt.before.empty()) parser.parse_before(excerpt.before);
  parser.parse(excerpt.text, true);  // at once: between pieces Expat counts lines, which takes time
}

void read_xml(const fs::path& path, std::string_view stage, const Run& run, XmlHandler& handler) {
  const auto pieces = open_pieces(path);
  Parser parser(path.string(), handler, nullptr);
  for (std::string_view piece = pieces->next(); !piece.empty(); piece = pieces->next()) {
    parser.parse(piece, false);
    run.check();
    run.report({stage, std::min(pieces->bytes_read(), pieces->bytes()), pieces->bytes()});
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
