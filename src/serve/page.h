#pragma once

#include <span>
#include <string_view>

namespace idne {

/// A file of the explorer page (web/dist), which is part of the program.
struct PageFile {
  std::string_view path;  ///< "index.html", "assets/app.js"
  std::string_view bytes;
};
std::span<const PageFile> page_files();

}  // namespace idne
