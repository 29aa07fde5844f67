#include "import/html_site.h"

#include <fmt/format.h>
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "import/files.h"

namespace idne {
namespace {

using Names = std::unordered_set<std::string_view>;

/// Never shown to a reader.
const Names kUnseen{"script", "style", "template", "noscript", "svg", "iframe", "object", "head", "title"};
/// Inside the main part of a page these are not what it is about.
const Names kAround{"nav", "footer"};
/// Those between which no space belongs: "H<sub>2</sub>O".
const Names kWithinWords{"a",   "abbr", "acronym", "b",      "bdi",  "bdo",  "big", "cite", "code", "del",   "dfn",
                         "em",  "font", "i",       "ins",    "kbd",  "mark", "q",   "s",    "samp", "small", "span",
                         "sub", "sup",  "strong",  "strike", "time", "tt",   "u",   "var",  "wbr"};

std::string_view view(const xmlChar* text) {
  return text ? std::string_view(reinterpret_cast<const char*>(text)) : std::string_view();
}

bool is_element(const xmlNode* node) { return node->type == XML_ELEMENT_NODE; }

std::string attribute(xmlNode* element, const char* name) {
  const std::unique_ptr<xmlChar, xmlFreeFunc> value(xmlGetProp(element, reinterpret_cast<const xmlChar*>(name)),
                                                    xmlFree);
  return std::string(view(value.get()));
}

bool is_main(xmlNode* element) { return view(element->name) == "main" || attribute(element, "role") == "main"; }
bool is_article(xmlNode* element) { return view(element->name) == "article"; }

/// Calls enter for a node and all below it, in their order, and leave when all below a node is done. Nothing below a
/// node is visited if enter says false.
template <class Enter, class Leave>
void walk(xmlNode* root, Enter enter, Leave leave) {
  for (xmlNode* node = root; node;) {
    if (enter(node) && node->children && is_element(node)) {
      node = node->children;
      continue;
    }
    leave(node);
    while (node != root && !node->next) {
      node = node->parent;
      leave(node);
    }
    node = node == root ? nullptr : node->next;
  }
}

/// The outermost elements that `wanted` picks.
template <class Wanted>
std::vector<xmlNode*> outermost(xmlNode* root, Wanted wanted) {
  std::vector<xmlNode*> found;
  walk(
      root,
      [&](xmlNode* node) {
        if (!is_element(node) || !wanted(node)) return true;
        found.push_back(node);
        return false;
      },
      [](xmlNode*) {});
  return found;
}

/// Text with white space as a browser shows it.
class ShownText {
 public:
  void add(std::string_view words) {
    for (const char c : words) {
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        space();
      } else {
        if (between_ != 0 && !text_.empty()) text_ += between_;
        between_ = 0;
        text_ += c;
      }
    }
  }
  void space() { between_ = between_ == 0 ? ' ' : between_; }
  void line() { between_ = '\n'; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  char between_ = 0;  ///< what the next word is set off by
};

class PageReader {
 public:
  HtmlPage read(xmlNode* root) {
    read_head(root);
    std::vector<xmlNode*> parts = outermost(root, is_main);
    if (parts.empty()) parts = outermost(root, is_article);
    if (parts.empty()) {
      read_part(root, false);
    } else {
      for (xmlNode* part : parts) read_part(part, true);
    }
    page_.text = text_.take();
    if (page_.title.empty()) page_.title = on_one_line(heading_);
    return std::move(page_);
  }

 private:
  void read_head(xmlNode* root) {
    walk(
        root,
        [&](xmlNode* node) {
          if (!is_element(node)) return false;
          const std::string_view name = view(node->name);
          if (name == "title" && page_.title.empty()) page_.title = on_one_line(inner_text(node));
          if (name == "meta" && lower_ascii(attribute(node, "name")) == "keywords") {
            add_keywords(attribute(node, "content"));
          }
          return name != "svg";  // pictures have titles of their own
        },
        [](xmlNode*) {});
  }

  static std::string inner_text(xmlNode* element) {
    const std::unique_ptr<xmlChar, xmlFreeFunc> text(xmlNodeGetContent(element), xmlFree);
    return std::string(view(text.get()));
  }

  void add_keywords(std::string_view list) {
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (std::string word = on_one_line(list.substr(begin, end - begin)); !word.empty()) {
        page_.keywords.push_back(std::move(word));
      }
      begin = end + 1;
    }
  }

