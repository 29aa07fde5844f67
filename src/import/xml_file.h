#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "idne/run.h"

namespace idne {

/// Is told what an XML file holds, in its order. What it is given lasts as long as the call.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  /// `attributes` are name, value, name, value …, then a null pointer.
  virtual void start(std::string_view name, const char** attributes) = 0;
  virtual void end(std::string_view /*name*/) {}
  /// A piece of text: an element's text may come in several.
  virtual void text(std::string_view /*piece*/) {}
};

/// Reads an XML file, plain, .gz, .zst or .bz2, from its beginning to its end, holding a piece at a time. Throws Error
/// with line and column if it is not well formed, is nested deeper than any export is, or has a document type
/// declaration, which such exports do not have and which can be made to cost much.
void read_xml(const std::filesystem::path& path, std::string_view stage, const Run& run, XmlHandler& handler);

/// A place in a file; both numbers begin with 1.
struct XmlPlace {
  std::uint64_t line = 1, column = 1;
};

/// A part of a file of UTF-8, to be read as a document of its own behind a line that is not in the file, if any.
struct XmlExcerpt {
  std::string file;
  XmlPlace start;
  std::string before;
  std::string_view text;
};

/// As read_xml(), with places as they are in the file.
void parse_xml_excerpt(const XmlExcerpt& excerpt, XmlHandler& handler);

/// The value of an attribute, or a null pointer.
const char* attribute(const char** attributes, std::string_view name);

}  // namespace idne
