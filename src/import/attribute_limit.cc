#include "import/attribute_limit.h"

#include <algorithm>
#include <string_view>

#include "text/strings.h"

namespace idne {
namespace {

constexpr std::string_view kMarkupSpaces = " \t\r\n\f";

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
      } else if (at < text_.size() && is_ascii_letter(text_[at])) {
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
    constexpr std::size_t kMostAttributes = 256, kLongestName = 10;
    const std::size_t name_end = first_of(" \t\r\n\f/>", at);
    const std::string name = lower_ascii(std::string_view(text_).substr(at, std::min(name_end - at, kLongestName)));
    std::size_t attributes = 0;
    for (at = first_not_of(" \t\r\n\f/", name_end); at < text_.size() && text_[at] != '>';) {
      const std::size_t end = attribute_end(at);
      if (++attributes > kMostAttributes)
        std::fill(text_.begin() + std::ptrdiff_t(at), text_.begin() + std::ptrdiff_t(end), ' ');
      at = first_not_of(" \t\r\n\f/", end);
    }
    return name == "script" || name == "style" ? end_of(name, at) : at;
  }

  std::size_t attribute_end(std::size_t at) const {
    const std::size_t name_end = first_of(" \t\r\n\f/>=", at + 1);
    const std::size_t sign = first_not_of(kMarkupSpaces, name_end);
    if (sign == text_.size() || text_[sign] != '=') return name_end;
    const std::size_t value = first_not_of(kMarkupSpaces, sign + 1);
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

}  // namespace

void limit_attributes(std::string& html) { AttributeLimit(html).apply(); }

}  // namespace idne
