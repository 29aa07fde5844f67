#pragma once

#include <string_view>

/// What a word is by its characters alone.
namespace idne {

/// Whether a word, as Tokenizer gives it, is a number and nothing else: decimal digits of any script, "1998" or "٤٢".
bool is_number(std::string_view word);

/// Whether it is a number, or a key that nobody reads as a word: hexadecimal digits, at least eight of them, both
/// letters and numerals among them ("9f86d081"), with or without 0x. "mp3", "h264" and "1990s" are words.
bool is_number_or_key(std::string_view word);

/// Whether it is one ideograph of Han.
bool is_one_ideograph(std::string_view word);

}  // namespace idne
