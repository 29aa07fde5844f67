#pragma once

#include <string>
#include <string_view>

namespace idne {

/// The UTF-8 of a page in the encoding that its first bytes, or else its <meta>, or else its <?xml, tell. A page that
/// tells none that is known, and is no UTF-8, is taken for Windows-1252, as browsers do. `replaced` is set if some of
/// it had to be given up.
std::string html_to_utf8(std::string_view bytes, bool& replaced);

/// The UTF-8 of a text that tells its encoding by its first bytes, or not at all: lines that are no UTF-8 are taken for
/// Windows-1252 then. `guessed` is set if there are some.
std::string text_to_utf8(std::string_view bytes, bool& guessed);

/// Text of Western Europe as it was written before UTF-8, which Latin-1 is part of.
std::string from_windows_1252(std::string_view bytes);

}  // namespace idne