  void read_part(xmlNode* part, bool is_main_part) {
    text_.line();
    walk(
        part, [&](xmlNode* node) { return enter(node, is_main_part); }, [&](xmlNode* node) { leave(node); });
  }

  bool enter(xmlNode* node, bool is_main_part) {
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) text_.add(view(node->content));
    if (!is_element(node)) return false;
    const std::string_view name = view(node->name);
    if (kUnseen.contains(name)) return false;
    if (is_main_part && (kAround.contains(name) || attribute(node, "role") == "navigation")) return false;
    if (name == "a" || name == "area") {
      if (std::string target = attribute(node, "href"); !target.empty()) page_.links.push_back(std::move(target));
    }
    if (name == "h1" && heading_.empty()) heading_ = inner_text(node);
    set_off(name);
    return true;
  }

  void leave(xmlNode* node) {
    if (is_element(node)) set_off(view(node->name));
  }

  void set_off(std::string_view name) {
    if (name == "td" || name == "th") {
      text_.space();
    } else if (!kWithinWords.contains(name)) {
      text_.line();
    }
  }

  HtmlPage page_;
  ShownText text_;
  std::string heading_;
};

constexpr std::string_view kSpaces = " \t\r\n\f";

/// Blanks attributes of tags that have very many: libxml2's time grows with the square of their number.
class AttributeLimit {
 public:
  explicit AttributeLimit(std::string& text) : text_(text) {}

  void apply() {
    bool comments_end = true;  // once one does not, no later one does
    for (std::size_t at = text_.find('<'); at < text_.size(); at = text_.find('<', at)) {
      ++at;
      if (comments_end && text_.compare(at, 3, "!--") == 0) {
        const std::size_t end = text_.find("-->", at + 3);
        comments_end = end != std::string::npos;
        if (comments_end) at = end;
      } else if (const char c = text_[at]; (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        at = apply_to_tag(at);
      }
    }
  }

 private:
  std::size_t first_of(std::string_view characters, std::size_t at) const {
    return std::min(text_.find_first_of(characters, at), text_.size());
  }
  std::size_t first_not_of(std::string_view characters, std::size_t at) const {
    return std::min(text_.find_first_not_of(characters, at), text_.size());
  }

  /// Past the tag whose name begins at `at`, and past what is no markup behind it.
  std::size_t apply_to_tag(std::size_t at) {
    constexpr std::size_t kMost = 256, kLongestName = 10;
    const std::size_t name_end = first_of(" \t\r\n\f/>", at);
    const std::string name = lower_ascii(std::string_view(text_).substr(at, std::min(name_end - at, kLongestName)));
    std::size_t attributes = 0;
    for (at = first_not_of(" \t\r\n\f/", name_end); at < text_.size() && text_[at] != '>';) {
      const std::size_t end = attribute_end(at);
      if (++attributes > kMost) std::fill(text_.begin() + std::ptrdiff_t(at), text_.begin() + std::ptrdiff_t(end), ' ');
      at = first_not_of(" \t\r\n\f/", end);
    }
    return name == "script" || name == "style" ? end_of(name, at) : at;
  }

  std::size_t attribute_end(std::size_t at) const {
    const std::size_t name_end = first_of(" \t\r\n\f/>=", at + 1);
    const std::size_t sign = first_not_of(kSpaces, name_end);
    if (sign == text_.size() || text_[sign] != '=') return name_end;
    const std::size_t value = first_not_of(kSpaces, sign + 1);
    if (value == text_.size()) return value;
    if (text_[value] != '"' && text_[value] != '\'') return first_of(" \t\r\n\f>", value);
    return std::min(first_of(text_[value] == '"' ? "\"" : "'", value + 1) + 1, text_.size());
  }

  std::size_t end_of(std::string_view name, std::size_t at) const {
    for (at = text_.find("</", at); at < text_.size(); at = text_.find("</", at + 2)) {
      if (lower_ascii(std::string_view(text_).substr(at + 2, name.size())) == name) return at;
    }
    return text_.size();
  }

  std::string& text_;
};

/// Keeps just the attributes that are asked for: the others take most of the time.
void start_element(void* parser, const xmlChar* name, const xmlChar** attributes) {
  static const Names kept_names{"href", "role", "name", "content"};
  std::vector<const xmlChar*> kept;
  for (const xmlChar** at = attributes; at && at[0]; at += 2) {
    if (kept_names.contains(view(at[0]))) kept.insert(kept.end(), {at[0], at[1]});
  }
  kept.push_back(nullptr);
  xmlSAX2StartElement(parser, name, kept.data());
}

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

/// Which page a link means.
class Site {
 public:
  Site(const FolderFiles& files, ImportCounts& counts) : files_(files), counts_(counts) {
    std::unordered_set<std::string> taken;
    for (const std::string& path : files.wanted) {
      std::string id = valid_utf8(path);
      while (!taken.insert(id).second) id += '_';  // names that are no UTF-8 may become the same
      ids_.emplace(path, std::move(id));
    }
  }

