#pragma once

#include <string>
#include <string_view>

/// Small things that every room does with text.
namespace idne {

/// Without white space (ASCII) at both ends.
std::string_view trimmed(std::string_view text);

constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
/// A … Z as a … z; other bytes stay.
constexpr char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower_ascii(std::string_view text);
/// Whether two texts differ at most in A … Z against a … z.
bool equal_but_for_case(std::string_view a, std::string_view b);

/// In small letters, whatever the script.
std::string in_small_letters(std::string_view text);

bool is_utf8(std::string_view text);
/// The same text with U+FFFD where it is no UTF-8.
std::string valid_utf8(std::string_view text);

/// A JSON string, in quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);

/// A cell of a table whose cells are separated by tabs: the backslash and whatever a reader may take for the end of a
/// line are written as \t, \n, \r, \\, \xHH (control characters, U+0080 … U+009F too) and \uHHHH (U+2028, U+2029), so
/// that different texts stay different. Bytes that are no UTF-8 become U+FFFD.
std::string tsv_cell(std::string_view text);

/// How many columns of a terminal a UTF-8 text takes: two for a wide character (Chinese, emoji), none for a mark
/// or what is never seen, such as U+200B.
std::size_t columns_of(std::string_view text);
/// The number of bytes at the front of a text that take at most so many columns; no character is cut.
std::size_t bytes_within(std::string_view text, std::size_t columns);
/// The text cut to so many columns, with "…" if it was longer.
std::string cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace idne
