#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "idne/run.h"
#include "import/pieces.h"
#include "import/xml_row.h"

namespace idne {

/// What a file of rows is like: <posts><row …/><row …/> … </posts>.
struct XmlRows {
  std::string root, row;
  std::string what;  ///< "the Posts.xml of a Stack Exchange dump"
};

/// Reads a file that is a long list of rows, in UTF-8, as XmlParser does, on several threads: some hundred rows at a
/// time have a handler of their own, from make(); when they are read, join(handler) is called, in the order of the
/// file. Where no rows come for long the rest is read by one thread, so that memory is bounded for any file.
void read_xml_rows(Pieces& pieces, const XmlRows& rows, std::string_view stage, const Run& run,
                   const std::function<std::unique_ptr<XmlRowHandler>()>& make,
                   const std::function<void(XmlRowHandler&)>& join);

}  // namespace idne
