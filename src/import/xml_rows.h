#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "idne/run.h"

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

/// What a file of rows is like: <posts><row …/><row …/> … </posts>.
struct XmlRows {
  std::string root, row;
  std::string what;  ///< "the Posts.xml of a Stack Exchange dump"
};

/// Reads a file that is a long list of rows, in UTF-8, as read_xml() does, on several threads: some hundred rows at a
/// time have a handler of their own, from make(); when they are read, join(handler) is called, in the order of the
/// file.
void read_xml_rows(const std::filesystem::path& path, const XmlRows& rows, std::string_view stage, const Run& run,
                   const std::function<std::unique_ptr<XmlRowHandler>()>& make,
                   const std::function<void(XmlRowHandler&)>& join);

/// Gives a text's rows to the handler if it consists of nothing but rows in the form that dumps have, and is well
/// formed: several times as fast as Expat. False, possibly after some rows, if it needs a real parser.
bool read_plain_rows(std::string_view text, std::string_view row, XmlRowHandler& handler);

}  // namespace idne
