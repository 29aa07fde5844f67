#include "import/markdown.h"

#include <md4c.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <functional>

#include "idne/import.h"
#include "import/files.h"
#include "import/formula_marks.h"
#include "import/front_matter.h"
#include "import/html_page.h"
#include "import/markup_rules.h"
#include "import/note_lines.h"
#include "text/utf8.h"

namespace idne {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Where the tag that begins at `at` ends. Letters of all scripts, digits, "_", "-", "/" and pictures.
std::size_t tag_end(std::string_view text, std::size_t at) {
  constexpr std::uint32_t kKinds = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK | U_GC_SO_MASK | U_GC_SK_MASK | U_GC_CF_MASK;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int64_t>(text.size());
  for (auto next = static_cast<std::int64_t>(at); next < size; at = static_cast<std::size_t>(next)) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(bytes, next, size, c);
    const bool ascii_sign = c == '_' || c == '-' || c == '/';
    if (!ascii_sign && (c == 0xFFFD || c == '`' || c == '^' || (U_GET_GC_MASK(c) & kKinds) == 0)) return at;
  }
  return at;
}

/// "&eacute;", "&#233;", "&#xE9;" as the character; what names none as a space.
std::string character(std::string_view entity) {
  if (entity.size() < 3) return std::string(entity);
  std::string text;
  append_utf8(text, html_character(entity.substr(1, entity.size() - 2)).value_or(' '));
  return text;
}

std::string plain(const MD_ATTRIBUTE& attribute) {
  std::string result;
  for (unsigned k = 0; attribute.text && attribute.substr_offsets[k] < attribute.size; ++k) {
    const MD_OFFSET begin = attribute.substr_offsets[k];
    const std::string_view piece(attribute.text + begin, attribute.substr_offsets[k + 1] - begin);
    result += attribute.substr_types[k] == MD_TEXT_ENTITY ? character(piece) : std::string(piece);
  }
  return result;
}

/// What md4c finds in a note, put together.
class NoteReader {
 public:
  NoteReader(std::string_view source, Note& note) : source_(source), note_(note) {}

