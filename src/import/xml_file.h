#pragma once

#include <filesystem>
#include <functional>
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

/// Reads an XML file, plain, .gz, .zst or .bz2, from its beginning to its end, holding a piece at a time. Throws Error
/// with line and column if it is not well formed, is nested deeper than any export is, or has a document type
/// declaration, which such exports do not have and which can be made to cost much.
void read_xml(const std::filesystem::path& path, std::string_view stage, const Run& run, XmlHandler& handler);

/// How read_xml_rows() splits a file: <posts><row …/><row …/> … </posts>.
struct XmlRows {
  std::string root, row;
};

/// The same, as UTF-8, for a file that is a long list of rows, on several threads: some hundred rows at a time have a
/// handler of their own, from make(); when they are read, join(handler) is called, in the order of the file. Expat
/// reads about 100 MB/s on one thread, less than a disk gives.
void read_xml_rows(const std::filesystem::path& path, const XmlRows& rows, std::string_view stage, const Run& run,
                   const std::function<std::unique_ptr<XmlHandler>()>& make,
                   const std::function<void(XmlHandler&)>& join);

/// The value of an attribute, or a null pointer.
const char* attribute(const char** attributes, std::string_view name);

}  // namespace idne
