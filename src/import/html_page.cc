#include "import/html_page.h"

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "import/attribute_limit.h"
#include "import/files.h"
#include "import/markup_rules.h"
#include "text/dates.h"

namespace idne {
namespace {

std::string_view view(const xmlChar* text) {
  return text ? std::string_view(reinterpret_cast<const char*>(text)) : std::string_view();
}

bool is_element(const xmlNode* node) { return node->type == XML_ELEMENT_NODE; }

std::string attribute(xmlNode* element, const char* name) {
  const std::unique_ptr<xmlChar, xmlFreeFunc> value(xmlGetProp(element, reinterpret_cast<const xmlChar*>(name)),
                                                    xmlFree);
  return std::string(view(value.get()));
}

/// Where a page has no <body>, libxml2 puts elements that HTML 4 does not know into the <head>.
bool is_unseen(std::string_view name) { return name != "head" && kind_of(name) == TagKind::Unseen; }

bool is_main(xmlNode* element) { return view(element->name) == "main" || attribute(element, "role") == "main"; }
bool is_article(xmlNode* element) { return view(element->name) == "article"; }
/// Elements whose class or id may say so.
bool may_be_around(std::string_view name) {
  return name == "div" || name == "table" || name == "ul" || name == "ol" || name == "p";
}

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

/// Whether one of the words, separated by spaces, is among the names.
bool has_name(std::string_view words, std::span<const std::string_view> names) {
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (std::ranges::find(names, words.substr(begin, end - begin)) != names.end()) return true;
    begin = end + 1;
  }
  return false;
}

bool is_heading(xmlNode* element) {
  const std::string_view name = view(element->name);
  if (name.size() == 2 && name[0] == 'h' && is_ascii_digit(name[1])) return true;
  constexpr std::array<std::string_view, 2> kTitles{"title", "headertitle"};  // as Doxygen writes them
  return may_be_around(name) && has_name(lower_ascii(attribute(element, "class")), kTitles);
}

std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool letter = is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80;
    words += letter && !inside;
    inside = letter;
  }
  return words;
}

struct Inside {
  std::size_t headings = 0, links = 0, other_words = 0;
};

Inside look_inside(xmlNode* element) {
  Inside found;
  walk(
      element,
      [&](xmlNode* node) {
        if (node->type == XML_TEXT_NODE) found.other_words += words_in(view(node->content));
        if (!is_element(node)) return false;
        if (is_heading(node)) ++found.headings;
        const bool link = view(node->name) == "a" && !attribute(node, "href").empty();
        if (link) ++found.links;
        return !link;
      },
      [](xmlNode*) {});
  return found;
}

