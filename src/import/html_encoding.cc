#include "import/html_encoding.h"

#include <unicode/unistr.h>

#include <optional>

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

}  // namespace

std::string from_windows_1252(std::string_view bytes) {
  return converted(bytes, "windows-1252").value_or(valid_utf8(bytes));
}

std::string html_to_utf8(std::string_view bytes, bool& replaced) {
  replaced = false;
  std::string encoding = declared_encoding(bytes);
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.remove_prefix(3);
    encoding = "utf-8";
  } else if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    encoding = bytes[0] == '\xFF' ? "utf-16le" : "utf-16be";
    bytes.remove_prefix(2);
  } else if (encoding.starts_with("utf-16")) {
    encoding = "utf-8";  // then its <meta> could not have been read
  }
  const bool utf8 = encoding == "utf-8" || encoding == "utf8";
  if ((utf8 || encoding.empty()) && is_utf8(bytes)) return std::string(bytes);
  if (encoding.empty() || encoding == "iso-8859-1" || encoding == "latin1" || encoding == "us-ascii") {
    encoding = "windows-1252";
  }
  std::optional<std::string> text;
  if (!utf8) text = converted(bytes, encoding);
  if (text) return *text;
  replaced = !is_utf8(bytes);
  return valid_utf8(bytes);
}

}  // namespace idne
