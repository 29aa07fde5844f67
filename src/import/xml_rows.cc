#include "import/xml_rows.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "import/pieces.h"
#include "import/xml_file.h"
#include "math/parallel.h"
#include "text/utf8.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// A character that XML allows.
bool allowed(std::uint32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0xD800 || (c > 0xDFFF && c < 0xFFFE) || (c > 0xFFFF && c < 0x110000);
}

/// What a reference, without its '&' and ';', stands for.
std::optional<std::uint32_t> referred(std::string_view name) {
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "amp") return '&';
  if (name == "quot") return '"';
  if (name == "apos") return '\'';
  if (!name.starts_with('#')) return {};
  const bool hexadecimal = name.starts_with("#x");
  name.remove_prefix(hexadecimal ? 2 : 1);
  std::uint32_t c = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), c, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != name.data() + name.size() || !allowed(c)) return {};
  return c;
}

/// The name of the reference that begins with the '&' at `at`; ends within a few characters.
std::string_view reference(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 12;
  const std::string_view behind = text.substr(at + 1, kLongest);
  const std::size_t end = behind.find(';');
  return end == std::string_view::npos ? std::string_view() : behind.substr(0, end);
}

bool has_only_known_references(std::string_view value) {
  for (std::size_t at = value.find('&'); at != std::string_view::npos; at = value.find('&', at + 1)) {
    if (!referred(reference(value, at))) return false;
  }
  return true;
}

/// An attribute's text as XML wants it: line ends and tabs are spaces, references are what they stand for.
std::string unescaped(std::string_view value) {
  std::string text;
  text.reserve(value.size());
  std::size_t begin = 0;  // of what is not copied yet
  for (std::size_t at = 0; at < value.size();) {
    const char c = value[at];
    if (c != '&' && c != '\r' && c != '\n' && c != '\t') {
      ++at;
      continue;
    }
    text += value.substr(begin, at - begin);
    if (c == '&') {
      const std::string_view name = reference(value, at);
      append_utf8(text, *referred(name));
      at += name.size() + 2;
    } else {
      text += ' ';
      at += value.substr(at).starts_with("\r\n") ? 2 : 1;
    }
    begin = at;
  }
  return text += value.substr(begin);
}

/// Whether a text is UTF-8 without characters that XML forbids.
bool has_only_allowed_characters(std::string_view text) {
  unsigned forbidden = 0;
  for (const char c : text) {
    forbidden |= static_cast<unsigned>(static_cast<unsigned char>(c) < 0x20) & static_cast<unsigned>(c != '\t') &
                 static_cast<unsigned>(c != '\n') & static_cast<unsigned>(c != '\r');
  }
  return forbidden == 0 && simdjson::validate_utf8(text.data(), text.size()) &&
         text.find("\xEF\xBF\xBE") == std::string_view::npos && text.find("\xEF\xBF\xBF") == std::string_view::npos;
}

/// Reads what a text begins with.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.empty(); }
  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  /// Whether there was any.
  bool skip_space() {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\r' || rest_[0] == '\t')) {
      rest_.remove_prefix(1);
    }
    return rest_.size() < before;
  }
  std::string_view letters() {
    std::size_t size = 0;
    while (size < rest_.size() && ((rest_[size] | 0x20) >= 'a' && (rest_[size] | 0x20) <= 'z')) ++size;
    return take(size);
  }
  /// What comes before a quote, which is left out; nothing if there is none.
  std::optional<std::string_view> until_quote() {
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return {};
    const std::string_view text = take(end);
    rest_.remove_prefix(1);
    return text;
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  std::string_view rest_;
};

/// name="value" … />; false if it is not as simple as that.
bool read_attributes(Cursor& cursor, std::vector<XmlRow::Attribute>& attributes) {
  attributes.clear();
  for (;;) {
    const bool space = cursor.skip_space();
    if (cursor.skip("/>")) return true;
    if (!space) return false;
    const std::string_view name = cursor.letters();
    if (name.empty() || !cursor.skip("=\"")) return false;
    const auto value = cursor.until_quote();
    if (!value || value->find('<') != std::string_view::npos || !has_only_known_references(*value)) return false;
    for (const XmlRow::Attribute& earlier : attributes) {
      if (earlier.name == name) return false;
    }
    attributes.push_back({name, *value});
  }
}

