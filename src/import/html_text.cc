#include "import/html_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <unordered_map>

#include "text/utf8.h"

namespace idne {
namespace {

/// A tag longer than this is not searched for a '>' outside of quotes, so that quotes that never end cost little.
constexpr std::size_t kLongTag = 4096;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

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

using Entities = std::unordered_map<std::string_view, std::uint32_t>;

/// Names of characters that follow each other.
void add_range(Entities& entities, std::uint32_t first, std::string_view names) {
  for (std::size_t begin = 0; begin < names.size(); ++first) {
    const std::size_t end = std::min(names.find(' ', begin), names.size());
    entities.emplace(names.substr(begin, end - begin), first);
    begin = end + 1;
  }
}

/// The named characters of HTML 4 without the rarer symbols of mathematics, and &apos;.
Entities make_entities() {
  Entities entities{{"quot", 34},     {"amp", 38},      {"apos", 39},     {"lt", 60},       {"gt", 62},
                    {"OElig", 338},   {"oelig", 339},   {"Scaron", 352},  {"scaron", 353},  {"Yuml", 376},
                    {"fnof", 402},    {"circ", 710},    {"tilde", 732},   {"ensp", 8194},   {"emsp", 8195},
                    {"thinsp", 8201}, {"zwnj", 8204},   {"zwj", 8205},    {"lrm", 8206},    {"rlm", 8207},
                    {"ndash", 8211},  {"mdash", 8212},  {"lsquo", 8216},  {"rsquo", 8217},  {"sbquo", 8218},
                    {"ldquo", 8220},  {"rdquo", 8221},  {"bdquo", 8222},  {"dagger", 8224}, {"Dagger", 8225},
                    {"bull", 8226},   {"hellip", 8230}, {"permil", 8240}, {"prime", 8242},  {"Prime", 8243},
                    {"lsaquo", 8249}, {"rsaquo", 8250}, {"euro", 8364},   {"trade", 8482},  {"larr", 8592},
                    {"uarr", 8593},   {"rarr", 8594},   {"darr", 8595},   {"harr", 8596},   {"rArr", 8658},
                    {"hArr", 8660},   {"part", 8706},   {"sum", 8721},    {"minus", 8722},  {"radic", 8730},
                    {"infin", 8734},  {"asymp", 8776},  {"ne", 8800},     {"le", 8804},     {"ge", 8805}};
  add_range(entities, 160,
            "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 "
            "acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml "
            "Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc "
            "Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml "
            "aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc "
            "otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml");
  add_range(entities, 913, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho");
  add_range(entities, 931, "Sigma Tau Upsilon Phi Chi Psi Omega");
  add_range(entities, 945,
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau "
            "upsilon phi chi psi omega");
  return entities;
}

/// The character of "amp", "#38" or "#x26"; 0 if there is none.
std::uint32_t character_of(std::string_view name) {
  static const Entities entities = make_entities();
  if (!name.starts_with('#')) {
    const auto found = entities.find(name);
    return found == entities.end() ? 0 : found->second;
  }
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != name.data() + name.size() || !U_IS_UNICODE_CHAR(code)) return 0;
  return code < ' ' ? ' ' : code;
}

class HtmlText {
 public:
  HtmlText(std::string_view html, Code code) : html_(html), tags_(html), code_(code) { out_.reserve(html.size()); }

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
    if (breaks_line(tag->name)) out_ += '\n';
    const bool code = tag->name == "pre" || tag->name == "code";
    const bool unseen = tag->name == "script" || tag->name == "style";
    if (tag->closing || tag->self_closing || !(unseen || (code && code_ == Code::Drop))) return tag->end;
    const auto closing = tags_.closing(*tag);
    out_ += tag->name == "pre" ? '\n' : ' ';
    return closing ? closing->end : tag->end;
  }

  std::string_view html_;
  TagReader tags_;
  Code code_;
  std::string out_;
};

}  // namespace

std::string html_text(std::string_view html, Code code) { return HtmlText(html, code).read(); }

std::optional<Tag> TagReader::read(std::size_t at) const {
  if (last_end_ == std::string_view::npos || at >= last_end_) return {};
  Tag tag;
  tag.begin = at;
  std::size_t name = at + 1;
  tag.closing = text_[name] == '/';
  if (tag.closing) ++name;
  // <!DOCTYPE …> and <?xml …?> are passed over as tags are.
  if (!is_letter(text_[name]) && text_[name] != '!' && text_[name] != '?') return {};
  std::size_t end = name + 1;
  while (end < last_end_ && is_name(text_[end])) ++end;
  tag.name = text_.substr(name, end - name);
  std::transform(tag.name.begin(), tag.name.end(), tag.name.begin(), lower);
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
    if (!std::equal(found.begin(), found.end(), name.begin(), name.end(),
                    [](char a, char b) { return lower(a) == b; })) {
      continue;
    }
    const auto tag = read(at);
    if (tag && tag->name == name) return tag;
  }
  never_closed_.push_back(opening.name);
  return {};
}

bool breaks_line(std::string_view tag_name) {
  static constexpr std::array<std::string_view, 33> kNames{
      "address", "article", "aside",  "blockquote", "br", "caption", "center",  "dd",    "details", "div",    "dl",
      "dt",      "figure",  "footer", "h1",         "h2", "h3",      "h4",      "h5",    "h6",      "header", "hr",
      "li",      "main",    "nav",    "ol",         "p",  "pre",     "section", "table", "td",      "tr",     "ul"};
  static_assert(std::is_sorted(kNames.begin(), kNames.end()));
  return std::binary_search(kNames.begin(), kNames.end(), tag_name) || tag_name == "th";
}

std::size_t append_entity(std::string& out, std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 12;
  constexpr std::uint32_t kSoftHyphen = 0xAD;
  const std::size_t end = text.substr(at + 1, kLongest).find(';');
  const std::uint32_t code = end == std::string_view::npos ? 0 : character_of(text.substr(at + 1, end));
  if (code == 0) {
    out += '&';
    return at + 1;
  }
  if (code != kSoftHyphen) append_utf8(out, code);  // it stands within words
  return at + end + 2;
}

std::string tidy_space(std::string_view text) {
  std::string tidy;
  tidy.reserve(text.size());
  bool space = false, line = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool no_break_space = c == '\xC2' && at + 1 < text.size() && text[at + 1] == '\xA0';
    if (no_break_space || static_cast<unsigned char>(c) <= ' ') {
      space = true;
      line |= c == '\n';
      at += no_break_space ? 1 : 0;
      continue;
    }
    if (space) {
      if (!tidy.empty()) tidy += line ? '\n' : ' ';
      space = line = false;
    }
    tidy += c;
  }
  return tidy;
}

}  // namespace idne
