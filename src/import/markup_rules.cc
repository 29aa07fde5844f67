#include "import/markup_rules.h"

#include <unicode/utf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "text/utf8.h"

namespace idne {
namespace {

struct NamedKind {
  std::string_view name;
  TagKind kind;
};

constexpr auto kSpace = TagKind::Space, kCell = TagKind::Cell, kLine = TagKind::Line, kUnseen = TagKind::Unseen;
constexpr auto kKinds = std::to_array<NamedKind>(
    {{"address", kLine},    {"area", kSpace},      {"article", kLine},   {"aside", kLine},      {"audio", kSpace},
     {"blockquote", kLine}, {"body", kLine},       {"br", kLine},        {"button", kSpace},    {"canvas", kSpace},
     {"caption", kLine},    {"center", kLine},     {"dd", kLine},        {"details", kLine},    {"dialog", kLine},
     {"dir", kLine},        {"div", kLine},        {"dl", kLine},        {"dt", kLine},         {"embed", kSpace},
     {"fieldset", kLine},   {"figcaption", kLine}, {"figure", kLine},    {"footer", kLine},     {"form", kLine},
     {"h1", kLine},         {"h2", kLine},         {"h3", kLine},        {"h4", kLine},         {"h5", kLine},
     {"h6", kLine},         {"head", kUnseen},     {"header", kLine},    {"hgroup", kLine},     {"hr", kLine},
     {"html", kLine},       {"iframe", kUnseen},   {"img", kSpace},      {"input", kSpace},     {"label", kSpace},
     {"legend", kLine},     {"li", kLine},         {"main", kLine},      {"math", kSpace},      {"menu", kLine},
     {"meter", kSpace},     {"nav", kLine},        {"noframes", kLine},  {"noscript", kUnseen}, {"object", kUnseen},
     {"ol", kLine},         {"optgroup", kLine},   {"option", kLine},    {"output", kSpace},    {"p", kLine},
     {"picture", kSpace},   {"pre", kLine},        {"progress", kSpace}, {"rp", kSpace},        {"rt", kSpace},
     {"script", kUnseen},   {"search", kLine},     {"section", kLine},   {"select", kSpace},    {"style", kUnseen},
     {"summary", kLine},    {"svg", kUnseen},      {"table", kLine},     {"tbody", kLine},      {"td", kCell},
     {"template", kUnseen}, {"textarea", kSpace},  {"tfoot", kLine},     {"th", kCell},         {"thead", kLine},
     {"title", kUnseen},    {"tr", kLine},         {"ul", kLine},        {"video", kSpace}});

/// The names of characters that follow each other; XML's five are in xml_character().
struct NamedCharacters {
  std::uint32_t first;
  std::string_view names;
};

constexpr auto kCharacters = std::to_array<NamedCharacters>(
    {{160,
      "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute "
      "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig "
      "Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times "
      "Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave "
      "eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave "
      "uacute ucirc uuml yacute thorn yuml"},
     {338, "OElig oelig"},
     {352, "Scaron scaron"},
     {376, "Yuml"},
     {402, "fnof"},
     {710, "circ"},
     {732, "tilde"},
     {913, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"},
     {931, "Sigma Tau Upsilon Phi Chi Psi Omega"},
     {945,
      "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau "
      "upsilon phi chi psi omega"},
     {977, "thetasym upsih"},
     {982, "piv"},
     {8194, "ensp emsp"},
     {8201, "thinsp"},
     {8204, "zwnj zwj lrm rlm"},
     {8211, "ndash mdash"},
     {8216, "lsquo rsquo sbquo"},
     {8220, "ldquo rdquo bdquo"},
     {8224, "dagger Dagger bull"},
     {8230, "hellip"},
     {8240, "permil"},
     {8242, "prime Prime"},
     {8249, "lsaquo rsaquo"},
     {8254, "oline"},
     {8260, "frasl"},
     {8364, "euro"},
     {8465, "image"},
     {8472, "weierp"},
     {8476, "real"},
     {8482, "trade"},
     {8501, "alefsym"},
     {8592, "larr uarr rarr darr harr"},
     {8629, "crarr"},
     {8656, "lArr uArr rArr dArr hArr"},
     {8704, "forall"},
     {8706, "part exist"},
     {8709, "empty"},
     {8711, "nabla isin notin"},
     {8715, "ni"},
     {8719, "prod"},
     {8721, "sum minus"},
     {8727, "lowast"},
     {8730, "radic"},
     {8733, "prop infin"},
     {8736, "ang"},
     {8743, "and or cap cup int"},
     {8756, "there4"},
     {8764, "sim"},
     {8773, "cong"},
     {8776, "asymp"},
     {8800, "ne equiv"},
     {8804, "le ge"},
     {8834, "sub sup nsub"},
     {8838, "sube supe"},
     {8853, "oplus"},
     {8855, "otimes"},
     {8869, "perp"},
     {8901, "sdot"},
     {8968, "lceil rceil lfloor rfloor"},
     {9001, "lang rang"},
     {9674, "loz"},
     {9824, "spades"},
     {9827, "clubs"},
     {9829, "hearts diams"}});

using CharactersByName = std::unordered_map<std::string_view, std::uint32_t>;

CharactersByName characters_by_name() {
  CharactersByName characters;
  for (auto [code, names] : kCharacters) {
    for (std::size_t begin = 0; begin < names.size(); ++code) {
      const std::size_t end = std::min(names.find(' ', begin), names.size());
      characters.emplace(names.substr(begin, end - begin), code);
      begin = end + 1;
    }
  }
  return characters;
}

/// The number in "38", or in hexadecimal behind one of the marks: in "x26".
std::optional<std::uint32_t> number_in(std::string_view digits, std::string_view marks) {
  const bool hexadecimal = !digits.empty() && marks.find(digits[0]) != std::string_view::npos;
  if (hexadecimal) digits.remove_prefix(1);
  std::uint32_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != end) return {};
  return number;
}

bool xml_allows(std::uint32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0xD800 || (c > 0xDFFF && c < 0xFFFE) || (c > 0xFFFF && c < 0x110000);
}

}  // namespace

TagKind kind_of(std::string_view tag_name) {
  static_assert(std::is_sorted(kKinds.begin(), kKinds.end(),
                               [](const NamedKind& a, const NamedKind& b) { return a.name < b.name; }));
  const auto found = std::lower_bound(kKinds.begin(), kKinds.end(), tag_name,
                                      [](const NamedKind& kind, std::string_view name) { return kind.name < name; });
  if (found != kKinds.end() && found->name == tag_name) return found->kind;
  // An element that a site has made up itself is mostly a box.
  return tag_name.find('-') == std::string_view::npos ? TagKind::Inline : TagKind::Line;
}

std::optional<std::uint32_t> html_character(std::string_view entity) {
  if (!entity.starts_with('#')) {
    static const CharactersByName characters = characters_by_name();
    if (const auto common = xml_character(entity)) return common;
    const auto found = characters.find(entity);
    return found == characters.end() ? std::nullopt : std::optional(found->second);
  }
  const auto code = number_in(entity.substr(1), "xX");
  if (!code || !U_IS_UNICODE_CHAR(*code)) return {};
  return *code < ' ' ? ' ' : *code;
}

std::optional<std::uint32_t> xml_character(std::string_view reference) {
  if (reference == "lt") return '<';
  if (reference == "gt") return '>';
  if (reference == "amp") return '&';
  if (reference == "quot") return '"';
  if (reference == "apos") return '\'';
  if (!reference.starts_with('#')) return {};
  const auto code = number_in(reference.substr(1), "x");
  return code && xml_allows(*code) ? code : std::nullopt;
}

std::size_t append_entity(std::string& out, std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 12;
  const std::string_view behind = text.substr(at + 1, kLongest);
  const std::size_t end = behind.find(';');
  const auto code = end == std::string_view::npos ? std::nullopt : html_character(behind.substr(0, end));
  if (!code) {
    out += '&';
    return at + 1;
  }
  append_utf8(out, *code);
  return at + end + 2;
}

std::string tidy_space(std::string_view text) {
  std::string tidy;
  tidy.reserve(text.size());
  bool space = false, line = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    const bool no_break_space = two == "\xC2\xA0", soft_hyphen = two == "\xC2\xAD";
    if (no_break_space || soft_hyphen) {
      space |= no_break_space;
      at += 2;
      continue;
    }
    if (static_cast<unsigned char>(text[at]) <= ' ') {
      space = true;
      line |= text[at++] == '\n';
      continue;
    }
    if (space && !tidy.empty()) tidy += line ? '\n' : ' ';
    space = line = false;
    const std::size_t begin = at;
    do ++at;
    while (at < text.size() && static_cast<unsigned char>(text[at]) > ' ' && text[at] != '\xC2');
    tidy.append(text, begin, at - begin);
  }
  return tidy;
}

}  // namespace idne
