#include "import/xml_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "import/row_chunks.h"
#include "import/xml_file.h"
#include "math/parallel.h"

namespace idne {
namespace {

using MakeHandler = std::function<std::unique_ptr<XmlRowHandler>()>;

/// Gives rows on from Expat.
class RowsFromXml : public XmlHandler {
 public:
  /// `in_list`: the beginning of the list is not in the file.
  RowsFromXml(const std::string& file, const XmlRows& rows, bool in_list)
      : file_(file), rows_(rows), first_(!in_list) {}

  void give_to(XmlRowHandler& handler) { handler_ = &handler; }

  void start(std::string_view name, const char** attributes) override {
    if (first_ && name != rows_.root) {
      throw Error(fmt::format("{}: begins with <{}>; {} begins with <{}>", file_, name, rows_.what, rows_.root));
    }
    first_ = false;
    if (name != rows_.row) return;
    list_.clear();
    for (; *attributes; attributes += 2) list_.push_back({attributes[0], attributes[1]});
    handler_->row(XmlRow(list_, false));
  }

 private:
  const std::string& file_;
  const XmlRows& rows_;
  bool first_;
  XmlRowHandler* handler_ = nullptr;
  std::vector<XmlRow::Attribute> list_;
};

/// A chunk, or more of a file from there on, read by Expat.
class ChunkParser {
 public:
  ChunkParser(const std::string& file, const XmlRows& rows, const RowChunk& chunk)
      : rows_(file, rows, !chunk.first), parser_(file, rows_, "UTF-8", chunk.start) {
    if (!chunk.first) parser_.parse_before(fmt::format("<{}>", rows.root));
  }
  void parse(std::string_view text, bool last, XmlRowHandler& handler) {
    rows_.give_to(handler);
    parser_.parse(text, last);
  }

 private:
  RowsFromXml rows_;
  XmlParser parser_;
};

std::unique_ptr<XmlRowHandler> read_chunk(const std::string& file, const XmlRows& rows, RowChunk& chunk,
                                          const MakeHandler& make) {
  auto handler = make();
  if (!chunk.first && !chunk.last && read_plain_rows(chunk.text, rows.row, *handler)) return handler;
  handler = make();
  if (!chunk.last) chunk.text += fmt::format("</{}>", rows.root);
  // At once: between pieces Expat counts lines, which takes time.
  ChunkParser(file, rows, chunk).parse(chunk.text, true, *handler);
  return handler;
}

}  // namespace

void read_xml_rows(Pieces& pieces, const XmlRows& rows, std::string_view stage, const Run& run, const MakeHandler& make,
                   const std::function<void(XmlRowHandler&)>& join) {
  const auto report = [&] { run.report({stage, std::min(pieces.bytes_read(), pieces.bytes()), pieces.bytes()}); };
  const auto read_on_from = [&](const RowChunk& chunk) {
    ChunkParser parser(pieces.name(), rows, chunk);
    for (std::string_view piece = chunk.text;; piece = pieces.next()) {
      run.check();
      const auto handler = make();
      parser.parse(piece, piece.empty(), *handler);
      join(*handler);
      report();
      if (piece.empty()) return;
    }
  };

  RowChunks source(pieces, rows.row);
  std::vector<RowChunk> chunks(4 * static_cast<std::size_t>(run.threads));
  for (bool more = true; more;) {
    std::size_t n = 0;
    while (n < chunks.size() && (more = source.next(chunks[n])) && chunks[n].whole) ++n;
    std::vector<std::unique_ptr<XmlRowHandler>> handlers(n);
    parallel_for(run.threads, n, [&](std::size_t k, std::size_t) {
      run.check();
      handlers[k] = read_chunk(pieces.name(), rows, chunks[k], make);
    });
    for (auto& handler : handlers) join(*handler);
    report();
    const bool stuck = more && n < chunks.size();
    if (stuck) return read_on_from(chunks[n]);
  }
}

}  // namespace idne
