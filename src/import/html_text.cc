#include "import/html_text.h"

#include <algorithm>

#include "import/markup_rules.h"
#include "text/strings.h"

namespace idne {
namespace {

/// A tag longer than this is not searched for a '>' outside of quotes, so that quotes that never end cost little.
constexpr std::size_t kLongTag = 4096;

bool is_name(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '-'; }

/// Where the '>' of a tag is, from behind its name. A '>' in a quoted attribute does not end the tag; where another '<'
/// comes first there is no tag.
std::size_t end_of_tag(std::string_view text, std::size_t from) {
  char quote = 0;
  const std::size_t limit = std::min(text.size(), from + kLongTag);
  for (std::size_t at = from; at < limit; ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '>') {
      return at;
    } else if (c == '<') {
      return std::string_view::npos;
    } else if ((c == '"' || c == '\'') && text[at - 1] == '=') {
      quote = c;
    }
  }
  return text.find('>', from);
}

class HtmlText {
 public:
  HtmlText(std::string_view html, CodeText code) : html_(html), tags_(html), code_(code) { out_.reserve(html.size()); }

  std::string read() {
    for (std::size_t at = 0; at < html_.size();) {
      const std::size_t begin = at;
      while (at < html_.size() && html_[at] != '<' && html_[at] != '&') ++at;
      out_.append(html_, begin, at - begin);
      if (at == html_.size()) break;
      at = html_[at] == '&' ? append_entity(out_, html_, at) : pass_markup(at);
    }
    return tidy_space(out_);
  }

 private:
  std::size_t pass_markup(std::size_t at) {
    if (html_.substr(at).starts_with("<!--")) {
      const std::size_t end = html_.find("-->", at);
      return end == std::string_view::npos ? html_.size() : end + 3;
    }
    const auto tag = tags_.read(at);
    if (!tag) {
      out_ += '<';
      return at + 1;
    }
    const TagKind kind = kind_of(tag->name);
    if (kind == TagKind::Line || kind == TagKind::Cell) out_ += '\n';
    if (kind == TagKind::Space || kind == TagKind::Unseen) out_ += ' ';
    const bool dropped = code_ == CodeText::Drop && (tag->name == "pre" || tag->name == "code");
    if (tag->closing || tag->self_closing || (kind != TagKind::Unseen && !dropped)) return tag->end;
    const auto closing = tags_.closing(*tag);
    out_ += kind == TagKind::Line ? '\n' : ' ';
    return closing ? closing->end : tag->end;
  }

  std::string_view html_;
  TagReader tags_;
  CodeText code_;
  std::string out_;
};

}  // namespace

std::string html_text(std::string_view html, CodeText code) { return HtmlText(html, code).read(); }

std::optional<Tag> TagReader::read(std::size_t at) const {
  if (last_end_ == std::string_view::npos || at >= last_end_) return {};
  Tag tag;
  tag.begin = at;
  std::size_t name = at + 1;
  tag.closing = text_[name] == '/';
  if (tag.closing) ++name;
  // <!DOCTYPE …> and <?xml …?> are passed over as tags are.
  if (!is_ascii_letter(text_[name]) && text_[name] != '!' && text_[name] != '?') return {};
  std::size_t end = name + 1;
  while (end < last_end_ && is_name(text_[end])) ++end;
  tag.name = lower_ascii(text_.substr(name, end - name));
  const std::size_t close = end_of_tag(text_, end);
  if (close == std::string_view::npos) return {};
  tag.self_closing = text_[close - 1] == '/';
  tag.end = close + 1;
  return tag;
}

std::optional<Tag> TagReader::closing(const Tag& opening) {
  if (std::find(never_closed_.begin(), never_closed_.end(), opening.name) != never_closed_.end()) return {};
  const std::string_view name = opening.name;
  for (std::size_t at = text_.find("</", opening.end); at != std::string_view::npos; at = text_.find("</", at + 2)) {
    const std::string_view found = text_.substr(at + 2, name.size());
    if (!equal_but_for_case(found, name)) continue;
    const auto tag = read(at);
    if (tag && tag->name == name) return tag;
  }
  never_closed_.push_back(opening.name);
  return {};
}

}  // namespace idne
