#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace idne {

/// The attributes of a row; last as long as the call that gives them.
class XmlRow {
 public:
  struct Attribute {
    std::string_view name, value;
  };
  /// `raw`: the values are as in the file, with "&amp;" for "&".
  XmlRow(std::span<const Attribute> attributes, bool raw) : attributes_(attributes), raw_(raw) {}

  /// "" if there is no such attribute.
  std::string text(std::string_view name) const;
  /// A whole number, or nothing: also for a text that is none.
  std::optional<std::int64_t> number(std::string_view name) const;

 private:
  std::span<const Attribute> attributes_;
  bool raw_;
};

class XmlRowHandler {
 public:
  virtual ~XmlRowHandler() = default;
  virtual void row(const XmlRow& row) = 0;
};

/// Gives a text's rows to the handler if it consists of nothing but rows in the form that dumps have, and is well
/// formed: several times as fast as Expat. False, possibly after some rows, if it needs a real parser.
bool read_plain_rows(std::string_view text, std::string_view row, XmlRowHandler& handler);

}  // namespace idne
