#include "import/wikitext.h"

#include <algorithm>
#include <array>

#include "import/html_text.h"
#include "import/markup_rules.h"
#include "text/strings.h"

namespace idne {
namespace {

constexpr auto kNowhere = std::string_view::npos;

bool is_digit_or_letter(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || static_cast<signed char>(c) < 0; }

/// What stands in these elements of wikis is no prose: it is left out of the text, with its links.
bool is_left_out(std::string_view tag) {
  static constexpr std::array<std::string_view, 19> kNames{
      "categorytree",    "ce",           "chem",    "gallery", "graph", "hiero",      "imagemap", "indicator",
      "inputbox",        "mapframe",     "maplink", "math",    "ref",   "references", "score",    "source",
      "syntaxhighlight", "templatedata", "timeline"};
  static_assert(std::is_sorted(kNames.begin(), kNames.end()));
  return std::binary_search(kNames.begin(), kNames.end(), tag);
}

/// "de", "nds-nl", "simple": a link to the same page in another language, if it is not in the text.
bool is_language(std::string_view prefix) {
  const std::string_view code = prefix.substr(0, prefix.find('-'));
  const bool lower =
      std::all_of(prefix.begin(), prefix.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
  return lower && ((code.size() >= 2 && code.size() <= 3) || prefix == "simple");
}

/// Older names of the namespace of files are not in an export, but its files end as files do.
bool is_file_name(std::string_view title) {
  if (title.find(':') == kNowhere || title.find('.') == kNowhere) return false;
  const std::string ending = lower_ascii(title.substr(title.rfind('.')));
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png" || ending == ".svg" || ending == ".gif";
}

/// Length of an address that begins the text; 0 if none does. "//" begins one only in brackets.
std::size_t address_length(std::string_view text, bool in_brackets) {
  static constexpr std::array<std::string_view, 5> kSchemes{"http://", "https://", "ftp://", "mailto:", "//"};
  for (const std::string_view scheme : kSchemes) {
    if (!text.starts_with(scheme) || (scheme == "//" && !in_brackets)) continue;
    const char* behind = in_brackets ? " \t\r\n<>[]{}|\"" : " \t\r\n<>[]{}|\")";
    return std::min(text.find_first_of(behind, scheme.size()), text.size());
  }
  return 0;
}

/// One pass over a page's source. What opens is put on a stack with the length of the text so far, to which the text is
/// cut when it closes, so that nothing is searched for and what never closes stays.
class Reader {
 public:
  Reader(std::string_view source, const WikiNames& names) : source_(source), names_(names), tags_(source) {}

  WikiPage read() {
    text_.reserve(source_.size());
    while (at_ < source_.size()) {
      if (at_ == skip_from_) {
        at_ = skip_to_;
        continue;
      }
      if (line_start_) begin_line();
      if (at_ < source_.size() && at_ != skip_from_) step();
    }
    page_.text = tidy_space(text_);
    return std::move(page_);
  }

 private:
  enum class Kind { Braces, Table, Link };
  struct Open {
    Kind kind;
    std::size_t text_size;
    std::size_t braces;  ///< of Braces: how many are not closed yet
  };

  std::string_view rest() const { return source_.substr(at_); }
  std::size_t run_length(char c) const { return std::min(source_.find_first_not_of(c, at_), source_.size()) - at_; }

  /// Headings, list marks, rules, tables: what means something only where a line begins.
  void begin_line() {
    line_start_ = false;
    in_address_ = false;
    if (source_[at_] == '\n') {  // links do not go on behind an empty line: this one was never closed
      while (top(Kind::Link)) pop();
    }
    at_ = std::min(source_.find_first_not_of(" \t:*#;", at_), source_.size());
    if (at_ == source_.size()) return;
    const std::string_view line = rest().substr(0, rest().find('\n'));
    if (line.starts_with("{|")) {
      push(Kind::Table);
      at_ += 2;
    } else if (line.starts_with("|}") && open(Kind::Table) > 0 && !(line.starts_with("|}}") && top(Kind::Braces))) {
      close(Kind::Table);
      at_ += 2;
    } else if (line.starts_with("----")) {
      at_ += run_length('-');
    } else if (line.starts_with('=')) {
      begin_heading(trimmed(line));
    }
  }

  void begin_heading(std::string_view line) {
    if (line.size() < 3 || !line.ends_with('=')) return;
    const std::size_t marks = run_length('=');
    if (marks >= line.size()) return;
    skip_from_ = at_ + line.find_last_not_of('=') + 1;
    skip_to_ = at_ + line.size();
    at_ += marks;
  }

  void step() {
    switch (source_[at_]) {
      case '\n':
        line_start_ = true;
        return copy(1);
      case '{':
        return open_braces();
      case '}':
        return close_braces();
      case '[':
        return open_bracket();
      case ']':
        return close_bracket();
      case '\'':
        return pass_quotes();
      case '<':
        return pass_tag();
      case '&':
        at_ = append_entity(text_, source_, at_);
        return;
      case '_':
        return pass_magic_word();
      case 'h':
      case 'f':
        return pass_address();
      default:
        return copy_plain();
    }
  }

  void copy(std::size_t size) {
    text_.append(source_, at_, size);
    at_ += size;
  }
  void copy_plain() {
    const std::size_t special = source_.find_first_of("\n{}[]'<&_hf", at_ + 1);
    copy(std::min({special, source_.size(), skip_from_ > at_ ? skip_from_ : kNowhere}) - at_);
  }

  std::size_t& open(Kind kind) { return open_[static_cast<std::size_t>(kind)]; }
  bool top(Kind kind) const { return !stack_.empty() && stack_.back().kind == kind; }
  void push(Kind kind, std::size_t braces = 0) {
    stack_.push_back({kind, text_.size(), braces});
    ++open(kind);
  }
  void pop() {
    --open(stack_.back().kind);
    stack_.pop_back();
  }
  /// Finds the last one of its kind: those above it never close. REQUIRES open(kind) > 0.
  Open& uncover(Kind kind) {
    while (!top(kind)) pop();
    return stack_.back();
  }
  void close(Kind kind) {
    text_.resize(uncover(kind).text_size);
    pop();
  }

  void open_braces() {
    const std::size_t braces = run_length('{');
    if (braces == 1) return copy(1);
    push(Kind::Braces, braces);
    at_ += braces;
  }
  /// Braces close in twos, or in threes where three were opened: {{template}}, {{{parameter}}}.
  void close_braces() {
    std::size_t braces = run_length('}');
    at_ += braces;
    while (braces >= 2 && open(Kind::Braces) > 0) {
      Open& opened = uncover(Kind::Braces);
      const std::size_t closed = std::min({braces, opened.braces, std::size_t{3}});
      text_.resize(opened.text_size);
      opened.braces -= closed;
      braces -= closed;
      if (opened.braces < 2) pop();
    }
    text_.append(braces, '}');
  }

  void open_bracket() {
    constexpr std::size_t kDeepest = 16;  // links stand in the captions of files, and no deeper
    if (rest().starts_with("[[") && open(Kind::Link) < kDeepest) {
      push(Kind::Link);
      at_ += 2;
      return;
    }
    const std::size_t address = address_length(rest().substr(1), true);
    if (address == 0) return copy(1);
    in_address_ = true;
    at_ += 1 + address;
  }
  void close_bracket() {
    if (rest().starts_with("]]") && open(Kind::Link) > 0) {
      const std::size_t begin = uncover(Kind::Link).text_size;
      const std::string inside = text_.substr(begin);
      close(Kind::Link);
      at_ += 2;
      return add_link(inside);
    }
    if (!in_address_) return copy(1);
    in_address_ = false;
    ++at_;
  }

  void add_link(std::string_view inside) {
    const std::size_t bar = inside.find('|');
    std::string_view target = trimmed(inside.substr(0, bar));
    std::string_view shown = bar == kNowhere ? target : trimmed(inside.substr(bar + 1));
    const bool in_text = target.starts_with(':');  // [[:Category:X]] is a link, [[Category:X]] makes a member
    if (in_text) target.remove_prefix(1);
    if (shown.empty() || (in_text && bar == kNowhere)) shown = target;
    const auto [space, name] = names_.split(target);
    if (!in_text && space == WikiNames::kCategories) {
      if (std::string category = names_.title(name); !category.empty()) page_.categories.push_back(std::move(category));
      return;
    }
    if (!in_text && (space == WikiNames::kFiles || is_file_name(target))) return;
    const bool language = is_language(target.substr(0, target.find(':'))) && target.find(':') != kNowhere;
    if (language && bar == kNowhere && !in_text) return;
    text_ += shown;
    if (space != WikiNames::kPages || language) return;
    if (std::string title = names_.title(target); !title.empty()) page_.links.push_back(std::move(title));
  }

  /// ''italic'', '''bold'''; of four and of more than five the first ones are meant.
  void pass_quotes() {
    const std::size_t quotes = run_length('\'');
    at_ += quotes;
    text_.append(quotes == 1 || quotes == 4 ? 1 : quotes > 5 ? quotes - 5 : 0, '\'');
  }

  void pass_tag() {
    if (rest().starts_with("<!--")) {
      const std::size_t end = source_.find("-->", at_);
      at_ = end == kNowhere ? source_.size() : end + 3;
      return;
    }
    const auto tag = tags_.read(at_);
    if (!tag) return copy(1);
    at_ = tag->end;
    const TagKind kind = kind_of(tag->name);
    if (kind == TagKind::Line || kind == TagKind::Cell) text_ += '\n';
    if (tag->closing || tag->self_closing) return;
    const bool literal = tag->name == "nowiki" || tag->name == "pre";
    if (!literal && kind != TagKind::Unseen && !is_left_out(tag->name)) return;
    const auto closing = tags_.closing(*tag);
    if (!closing) return;
    if (literal) append_literal(source_.substr(tag->end, closing->begin - tag->end));
    at_ = closing->end;
  }
  void append_literal(std::string_view literal) {
    for (std::size_t at = 0; at < literal.size();) {
      if (literal[at] == '&') {
        at = append_entity(text_, literal, at);
      } else {
        text_ += literal[at++];
      }
    }
  }

  /// __NOTOC__ and its like, in any language.
  void pass_magic_word() {
    constexpr std::size_t kLongest = 60;
    if (!rest().starts_with("__")) return copy(1);
    const std::string_view word = rest().substr(2, kLongest);
    const std::size_t end = word.find("__");
    const auto is_part = [](char c) { return is_digit_or_letter(c) ? c < 'a' || c > 'z' : c == '_'; };
    if (end == 0 || end == kNowhere ||
        !std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(end), is_part)) {
      return copy(2);
    }
    at_ += end + 4;
  }

  void pass_address() {
    const bool within_word = at_ > 0 && is_digit_or_letter(source_[at_ - 1]);
    const std::size_t length = within_word ? 0 : address_length(rest(), false);
    if (length == 0) return copy_plain();
    at_ += length;
  }

  std::string_view source_;
  const WikiNames& names_;
  TagReader tags_;
  WikiPage page_;
  std::string text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  bool in_address_ = false;                         ///< within [http://… text]
  std::size_t skip_from_ = kNowhere, skip_to_ = 0;  ///< the end marks of a heading
  std::vector<Open> stack_;
  std::array<std::size_t, 3> open_{};  ///< how many of each kind are on the stack
};

}  // namespace

WikiPage read_wikitext(std::string_view source, const WikiNames& names) { return Reader(source, names).read(); }

std::string redirect_target(std::string_view source, bool known) {
  constexpr std::string_view kWord = "#redirect";
  const std::string_view text = trimmed(source);
  if (!known && !equal_but_for_case(text.substr(0, kWord.size()), kWord)) return {};
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t begin = line.find("[["), end = line.find_first_of("|]", begin == kNowhere ? kNowhere : begin);
  if (begin == kNowhere || end == kNowhere) return {};
  return std::string(trimmed(line.substr(begin + 2, end - begin - 2)));
}

}  // namespace idne