  void read() {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_WIKILINKS |
                   MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_LATEXMATHSPANS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* reader) {
      if (type == MD_BLOCK_H) self(reader).level_ = static_cast<MD_BLOCK_H_DETAIL*>(detail)->level;
      return self(reader).enter(type);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* reader) { return self(reader).leave(type); };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* reader) { return self(reader).enter(type, detail); };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* reader) { return self(reader).leave(type); };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* reader) {
      return self(reader).take(type, {text, size});
    };
    note_.cut = md_parse(source_.data(), static_cast<MD_SIZE>(source_.size()), &parser, this) != 0;
    unmark_formulas(note_.text);
    unmark_formulas(name_);
    for (NoteLink& link : note_.links) unmark_formulas(link.target);
    take_title();
    while (!note_.text.empty() && is_space(note_.text.back())) note_.text.pop_back();
  }

 private:
  static constexpr std::size_t kNoPlace = std::string::npos;

  static NoteReader& self(void* reader) { return *static_cast<NoteReader*>(reader); }

  int enter(MD_BLOCKTYPE type) {
    set_off(type);  // a list in an item of a list
    if (type == MD_BLOCK_H) heading_ = note_.text.size();
    if (type == MD_BLOCK_HTML) html_.clear();
    in_code_block_ = type == MD_BLOCK_CODE;
    in_html_block_ = type == MD_BLOCK_HTML;
    return 0;
  }

  int leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_H && level_ == 1 && ++first_level_ == 1) {
      name_ = on_one_line(std::string_view(note_.text).substr(heading_));
      opens_ = trimmed(std::string_view(note_.text).substr(0, heading_)).empty();
    }
    if (type == MD_BLOCK_HTML) add_html();
    in_code_block_ = in_html_block_ = false;
    embed_ = kNoPlace;
    set_off(type);
    return 0;
  }

  /// The heading of the first level is the note's name if it is the only one, or opens the note: others head parts.
  void take_title() {
    if (!note_.title.empty() || name_.empty() || (first_level_ > 1 && !opens_)) return;
    note_.title = name_;
    note_.title_in_text = true;
  }

  /// Ends the line before or behind a block; cells of a table share one.
  void set_off(MD_BLOCKTYPE type) {
    const bool cell = type == MD_BLOCK_TD || type == MD_BLOCK_TH;
    if (!cell && note_.text.ends_with(' ')) note_.text.pop_back();
    if (!note_.text.empty() && !is_space(note_.text.back())) note_.text += cell ? ' ' : '\n';
  }

  int enter(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_A) return add_link(static_cast<MD_SPAN_A_DETAIL*>(detail)->href, false);
    if (type == MD_SPAN_WIKILINK) return add_link(static_cast<MD_SPAN_WIKILINK_DETAIL*>(detail)->target, true);
    if (type == MD_SPAN_IMG) ++inside_links_;
    return 0;
  }

  int leave(MD_SPANTYPE type) {
    if (type == MD_SPAN_A || type == MD_SPAN_WIKILINK || type == MD_SPAN_IMG) --inside_links_;
    if (type == MD_SPAN_WIKILINK) {
      // The name of a block is not said by who links to it, either.
      const std::size_t block = note_.text.find("#^", wiki_link_);
      if (block != std::string::npos && note_.text.substr(wiki_link_) == note_.links.back().target) {
        note_.text.resize(block);
      }
      const std::size_t bar = target_shown_ ? note_.text.find('|', wiki_link_) : std::string::npos;
      if (bar != std::string::npos) note_.text.erase(wiki_link_, bar + 1 - wiki_link_);
    }
    return 0;
  }

  int add_link(const MD_ATTRIBUTE& target, bool wiki) {
    ++inside_links_;
    // A long target that is written once can be referred to from all over a note.
    target_bytes_ += target.size;
    if (target_bytes_ > 16 * source_.size()) return -1;  // md4c stops
    std::string path = plain(target);
    if (wiki) {  // md4c knows no "\\|", as it is written in tables: target and words are one
      const std::size_t bar = path.find('|');
      target_shown_ = bar != std::string::npos;
      wiki_link_ = note_.text.size();
      if (target_shown_) path.resize(bar);
    }
    note_.links.push_back({std::move(path), wiki});
    address_ = wiki ? std::string() : note_.links.back().target;
    return 0;
  }

  int take(MD_TEXTTYPE type, std::string_view text) {
    if (in_code_block_) return 0;
    if (in_html_block_) {
      html_ += text;
    } else if (type == MD_TEXT_NORMAL) {
      if (inside_links_ == 0) {
        add_words(text);
      } else if (text != address_) {  // an address that stands for itself is no words
        note_.text += text;
      }
    } else if (type == MD_TEXT_ENTITY) {
      note_.text += character(text);
    } else if (type == MD_TEXT_CODE) {
      note_.text += text;
    } else if (type == MD_TEXT_HTML) {
      take_tag(text);
    } else {
      note_.text += ' ';  // a line's end, or a formula
      embed_ = kNoPlace;
    }
    return 0;
  }

  void add_words(std::string_view words) {
    const bool in_source =
        std::less<>()(source_.data(), words.data()) && std::less<>()(words.data(), source_.data() + source_.size());
    find_tags(words, in_source && words.data()[-1] == '\\');
    find_long_wiki_links(words);
    add_around_embeds(words);
  }

  /// "![[x]]" shows x, whose words are its own. That of a table comes in two pieces, for the "\\|" in it.
  void add_around_embeds(std::string_view words) {
    const bool cut = embed_ != kNoPlace;
    while (true) {
      if (embed_ == kNoPlace) {
        const std::size_t begin = words.find("![[");
        note_.text += words.substr(0, begin);
        if (begin == std::string_view::npos) return;
        words.remove_prefix(begin);
        embed_ = note_.text.size();
      }
      const std::size_t end = words.find("]]");
      note_.text += words.substr(0, end);
      if (end == std::string_view::npos) return;
      words.remove_prefix(end + 2);
      const std::string inside = note_.text.substr(embed_ + 3);
      if (cut && inside.find('|') != std::string::npos)
        note_.links.push_back({inside.substr(0, inside.find('|')), true});
      note_.text.resize(embed_);
      embed_ = kNoPlace;
    }
  }

  void find_tags(std::string_view words, bool escaped) {
    for (std::size_t at = words.find('#'); at != std::string_view::npos; at = words.find('#', at + 1)) {
      const bool first = at == 0;
      if (first ? escaped || (!note_.text.empty() && !is_space(note_.text.back())) : !is_space(words[at - 1])) continue;
      const std::string_view tag = words.substr(at + 1, tag_end(words, at + 1) - at - 1);
      if (tag.find_first_not_of("0123456789/-_") == std::string_view::npos) continue;  // "#123" is no tag
      note_.tags.push_back(plain_tag(tag));
    }
  }

  /// md4c takes no target above 100 characters for a link, and none in HTML; titles of papers are longer.
  void find_long_wiki_links(std::string_view words) {
    for (std::size_t at = words.find("[["); at != std::string_view::npos; at = words.find("[[", at)) {
      at += 2;
      const std::size_t end = words.find_first_of("[]\n", at);
      if (end == std::string_view::npos || !words.substr(end).starts_with("]]")) continue;
      const std::string_view inside = words.substr(at, end - at);
      note_.links.push_back({std::string(inside.substr(0, inside.find('|'))), true});
    }
  }

  void take_tag(std::string_view tag) {
    const std::string small = lower_ascii(tag.substr(0, 4));
    if (small.starts_with("<br")) note_.text += ' ';
    if (!small.starts_with("<a ")) return;
    std::string link(tag);
    unmark_formulas(link);
    add_html_links(read_html(link));
  }

  void add_html() {
    unmark_formulas(html_);
    const HtmlPage page = read_html(html_);
    add_words(page.text);
    add_html_links(page);
  }

  void add_html_links(const HtmlPage& page) {
    for (const std::string& target : page.links) note_.links.push_back({target, false});
  }

  std::string_view source_;
  Note& note_;
  std::string html_, address_, name_;
  std::size_t heading_ = 0, target_bytes_ = 0;
  std::size_t wiki_link_ = 0, embed_ = kNoPlace;  ///< where their words begin in the text
  bool target_shown_ = false;                     ///< before the words of the wiki link
  int inside_links_ = 0;
  unsigned level_ = 0, first_level_ = 0;  ///< of the heading; how many there are of the first
  bool in_code_block_ = false, in_html_block_ = false, opens_ = false;
};

}  // namespace

Note read_note(std::string_view text, bool mdx) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  FrontMatter matter = read_front_matter(text);
  Note note{.title = std::move(matter.title),
            .text = {},
            .tags = std::move(matter.tags),
            .links = {},
            .date = std::move(matter.date)};
  const std::string body = mark_formulas(note_lines(text.substr(matter.end), mdx));
  NoteReader(body, note).read();
  return note;
}

}  // namespace idne
