#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <filesystem>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

#include "idne/error.h"

namespace idne {

/// One line of a documents file (docs/corpus-format.md), with checks that say what is wrong.
class DocumentLine {
 public:
  DocumentLine(simdjson::dom::parser& parser, std::string_view line, const std::string& file, std::uint64_t number);

  [[noreturn]] void fail(const std::string& what) const { throw Error(file_, number_, what); }
  /// The field `name`; "" if it is not there, or null, and not required. The views last as long as this line. An "id"
  /// may be a whole number, as tables have them (7 and 7.0), and so may what is in a list.
  std::string_view string(std::string_view name, bool required) const;
  /// The field "date" as date_number() has it, 0 if it is not there; nothing if it tells no date. A year may be a
  /// number.
  std::optional<std::int64_t> date() const;
  /// Calls visit(text) for each string of the list `name`, if it is there.
  template <class Visit>
  void strings(std::string_view name, Visit visit) const {
    simdjson::dom::element value;
    if (object_[name].get(value) || value.is_null()) return;
    simdjson::dom::array array;
    if (value.get(array)) fail(fmt::format("\"{}\" must be a list of strings", name));
    for (const simdjson::dom::element element : array) {
      std::string_view text;
      if (element.get(text) && !whole_number(element, text)) {
        fail(fmt::format("\"{}\" must be a list of strings", name));
      }
      visit(text);
    }
  }

 private:
  /// Whether it is one; `text` then has its digits.
  bool whole_number(const simdjson::dom::element& value, std::string_view& text) const;

  const std::string& file_;
  std::uint64_t number_;
  simdjson::dom::object object_;
  mutable std::forward_list<std::string> written_;  ///< numbers as texts
};

/// The documents of a corpus: its file, or the one in its folder. Throws Error if there is none.
std::filesystem::path documents_file(const std::filesystem::path& corpus);

/// What a person sees of a document: its title on one line, or the opening of its text, cut between words.
std::string shown_title(std::string_view title, std::string_view text);

}  // namespace idne