  const std::string& id(const std::string& path) const { return ids_.at(path); }

  std::vector<std::string> resolve(const std::vector<std::string>& targets, const std::string& from) {
    std::vector<std::string> links;
    std::unordered_set<std::string_view> seen;
    for (const std::string& target : targets) {
      if (!seen.insert(target).second) continue;
      const std::string* link = resolve_one(target, from);
      if (link && *link != id(from)) links.push_back(*link);
    }
    return links;
  }

 private:
  const std::string* resolve_one(std::string_view target, const std::string& from) {
    target = trimmed(target);
    const std::string scheme = scheme_of(target);
    if (!scheme.empty() && !leads_to_documents(scheme)) return nullptr;
    const LinkPath link = link_path(target, folder_of(from));
    if (scheme.empty() && link.same_file) return nullptr;
    if (!scheme.empty() || target.starts_with("//") || !link.path) {
      counts_.add("links out of the site");
      return nullptr;
    }
    for (const char* end : {"", "/index.html", "/index.htm", "/index.xhtml", ".html"}) {
      const std::string path = link.path->empty() ? std::string(end).substr(*end ? 1 : 0) : *link.path + end;
      if (const auto found = ids_.find(path); found != ids_.end()) return &found->second;
    }
    const bool is_file = link.path->empty() || files_.others.contains(*link.path);
    counts_.add(is_file ? "links to files and folders that are no pages" : "links that lead nowhere");
    return nullptr;
  }

  const FolderFiles& files_;
  ImportCounts& counts_;
  std::unordered_map<std::string, std::string> ids_;  ///< of paths
};

}  // namespace

HtmlPage read_html(std::string_view html) {
  std::string text(html);
  std::replace(text.begin(), text.end(), '\0', ' ');  // libxml2 would take it for the end
  AttributeLimit(text).apply();
  const std::unique_ptr<htmlParserCtxt, void (*)(htmlParserCtxt*)> parser(htmlNewParserCtxt(), htmlFreeParserCtxt);
  if (!parser) throw std::bad_alloc();
  parser->sax->startElement = start_element;
  constexpr int kOptions = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                           HTML_PARSE_IGNORE_ENC | HTML_PARSE_COMPACT;
  const std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document(
      htmlCtxtReadMemory(parser.get(), text.data(), static_cast<int>(text.size()), nullptr, "UTF-8", kOptions),
      xmlFreeDoc);
  xmlNode* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
  HtmlPage page;
  if (root) page = PageReader().read(root);
  // It goes no deeper than 256 elements, for good reason: time and stack would grow with the depth.
  page.cut = parser->lastError.code == XML_ERR_INTERNAL_ERROR;
  return page;
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

void import_html(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run) {
  const FolderFiles files = list_files(folder, {".html", ".htm", ".xhtml"}, counts, run);
  Site site(files, counts);
  std::uint64_t done = 0;
  for (const std::string& path : files.wanted) {
    run.check();
    run.report({"read pages", ++done, files.wanted.size()});
    const auto bytes = read_file(folder / path, counts);
    if (!bytes) continue;
    bool replaced = false;
    HtmlPage page = read_html(html_to_utf8(*bytes, replaced));
    if (replaced) counts.add("pages with broken characters, which were replaced");
    if (page.cut) counts.add("pages nested too deeply, read in part");
    if (page.text.empty()) counts.add("pages without text");
    out.add({site.id(path),
             page.title.empty() ? std::string(name_of(site.id(path))) : page.title,
             page.text,
             page.keywords,
             site.resolve(page.links, path),
             {}});
  }
}

}  // namespace idne
