#pragma once

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
  std::string date;                   ///< of a <meta> that tells when it came out, or else of the first <time>
  bool cut = false;                   ///< nested too deeply to be read to its end
};

/// Reads a page, or a piece of one, however broken. Where there is a <main>, or else an <article>, only text and links
/// in there count. <nav>, <footer> and what has a class that says the same are no text, nor is, if wanted, code in
/// <pre>; but a page that has hardly anything else is read whole. REQUIRES: UTF-8.
HtmlPage read_html(std::string_view html, CodeText code = CodeText::Keep);

}  // namespace idne
