#include "corpus/document_line.h"

#include <cmath>

#include "text/dates.h"

namespace idne {

DocumentLine::DocumentLine(simdjson::dom::parser& parser, std::string_view line, const std::string& file,
                           std::uint64_t number)
    : file_(file), number_(number) {
  simdjson::dom::element root;
  // The block behind the line is longer than simdjson's padding, so that it need not copy.
  if (const auto code = parser.parse(line.data(), line.size(), false).get(root)) {
    if (code == simdjson::UTF8_ERROR) fail("the text is not valid UTF-8; convert the file to UTF-8");
    fail(fmt::format("not a JSON object on one line ({})", simdjson::error_message(code)));
  }
  if (root.get(object_)) fail("a JSON object such as {\"id\": \"a\", \"text\": \"…\"} is needed on each line");
}

std::string_view DocumentLine::string(std::string_view name, bool required) const {
  simdjson::dom::element value;
  if (object_[name].get(value)) {
    if (required) fail(fmt::format("\"{}\" is missing; a string is needed", name));
    return {};
  }
  if (!required && value.is_null()) return {};
  std::string_view text;
  if (!value.get(text) || (name == "id" && whole_number(value, text))) return text;
  fail(fmt::format("\"{}\" must be a string{}", name, value.is_null() ? ", not null" : ""));
}

bool DocumentLine::whole_number(const simdjson::dom::element& value, std::string_view& text) const {
  constexpr double kExact = 9007199254740992;  // above it not every whole number is one
  std::int64_t number = 0;
  double real = 0;
  if (value.is_int64() && !value.get(number)) {
    text = written_.emplace_front(fmt::format("{}", number));
  } else if (value.is_double() && !value.get(real) && real == std::floor(real) && std::abs(real) < kExact) {
    text = written_.emplace_front(fmt::format("{:.0f}", real + 0.0));  // as pandas writes ids beside empty cells: 7.0
  } else {
    return false;
  }
  return true;
}

std::optional<std::int64_t> DocumentLine::date() const {
  simdjson::dom::element value;
  if (object_["date"].get(value) || value.is_null()) return 0;
  std::string_view text;
  if (!value.get(text)) return text.empty() ? std::optional<std::int64_t>(0) : date_number(text);
  double number = 0;  // tables with empty cells have years such as 2015.0
  if (value.get(number)) fail("\"date\" must be a string such as \"2015-03-04\", or a year");
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  return whole ? date_number(fmt::format("{:.0f}", number)) : std::nullopt;
}

namespace {

/// Runs of white space as one space, none at the ends; at most about `bytes` long.
std::string one_line(std::string_view text, std::size_t bytes) {
  std::string line;
  for (const char c : text) {
    const bool space = static_cast<unsigned char>(c) <= ' ';
    if (space && (line.empty() || line.back() == ' ')) continue;
    line.push_back(space ? ' ' : c);
    if (line.size() > bytes) break;
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

std::string shown_title(std::string_view title, std::string_view text) {
  if (std::string line = one_line(title, title.size()); !line.empty()) return line;
  constexpr std::size_t kBytes = 80;
  const std::string line = one_line(text, kBytes);
  if (line.size() <= kBytes) return line;
  const std::size_t space = line.find_last_of(' ');
  std::size_t cut = space != std::string::npos && space > kBytes / 2 ? space : kBytes;
  while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
  return line.substr(0, cut) + "…";
}

}  // namespace idne
