#include "import/html_encoding.h"

#include <unicode/unistr.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "text/strings.h"

namespace idne {
namespace {

/// The name behind `key` and "=" at or after `from`, without quotes; empty if there is none.
std::string value_behind(std::string_view text, std::string_view key, std::size_t from) {
  std::size_t at = text.find(key, from);
  if (at == std::string_view::npos) return {};
  at = text.find_first_not_of(" \t\r\n", at + key.size());
  if (at == std::string_view::npos || text[at] != '=') return {};
  at = text.find_first_not_of(" \t\r\n\"'", at + 1);
  if (at == std::string_view::npos) return {};
  return std::string(text.substr(at, text.find_first_of(" \t\r\n\"';/>?", at) - at));
}

/// What the page says that its encoding is, in small letters; empty if it says nothing. Browsers look as far.
std::string declared_encoding(std::string_view bytes) {
  const std::string head = lower_ascii(bytes.substr(0, 1024));
  for (std::size_t meta = head.find("<meta"); meta != std::string::npos; meta = head.find("<meta", meta + 1)) {
    const std::string_view tag = std::string_view(head).substr(meta, head.find('>', meta) - meta);
    if (std::string name = value_behind(tag, "charset", 0); !name.empty()) return name;
  }
  if (!trimmed(head).starts_with("<?xml")) return {};
  return value_behind(std::string_view(head).substr(0, head.find('>')), "encoding", 0);
}

std::optional<std::string> converted(std::string_view bytes, const std::string& encoding) {
  const icu::UnicodeString text(bytes.data(), static_cast<std::int32_t>(bytes.size()), encoding.c_str());
  if (text.isBogus()) return std::nullopt;
  std::string result;
  text.toUTF8String(result);
  return result;
}

/// The encoding that a byte-order mark tells, which is taken away; empty if there is none.
std::string marked_encoding(std::string_view& bytes) {
  for (const auto& [mark, encoding] :
       {std::pair{"\xEF\xBB\xBF", "utf-8"}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"}}) {
    if (!bytes.starts_with(mark)) continue;
    bytes.remove_prefix(std::string_view(mark).size());
    return encoding;
  }
  return {};
}

}  // namespace

std::string from_windows_1252(std::string_view bytes) {
  return converted(bytes, "windows-1252").value_or(valid_utf8(bytes));
}

std::string html_to_utf8(std::string_view bytes, bool& replaced) {
  replaced = false;
  std::string encoding = marked_encoding(bytes);
  if (encoding.empty()) {
    encoding = declared_encoding(bytes);
    if (encoding.starts_with("utf-16")) encoding = "utf-8";  // then its <meta> could not have been read
  }
  const bool utf8 = encoding == "utf-8" || encoding == "utf8";
  if ((utf8 || encoding.empty()) && is_utf8(bytes)) return std::string(bytes);
  if (utf8) {
    replaced = true;
    return valid_utf8(bytes);
  }
  if (!encoding.empty() && encoding != "iso-8859-1" && encoding != "latin1" && encoding != "us-ascii") {
    if (const auto text = converted(bytes, encoding)) return *text;
    if (is_utf8(bytes)) return std::string(bytes);
  }
  return from_windows_1252(bytes);
}

std::string text_to_utf8(std::string_view bytes, bool& guessed) {
  guessed = false;
  const std::string encoding = marked_encoding(bytes);
  if (encoding.starts_with("utf-16")) return converted(bytes, encoding).value_or(valid_utf8(bytes));
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size() - 1) + 1;
    const std::string_view line = bytes.substr(begin, end - begin);
    text += is_utf8(line) ? line : from_windows_1252(line);
    begin = end;
  }
  guessed = true;
  return text;
}

}  // namespace idne