/// These are not what a page is about. The names are those of DocBook, Sphinx, Doxygen, Texinfo, Apache and their like.
bool is_around(xmlNode* element) {
  const std::string_view name = view(element->name);
  if (name == "nav" || name == "footer" || attribute(element, "role") == "navigation") return true;
  if (!may_be_around(name)) return false;
  constexpr std::array<std::string_view, 12> kAround{"nav",         "navbar",  "navheader",  "navfooter",
                                                     "navigation",  "related", "breadcrumb", "breadcrumbs",
                                                     "nav-buttons", "sidebar", "navpath",    "footer"};
  constexpr std::array<std::string_view, 6> kOftenAround{"header", "page-header", "nav-panel",
                                                         "path",   "toplang",     "bottomlang"};
  const std::string classes = lower_ascii(attribute(element, "class")), id = lower_ascii(attribute(element, "id"));
  if (has_name(classes, kAround)) return true;
  const bool by_id = has_name(id, kAround);
  if (!by_id && !has_name(classes, kOftenAround) && !has_name(id, kOftenAround)) return false;
  // A part may be named after its heading; a header may hold the page's. What leads around has little but links.
  const Inside inside = look_inside(element);
  if (inside.headings > 0) return false;
  return by_id || (inside.links > 0 && inside.other_words <= inside.links + 1);
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

std::string inner_text(xmlNode* element) {
  const std::unique_ptr<xmlChar, xmlFreeFunc> text(xmlNodeGetContent(element), xmlFree);
  return std::string(view(text.get()));
}

/// The mark beside a heading whose address leads there: "¶" as Sphinx writes it.
bool is_own_address(xmlNode* element) {
  if (view(element->name) != "a" || !attribute(element, "href").starts_with('#')) return false;
  const std::string mark = on_one_line(inner_text(element));
  return mark == "¶" || mark == "§" || mark == "#";
}

void remove_own_addresses(xmlNode* root) {
  for (xmlNode* mark : outermost(root, is_own_address)) {
    xmlUnlinkNode(mark);
    xmlFreeNode(mark);
  }
}

class PageReader {
 public:
  explicit PageReader(CodeText code) : code_(code) {}

  HtmlPage read(xmlNode* root) {
    remove_own_addresses(root);
    read_head(root);
    std::vector<xmlNode*> parts = outermost(root, is_main);
    if (parts.empty()) parts = outermost(root, is_article);
    // Where nothing is said to be the main part, what leads around the site is no text, but its links are links.
    links_around_ = parts.empty();
    if (parts.empty()) parts.push_back(root);
    read_parts(parts);
    if (page_.text.empty() && !links_around_) {  // a main part of menus
      links_around_ = true;
      read_parts({root});
    }
    if (page_.title.empty()) page_.title = on_one_line(heading_);
    if (page_.date.empty() && date_number(first_time_)) page_.date = first_time_;
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
          if (name == "meta") take_date(node);
          if (name == "time" && first_time_.empty()) first_time_ = attribute(node, "datetime");
          return name != "svg";  // pictures have titles of their own
        },
        [](xmlNode*) {});
  }

  void take_date(xmlNode* meta) {
    constexpr std::array<std::string_view, 8> kTelling{"article:published_time",
                                                       "date",
                                                       "dc.date",
                                                       "dc.date.issued",
                                                       "dcterms.date",
                                                       "dcterms.created",
                                                       "datepublished",
                                                       "citation_publication_date"};
    for (const char* key : {"property", "name", "itemprop"}) {
      const bool tells =
          std::find(kTelling.begin(), kTelling.end(), lower_ascii(attribute(meta, key))) != kTelling.end();
      const std::string date = tells ? attribute(meta, "content") : std::string();
      if (page_.date.empty() && date_number(date)) page_.date = date;
    }
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

  void read_parts(const std::vector<xmlNode*>& parts) {
    for (const bool all : {false, true}) {
      all_ = all;
      code_size_ = 0;
      text_.clear();
      page_.links.clear();
      for (xmlNode* part : parts) read_part(part);
      page_.text = tidy_space(text_);
      if (!page_.text.empty() && page_.text.size() >= code_size_ / 4) return;  // else it is a page of nothing else
    }
  }

  void read_part(xmlNode* part) {
    text_ += '\n';
    walk(
        part, [&](xmlNode* node) { return enter(node); }, [&](xmlNode* node) { leave(node); });
  }

  bool enter(xmlNode* node) {
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) add_words(view(node->content));
    if (!is_element(node)) return false;
    const std::string_view name = view(node->name);
    if (is_unseen(name)) return false;
    const bool code = name == "pre" && code_ == CodeText::Drop && !all_;
    if (code || (is_around(node) && !(all_ && links_around_))) {
      if (code) code_size_ += inner_text(node).size();
      if (code || links_around_) take_links(node);
      text_ += '\n';
      return false;
    }
    take_link(node);
    if (name == "h1" && heading_.empty()) heading_ = inner_text(node);
    set_off(name);
    return true;
  }

  void take_link(xmlNode* node) {
    const std::string_view name = view(node->name);
    if (name != "a" && name != "area") return;
    if (std::string target = attribute(node, "href"); !target.empty()) page_.links.push_back(std::move(target));
  }
  void take_links(xmlNode* part) {
    walk(
        part,
        [&](xmlNode* node) {
          if (is_element(node)) take_link(node);
          return is_element(node);
        },
        [](xmlNode*) {});
  }

  void leave(xmlNode* node) {
    if (is_element(node)) set_off(view(node->name));
  }

  /// A line's end in the source of a page is a space.
  void add_words(std::string_view words) {
    const auto begin = static_cast<std::ptrdiff_t>(text_.size());
    text_ += words;
    std::replace(text_.begin() + begin, text_.end(), '\n', ' ');
  }

  void set_off(std::string_view name) {
    const TagKind kind = kind_of(name);
    if (kind != TagKind::Inline) text_ += kind == TagKind::Line ? '\n' : ' ';
  }

  CodeText code_;
  bool links_around_ = false, all_ = false;
  std::size_t code_size_ = 0;  ///< that was left out
  HtmlPage page_;
  std::string text_;  ///< not tidied yet
  std::string heading_;
  std::string first_time_;
};

/// Keeps just the attributes that are asked for: the others take most of the time.
void start_element(void* parser, const xmlChar* name, const xmlChar** attributes) {
  constexpr std::array<std::string_view, 7> kKept{"href",     "role",     "name",    "content",
                                                  "property", "datetime", "itemprop"};
  std::vector<const xmlChar*> kept;
  for (const xmlChar** at = attributes; at && at[0]; at += 2) {
    const bool wanted = std::find(kKept.begin(), kKept.end(), view(at[0])) != kKept.end() ||
                        ((view(at[0]) == "class" || view(at[0]) == "id") && may_be_around(view(name)));
    if (wanted) kept.insert(kept.end(), {at[0], at[1]});
  }
  kept.push_back(nullptr);
  xmlSAX2StartElement(parser, name, kept.data());
}

}  // namespace

HtmlPage read_html(std::string_view html, CodeText code) {
  std::string text(html);
  std::replace(text.begin(), text.end(), '\0', ' ');  // libxml2 would take it for the end
  limit_attributes(text);
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
  if (root) page = PageReader(code).read(root);
  // It goes no deeper than 256 elements, for good reason: time and stack would grow with the depth.
  page.cut = parser->lastError.code == XML_ERR_INTERNAL_ERROR;
  return page;
}

}  // namespace idne