/// A piece of a list of rows that begins and ends between rows.
struct Chunk {
  std::string text;
  XmlPlace start;
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
  XmlPlace place_;
  bool first_ = true, ended_ = false;
};

/// Gives rows on from Expat.
class RowsFromXml : public XmlHandler {
 public:
  /// `in_list`: the beginning of the list is not in the file.
  RowsFromXml(const std::string& file, const XmlRows& rows, bool in_list, XmlRowHandler& handler)
      : file_(file), rows_(rows), first_(!in_list), handler_(handler) {}

  void start(std::string_view name, const char** attributes) override {
    if (first_ && name != rows_.root) {
      throw Error(fmt::format("{}: begins with <{}>; {} begins with <{}>", file_, name, rows_.what, rows_.root));
    }
    first_ = false;
    if (name != rows_.row) return;
    list_.clear();
    for (; *attributes; attributes += 2) list_.push_back({attributes[0], attributes[1]});
    handler_.row(XmlRow(list_, false));
  }

 private:
  const std::string& file_;
  const XmlRows& rows_;
  bool first_;
  XmlRowHandler& handler_;
  std::vector<XmlRow::Attribute> list_;
};

std::unique_ptr<XmlRowHandler> read_chunk(const std::string& file, const XmlRows& rows, Chunk& chunk,
                                          const std::function<std::unique_ptr<XmlRowHandler>()>& make) {
  auto handler = make();
  if (!chunk.first && !chunk.last && read_plain_rows(chunk.text, rows.row, *handler)) return handler;
  handler = make();
  RowsFromXml from_xml(file, rows, !chunk.first, *handler);
  if (!chunk.last) chunk.text += fmt::format("</{}>", rows.root);
  parse_xml_excerpt({file, chunk.start, chunk.first ? "" : fmt::format("<{}>", rows.root), chunk.text}, from_xml);
  return handler;
}

}  // namespace

std::string XmlRow::text(std::string_view name) const {
  for (const Attribute& attribute : attributes_) {
    if (attribute.name == name) return raw_ ? unescaped(attribute.value) : std::string(attribute.value);
  }
  return {};
}

std::optional<std::int64_t> XmlRow::number(std::string_view name) const {
  const std::string digits = text(name);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

bool read_plain_rows(std::string_view text, std::string_view row, XmlRowHandler& handler) {
  if (!has_only_allowed_characters(text)) return false;
  Cursor cursor(text);
  std::vector<XmlRow::Attribute> attributes;
  for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
    if (!cursor.skip("<") || !cursor.skip(row) || !read_attributes(cursor, attributes)) return false;
    handler.row(XmlRow(attributes, true));
  }
  return true;
}

void read_xml_rows(const fs::path& path, const XmlRows& rows, std::string_view stage, const Run& run,
                   const std::function<std::unique_ptr<XmlRowHandler>()>& make,
                   const std::function<void(XmlRowHandler&)>& join) {
  const std::string file = path.string();
  Chunks source(path, rows.row);
  std::vector<Chunk> chunks(4 * static_cast<std::size_t>(run.threads));
  for (bool more = true; more;) {
    std::size_t n = 0;
    while (n < chunks.size() && (more = source.next(chunks[n]))) ++n;
    std::vector<std::unique_ptr<XmlRowHandler>> handlers(n);
    parallel_for(run.threads, n, [&](std::size_t k, std::size_t) {
      run.check();
      handlers[k] = read_chunk(file, rows, chunks[k], make);
    });
    for (auto& handler : handlers) join(*handler);
    const Pieces& pieces = source.pieces();
    run.report({stage, std::min(pieces.bytes_read(), pieces.bytes()), pieces.bytes()});
  }
}

}  // namespace idne
