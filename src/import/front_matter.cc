#include "import/front_matter.h"

#include <algorithm>

#include "import/files.h"
#include "text/dates.h"

namespace idne {
namespace {

using Lines = std::vector<std::string_view>;

struct Value {
  std::vector<std::string> items;
  bool is_list = false;
};

/// The next line, without its end; `at` moves past it.
std::string_view take_line(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(at, end - at);
  at = std::min(end + 1, text.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_item(std::string_view line) {
  line = trimmed(line);
  return line == "-" || line.starts_with("- ");
}

bool is_indented(std::string_view line) { return line.starts_with(' ') || line.starts_with('\t'); }

/// Without quotes around it, or without a comment behind it: " # so".
std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) {
    text = trimmed(text.substr(0, text.find(" # ")));
    return text == "~" || text == "null" ? std::string() : std::string(text);
  }
  const char quote = text[0];
  std::string result;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const bool escaped = at + 1 < text.size() && (quote == '"' ? text[at] == '\\' : text.substr(at, 2) == "''");
    if (escaped) {
      ++at;
    } else if (text[at] == quote) {
      break;
    }
    result += text[at];
  }
  return result;
}

/// The items of `a, "b, c"`, what stands between the brackets.
std::vector<std::string> split_items(std::string_view text) {
  std::vector<std::string> items;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (at < text.size() && quote != 0) {
      if (c == '\\' && quote == '"') ++at;
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && trimmed(text.substr(begin, at - begin)).empty()) {
      quote = c;
    } else if (c == ',') {
      items.push_back(unquoted(text.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  if (begin < text.size()) items.push_back(unquoted(text.substr(begin)));  // an open quote that ends in a backslash
  return items;
}

/// The value that begins behind a key in lines[at]; `at` moves to its last line.
Value read_value(std::string_view first, const Lines& lines, std::size_t& at) {
  Value value;
  first = trimmed(first);
  if (first.starts_with('[')) {
    std::string all(first);
    for (bool open = all.find(']') == std::string::npos; open && at + 1 < lines.size();) {
      all.append(" ").append(trimmed(lines[++at]));
      open = lines[at].find(']') == std::string_view::npos;
    }
    value.is_list = true;
    value.items = split_items(std::string_view(all).substr(1, all.rfind(']') - 1));
  } else if (first.empty() && at + 1 < lines.size() && is_item(lines[at + 1])) {
    value.is_list = true;
    while (at + 1 < lines.size() && is_item(lines[at + 1])) {
      value.items.push_back(unquoted(trimmed(lines[++at]).substr(1)));
    }
  } else if (first == ">" || first == "|" || first == ">-" || first == "|-") {
    std::string all;
    while (at + 1 < lines.size() && is_indented(lines[at + 1])) all.append(" ").append(trimmed(lines[++at]));
    value.items.push_back(on_one_line(all));
  } else {
    value.items.push_back(unquoted(first));
  }
  return value;
}

/// "a, b" or "a b".
std::vector<std::string> split_tags(std::string_view text) {
  const std::string_view separators = text.find(',') != std::string_view::npos ? "," : " \t";
  std::vector<std::string> tags;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    tags.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return tags;
}

void take(const std::string& key, const Value& value, FrontMatter& matter) {
  const std::string first = value.items.empty() ? std::string() : value.items[0];
  if (key == "title") {
    matter.title = on_one_line(first);
  } else if (key == "date" || key == "created") {
    // A date of its own comes before the day on which the file was made.
    if (matter.date.empty() || (key == "date" && date_number(first))) matter.date = on_one_line(first);
  } else if (key == "tags" || key == "tag") {
    for (const std::string& tag : value.is_list ? value.items : split_tags(first)) {
      if (std::string label = plain_tag(tag); !label.empty()) matter.tags.push_back(std::move(label));
    }
  } else if (key == "aliases" || key == "alias") {
    for (const std::string& alias : value.is_list ? value.items : split_items(first)) {
      if (std::string name = on_one_line(alias); !name.empty()) matter.aliases.push_back(std::move(name));
    }
  }
}

}  // namespace

std::string plain_tag(std::string_view tag) {
  tag = trimmed(tag);
  while (tag.starts_with('#')) tag.remove_prefix(1);
  while (tag.ends_with('/')) tag.remove_suffix(1);
  return on_one_line(tag);
}

FrontMatter read_front_matter(std::string_view note) {
  FrontMatter matter;
  note = note.substr(0, kLongestFrontMatter);
  std::size_t at = 0;
  const std::string_view mark = trimmed(take_line(note, at));
  if (mark != "---" && mark != "+++") return matter;
  Lines lines;
  for (bool closed = false; !closed;) {
    if (at >= note.size()) return matter;  // no end: a line across the page, not a front matter
    const std::string_view line = take_line(note, at);
    closed = trimmed(line) == mark || (mark == "---" && line == "...");
    if (!closed) lines.push_back(line);
  }
  matter.end = at;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::size_t sign = lines[n].find(mark == "---" ? ':' : '=');
    if (sign == std::string_view::npos || is_indented(lines[n])) continue;
    const std::string key = lower_ascii(unquoted(lines[n].substr(0, sign)));
    take(key, read_value(lines[n].substr(sign + 1), lines, n), matter);
  }
  return matter;
}

}  // namespace idne
