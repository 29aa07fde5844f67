#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
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

/// A place in a file; both numbers begin with 1.
struct XmlPlace {
  std::uint64_t line = 1, column = 1;
};

/// Expat, given a file piece by piece. Throws Error with line and column if the file is not well formed, is nested
/// deeper than any export is, has a tag or comment that is longer than any, which would have to be held, or has a
/// document type declaration, which such exports do not have and which can be made to cost much. What the handler
/// throws comes out of parse().
class XmlParser {
 public:
  /// `start` is where in the file the text begins; `encoding` may be a null pointer: as the file says.
  XmlParser(std::string file, XmlHandler& handler, const char* encoding, XmlPlace start = {});
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  /// Parses a line of our own that is not in the file.
  void parse_before(const std::string& line);
  void parse(std::string_view piece, bool last);

 private:
  struct Expat;
  std::unique_ptr<Expat> expat_;
};

/// Reads an XML file from its beginning to its end, holding a piece at a time.
void read_xml(const std::filesystem::path& path, std::string_view stage, const Run& run, XmlHandler& handler);

/// The value of an attribute, or a null pointer.
const char* attribute(const char** attributes, std::string_view name);

}  // namespace idne
