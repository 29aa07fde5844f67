#include "import/xml_row.h"

#include <vector>

#include "import/markup_rules.h"
#include "import/whole_number.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace idne {
namespace {

/// The name of the reference that begins with the '&' at `at`; ends within a few characters.
std::string_view reference(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 12;
  const std::string_view behind = text.substr(at + 1, kLongest);
  const std::size_t end = behind.find(';');
  return end == std::string_view::npos ? std::string_view() : behind.substr(0, end);
}

bool has_only_known_references(std::string_view value) {
  for (std::size_t at = value.find('&'); at != std::string_view::npos; at = value.find('&', at + 1)) {
    if (!xml_character(reference(value, at))) return false;
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
      append_utf8(text, *xml_character(name));
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
  return forbidden == 0 && is_utf8(text) && text.find("\xEF\xBF\xBE") == std::string_view::npos &&
         text.find("\xEF\xBF\xBF") == std::string_view::npos;
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

}  // namespace

std::string XmlRow::text(std::string_view name) const {
  for (const Attribute& attribute : attributes_) {
    if (attribute.name == name) return raw_ ? unescaped(attribute.value) : std::string(attribute.value);
  }
  return {};
}

std::optional<std::int64_t> XmlRow::number(std::string_view name) const { return whole_number(text(name)); }

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

}  // namespace idne
