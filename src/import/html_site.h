#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "idne/import.h"

namespace idne {

struct HtmlPage {
  std::string title;
  std::string text;                   ///< what a reader sees, a line for each paragraph
  std::vector<std::string> links;     ///< as they are written
  std::vector<std::string> keywords;  ///< of <meta name="keywords">
  bool cut = false;                   ///< nested too deeply to be read to its end
};

/// Reads a page, or a piece of one, however broken. Where there is a <main>, or else an <article>, only text and links
/// in there count, without <nav> and <footer>. REQUIRES: UTF-8.
HtmlPage read_html(std::string_view html);

/// The UTF-8 of a page in the encoding that its first bytes, or else its <meta>, or else its <?xml, tell. A page that
/// tells none and is no UTF-8 is taken for Windows-1252, as browsers do. `replaced` is set if some of it had to be
/// given up.
std::string html_to_utf8(std::string_view bytes, bool& replaced);

/// A static site: each .html, .htm and .xhtml file below the folder is a document, its path is its id.
void import_html(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run);

}  // namespace idne
