#pragma once

#include <string>

namespace idne {

/// Stands for a "$" that begins or ends no formula, where md4c would pair it with the next one. No byte of UTF-8.
constexpr char kPlainDollar = '\xFF';

/// A note with kPlainDollar for each single "$" that is none of a formula's, by pandoc's and Obsidian's rule: the first
/// of a pair has no white space behind it, and no letter or digit before it; the second, which is the next "$", has no
/// white space before it and no digit behind it. "100$", "US$30 and $HOME" stay words then.
/// REQUIRES: UTF-8.
std::string mark_formulas(std::string note);
/// With "$" again.
void unmark_formulas(std::string& text);

}  // namespace idne
