#include "import/xml_file.h"

#include <bzlib.h>
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "corpus/blocks.h"
#include "math/parallel.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr int kDeepest = 1000;

/// A file, unpacked, piece by piece.
class Pieces {
 public:
  virtual ~Pieces() = default;
  /// The next piece; empty at the end.
  virtual std::string_view next() = 0;
  /// Bytes of the file, as stored, that were read so far, and in all.
  virtual std::uint64_t bytes_read() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

class BlockPieces : public Pieces {
 public:
  explicit BlockPieces(const fs::path& path) : reader_(path, kPiece) {}
  std::string_view next() override { return reader_.next(block_) ? std::string_view(block_.text) : ""; }
  std::uint64_t bytes_read() const override { return reader_.bytes_read(); }
  std::uint64_t bytes() const override { return reader_.bytes(); }

 private:
  BlockReader reader_;
  Block block_;
};

/// .bz2, also of several streams one behind the other, as Wikipedia's are.
class Bzip2Pieces : public Pieces {
 public:
  explicit Bzip2Pieces(const fs::path& path)
      : name_(path.string()), file_(std::fopen(name_.c_str(), "rb"), &std::fclose), packed_(kPiece), piece_(kPiece) {
    if (!file_) throw Error(fmt::format("{}: cannot open: {}", name_, std::strerror(errno)));
    std::error_code none;
    if (fs::is_regular_file(path, none)) bytes_ = fs::file_size(path, none);
  }
  ~Bzip2Pieces() override {
    if (open_) BZ2_bzDecompressEnd(&stream_);
  }
  std::string_view next() override {
    stream_.next_out = piece_.data();
    stream_.avail_out = static_cast<unsigned>(piece_.size());
    while (stream_.avail_out > 0 && (stream_.avail_in > 0 || read())) unpack();
    return {piece_.data(), piece_.size() - stream_.avail_out};
  }
  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  /// False at the end.
  bool read() {
    const std::size_t size = std::fread(packed_.data(), 1, packed_.size(), file_.get());
    if (std::ferror(file_.get())) throw Error(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    if (size == 0 && open_) throw Error(name_ + ": cannot read: the compressed file is cut off");
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<unsigned>(size);
    bytes_read_ += size;
    return size > 0;
  }
  void unpack() {
    if (!open_ && BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    open_ = true;
    const int code = BZ2_bzDecompress(&stream_);
    if (code != BZ_OK && code != BZ_STREAM_END) throw Error(name_ + ": cannot read: the compressed file is broken");
    if (code == BZ_OK) return;
    BZ2_bzDecompressEnd(&stream_);
    open_ = false;
  }

  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::vector<char> packed_, piece_;
  bz_stream stream_{};
  bool open_ = false;  ///< within a stream
  std::uint64_t bytes_ = 0, bytes_read_ = 0;
};

std::unique_ptr<Pieces> open_pieces(const fs::path& path) {
  if (path.extension() == ".bz2") return std::make_unique<Bzip2Pieces>(path);
  return std::make_unique<BlockPieces>(path);
}

/// A place in a file; both numbers begin with 1.
struct Place {
  std::uint64_t line = 1, column = 1;
};

/// Expat, with exceptions of the handler kept out of its C code.
class Parser {
 public:
  /// `start` is where in the file the text begins; `encoding` may be a null pointer: as the file says.
  Parser(std::string file, XmlHandler& handler, const char* encoding, Place start = {})
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
  Place start_;
  std::uint64_t lines_before_ = 0;
  XmlHandler& handler_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser_;
  std::exception_ptr failure_;
  int depth_ = 0;
};

/// A piece of a list of rows that begins and ends between rows.
struct Chunk {
  std::string text;
  Place start;
  bool first = false, last = false;
};

/// Whether a text ends within a comment or the like, where "<row" means nothing.
bool ends_in_comment(std::string_view text) {
  if (text.find("<!") == std::string_view::npos) return false;  // nearly always, and faster than from the end
  const std::size_t opening = text.rfind("<!");
  const std::string_view behind = text.substr(opening);
  return behind.find("-->") == std::string_view::npos && behind.find("]]>") == std::string_view::npos;
}

class Chunks {
 public:
  Chunks(const fs::path& path, std::string row) : pieces_(open_pieces(path)), row_("<" + row) {}

  /// The next chunk; false at the end. It is cut before a "<row": within a row there is no '<' in well-formed XML.
  bool next(Chunk& chunk) {
    if (ended_) return false;
    chunk.text = std::move(rest_);
    rest_.clear();
    chunk.first = first_;
    first_ = false;
    chunk.start = place_;
    while (!ended_ && rest_.empty()) {
      const std::size_t before = chunk.text.size();
      const std::string_view piece = pieces_->next();
      chunk.text.append(piece);
      ended_ = piece.empty();
      cut(chunk.text, before < row_.size() ? 1 : before - row_.size() + 1);
    }
    chunk.last = ended_;
    move_on(chunk.text);
    return true;
  }
  const Pieces& pieces() const { return *pieces_; }

 private:
  void cut(std::string& text, std::size_t from) {
    const std::size_t at = text.rfind(row_);
    if (ended_ || at == std::string::npos || at < from || ends_in_comment(std::string_view(text).substr(0, at))) return;
    rest_ = text.substr(at);
    text.resize(at);
  }
  void move_on(std::string_view text) {
    const std::size_t line_end = text.rfind('\n');
    place_.line += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    place_.column = line_end == std::string_view::npos ? place_.column + text.size() : text.size() - line_end;
  }

  std::unique_ptr<Pieces> pieces_;
  std::string row_;
  std::string rest_;
  Place place_;
  bool first_ = true, ended_ = false;
};

/// A chunk as a document of its own, given to Expat as the last piece: of others it counts the lines, which takes time.
void parse_chunk(const std::string& file, const std::string& root, Chunk& chunk, XmlHandler& handler) {
  Parser parser(file, handler, "UTF-8", chunk.start);
  if (!chunk.first) parser.parse_before("<" + root + ">");
  if (!chunk.last) chunk.text += "</" + root + ">";
  parser.parse(chunk.text, true);
}

}  // namespace

void read_xml_rows(const fs::path& path, const XmlRows& rows, std::string_view stage, const Run& run,
                   const std::function<std::unique_ptr<XmlHandler>()>& make,
                   const std::function<void(XmlHandler&)>& join) {
  Chunks source(path, rows.row);
  std::vector<Chunk> chunks(2 * static_cast<std::size_t>(run.threads));
  for (bool more = true; more;) {
    std::size_t n = 0;
    while (n < chunks.size() && (more = source.next(chunks[n]))) ++n;
    std::vector<std::unique_ptr<XmlHandler>> handlers(n);
    for (auto& handler : handlers) handler = make();
    parallel_for(run.threads, n, [&](std::size_t k, std::size_t) {
      run.check();
      parse_chunk(path.string(), rows.root, chunks[k], *handlers[k]);
    });
    for (auto& handler : handlers) join(*handler);
    const Pieces& pieces = source.pieces();
    run.report({stage, std::min(pieces.bytes_read(), pieces.bytes()), pieces.bytes()});
  }
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
