#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "idne/text.h"

namespace idne {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Tokenizer tokenizer;
  Token token;
  Words words;
  tokenizer.start(text);
  while (tokenizer.next(token)) words.emplace_back(token.word);
  return words;
}

/// The words as they stand in the text.
Words originals_of(std::string_view text) {
  Tokenizer tokenizer;
  Token token;
  Words words;
  tokenizer.start(text);
  while (tokenizer.next(token)) words.emplace_back(text.substr(token.begin, token.end - token.begin));
  return words;
}

TEST(Tokenizer, NoTextHasNoWords) {
  EXPECT_EQ(words_of(""), Words{});
  EXPECT_EQ(words_of(" \t\r\n.,;"), Words{});
}

TEST(Tokenizer, WordsAreLowerCase) {
  EXPECT_EQ(words_of("Neural NETWORKS"), (Words{"neural", "networks"}));
  EXPECT_EQ(words_of("ÉCOLE МОСКВА"), (Words{"ecole", "москва"}));
}

TEST(Tokenizer, FinalSigmaIsWrittenAsGreekWritesIt) {
  EXPECT_EQ(words_of("ΟΔΟΣ"), Words{"οδος"});
  EXPECT_EQ(words_of("ΣΊΣΥΦΟΣ, ΟΔΟΣ"), (Words{"σίσυφος", "οδος"}));
}

TEST(Tokenizer, DottedCapitalIIsAnI) { EXPECT_EQ(words_of("İstanbul"), Words{"istanbul"}); }

TEST(Tokenizer, MarkupIsNotText) {
  EXPECT_EQ(words_of("<b>bold</b> text"), (Words{"bold", "text"}));
  EXPECT_EQ(words_of("<a href=\"http://site.org\">link</a>"), Words{"link"});
  EXPECT_EQ(words_of("one<!-- remark -->two"), (Words{"one", "two"}));
  EXPECT_EQ(words_of("<?xml version?>text"), Words{"text"});
  EXPECT_EQ(words_of("<p\nclass=x>text"), Words{"text"});
}

TEST(Tokenizer, TagSeparatesWords) { EXPECT_EQ(words_of("one<br>two"), (Words{"one", "two"})); }

TEST(Tokenizer, TagAfterNonAsciiLetterIsATag) { EXPECT_EQ(words_of("né<b>fort</b>"), (Words{"ne", "fort"})); }

TEST(Tokenizer, LessThanSignIsNoTag) {
  EXPECT_EQ(words_of("aa < bb > cc"), (Words{"aa", "bb", "cc"}));
  EXPECT_EQ(words_of("aa <3 bb>"), (Words{"aa", "bb"}));
  EXPECT_EQ(words_of("aa <élan> bb"), (Words{"aa", "elan", "bb"}));
}

TEST(Tokenizer, UnclosedTagIsText) {
  EXPECT_EQ(words_of("xx <yy"), (Words{"xx", "yy"}));
  EXPECT_EQ(words_of("xx <yy and <b>zz</b>"), (Words{"xx", "yy", "and", "zz"}));
  EXPECT_EQ(words_of("xx <"), Words{"xx"});
  EXPECT_EQ(words_of("xx </"), Words{"xx"});
}

TEST(Tokenizer, PunctuationAndUnderscoreSeparate) {
  EXPECT_EQ(words_of("snake_case,kebab-case/path.txt"), (Words{"snake", "case", "kebab", "case", "path", "txt"}));
  EXPECT_EQ(words_of("hello—world“quoted”"), (Words{"hello", "world", "quoted"}));
  EXPECT_EQ(words_of("doesn't doesn’t"), (Words{"doesn", "doesn"}));
}

TEST(Tokenizer, ControlCharactersSeparate) {
  EXPECT_EQ(words_of(std::string_view("ab\0cd\x01"
                                      "ef\x7Fgh",
                                      11)),
            (Words{"ab", "cd", "ef", "gh"}));
}

TEST(Tokenizer, BrokenBytesSeparate) {
  EXPECT_EQ(words_of("ab\xFF"
                     "cd"),
            (Words{"ab", "cd"}));
  EXPECT_EQ(words_of("ab\x80\x80"
                     "cd\xC3"),
            (Words{"ab", "cd"}));
  EXPECT_EQ(words_of("\xED\xA0\x80"  // a surrogate
                     "ab\xC0\xAF"    // an overlong form
                     "cd\xF0\x9F\x98"),
            (Words{"ab", "cd"}));
}

TEST(Tokenizer, EmojiSeparate) {
  EXPECT_EQ(words_of("good😀morning ❤️ love"), (Words{"good", "morning", "love"}));
  EXPECT_EQ(words_of("1️⃣ first"), Words{"first"});  // a digit, a selector and a key cap
  EXPECT_EQ(words_of("👩‍👩‍👧 family"), Words{"family"});
}

TEST(Tokenizer, LatinLettersBecomeAscii) {
  EXPECT_EQ(words_of("café naïve Nguyễn Łódź"), (Words{"cafe", "naive", "nguyen", "lodz"}));
  EXPECT_EQ(words_of("Straße Æsir œuvre ﬁnd"), (Words{"strasse", "aesir", "oeuvre", "find"}));
  EXPECT_EQ(words_of("ＡＢＣ"), Words{"abc"});
}

TEST(Tokenizer, ComposedAndDecomposedAreOneWord) {
  EXPECT_EQ(words_of("\u00E9t\u00E9 e\u0301te\u0301"), (Words{"ete", "ete"}));
  EXPECT_EQ(words_of("\u0439\u043E\u0434 \u0438\u0306\u043E\u0434"), (Words{"йод", "йод"}));
}

TEST(Tokenizer, TransliterationLeavesNoPunctuationAndNoCapitals) {
  EXPECT_EQ(words_of("Hawaiʻi"), Words{"hawaii"});
  EXPECT_EQ(words_of("ŉabc"), Words{"nabc"});
  EXPECT_EQ(words_of("ℝeal"), Words{"real"});
  EXPECT_EQ(words_of("aː"), Words{});  // a letter and a length sign: one character is left
}

TEST(Tokenizer, OtherScriptsStay) {
  EXPECT_EQ(words_of("Москва Ελλάδα ёлка"), (Words{"москва", "ελλάδα", "ёлка"}));
  EXPECT_EQ(words_of("שלום العربية"), (Words{"שלום", "العربية"}));
  EXPECT_EQ(words_of("한국어 문서"), (Words{"한국어", "문서"}));
}

TEST(Tokenizer, MarksStayWithTheirLetters) {
  EXPECT_EQ(words_of("हिन्दी भाषा"), (Words{"हिन्दी", "भाषा"}));
  EXPECT_EQ(words_of("தமிழ் மொழி"), (Words{"தமிழ்", "மொழி"}));
}

TEST(Tokenizer, MarksWithoutLettersAreNoWord) { EXPECT_EQ(words_of("\u0301\u0302 \u093F\u0902"), Words{}); }

TEST(Tokenizer, TextWithoutSpacesIsCutIntoWords) {
  EXPECT_EQ(words_of("我爱北京天安门"), (Words{"我", "爱", "北京", "天安门"}));
  EXPECT_EQ(words_of("ภาษาไทยง่ายมาก"), (Words{"ภาษา", "ไทย", "ง่าย", "มาก"}));
  const Words japanese = words_of("私は東京に住んでいます");
  EXPECT_NE(std::find(japanese.begin(), japanese.end(), "東京"), japanese.end());
  EXPECT_GT(japanese.size(), 2u);
  EXPECT_EQ(words_of("iPhoneを買う"), (Words{"iphone", "買う"}));
}

TEST(Tokenizer, OneCharacterIsNoWordUnlessItIsAnIdeograph) {
  EXPECT_EQ(words_of("a b c 7 é ж ω"), Words{});
  EXPECT_EQ(words_of("中 a 水"), (Words{"中", "水"}));
  EXPECT_EQ(words_of("ß"), Words{"ss"});  // counted after the letters have become ASCII
}

TEST(Tokenizer, DigitsAreKept) {
  EXPECT_EQ(words_of("2007 mp3 3d x86_64"), (Words{"2007", "mp3", "3d", "x86", "64"}));
  EXPECT_EQ(words_of("१२३"), Words{"१२३"});
  EXPECT_EQ(words_of("km² ½ab"), (Words{"km", "ab"}));  // numbers that are no digits
}

TEST(Tokenizer, OffsetsGiveTheOriginalWord) {
  EXPECT_EQ(originals_of("The <b>Caf\u00E9</b>, cafe\u0301—STRASSE Straße!"),
            (Words{"The", "Caf\u00E9", "cafe\u0301", "STRASSE", "Straße"}));
  EXPECT_EQ(originals_of("我爱北京 iPhoneを買う"), (Words{"我", "爱", "北京", "iPhone", "買う"}));
  EXPECT_EQ(originals_of("हिन्दी ภาษาไทย"), (Words{"हिन्दी", "ภาษา", "ไทย"}));
  EXPECT_EQ(originals_of("xé\xFF"
                         "yé"),
            (Words{"xé", "yé"}));
  EXPECT_EQ(originals_of("𠀀𠀁"), (Words{"𠀀", "𠀁"}));  // four bytes each, two UTF-16 units
}

TEST(Tokenizer, StartForgetsTheLastText) {
  Tokenizer tokenizer;
  Token token;
  tokenizer.start("我爱北京");
  ASSERT_TRUE(tokenizer.next(token));
  tokenizer.start("new text");
  ASSERT_TRUE(tokenizer.next(token));
  EXPECT_EQ(token.word, "new");
  EXPECT_EQ(token.begin, 0u);
  ASSERT_TRUE(tokenizer.next(token));
  EXPECT_EQ(token.word, "text");
  EXPECT_FALSE(tokenizer.next(token));
  EXPECT_FALSE(tokenizer.next(token));
}

TEST(Tokenizer, MovedTokenizerGoesOn) {
  Tokenizer first;
  Token token;
  first.start("北京 word");
  ASSERT_TRUE(first.next(token));
  Tokenizer second = std::move(first);
  ASSERT_TRUE(second.next(token));
  EXPECT_EQ(token.word, "word");
}

/// Bytes as they may come: anything, or pieces that meet each other in odd ways.
std::string random_text(std::mt19937& random, bool pieces) {
  static const std::vector<std::string> kPieces{
      "a",  "Bc", " ", "<", ">",  "<b>", "</",   "é", "e\u0301", "\u0301", "ß",        "中", "京",     "ไทย",
      "हि", "Ж",  "Σ", "ʻ", "ℝ",  "😀",   "\xFF", "_", "9",       "１",     "\xE4\xB8", "İ",  "\u200D", "𠀀",
      "ŉ",  "の", "ː", "ﬁ", "\n", "한",  "ª",    "१", "\uFE0F",  "&amp;",  "!",        "ǅ"};
  std::string text;
  const std::size_t length = random() % 60;
  for (std::size_t k = 0; k < length; ++k) {
    if (pieces) {
      text += kPieces[random() % kPieces.size()];
    } else {
      text.push_back(static_cast<char>(random()));
    }
  }
  text.push_back('\0');
  return text;
}

TEST(Tokenizer, TokensOfAnyBytesAreInOrderAndWithinTheText) {
  std::mt19937 random(1);
  Tokenizer tokenizer;
  Token token;
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random, round % 2);
    tokenizer.start(text);
    std::size_t last = 0;
    while (tokenizer.next(token)) {
      ASSERT_LE(last, token.begin) << testing::PrintToString(text);
      ASSERT_LT(token.begin, token.end) << testing::PrintToString(text);
      ASSERT_LE(token.end, text.size()) << testing::PrintToString(text);
      ASSERT_FALSE(token.word.empty()) << testing::PrintToString(text);
      last = token.end;
    }
  }
}

TEST(Tokenizer, WordsOfAnyBytesAreWordsAgain) {
  std::mt19937 random(2);
  Tokenizer tokenizer, again;
  Token token, repeat;
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random, true);
    tokenizer.start(text);
    while (tokenizer.next(token)) {
      const std::string word(token.word);
      again.start(word);
      ASSERT_TRUE(again.next(repeat)) << word << " of " << testing::PrintToString(text);
      // Text without spaces may be cut elsewhere when its neighbours are gone, but a word never holds a separator.
      ASSERT_EQ(repeat.begin, 0u) << word;
      if (repeat.end == word.size()) {
        ASSERT_EQ(repeat.word, word) << testing::PrintToString(text);
      }
    }
  }
}

TEST(Tokenizer, HugeTextsAreRead) {
  const std::size_t size = 2'000'000;
  EXPECT_EQ(words_of(std::string(size, 'a')), Words{std::string(size, 'a')});
  EXPECT_EQ(words_of(std::string(size, '<')), Words{});
  EXPECT_EQ(words_of(std::string(size, '>')), Words{});
  std::string opening, accents, marks = "e", repeated;
  for (std::size_t k = 0; k < size / 8; ++k) {
    opening += "<a ";
    accents += "é";
    marks += "\u0301";
    repeated += "word é ";
  }
  EXPECT_EQ(words_of(opening), Words{});
  EXPECT_EQ(words_of(accents), Words{accents});  // no word that anyone wrote: not made ASCII
  EXPECT_EQ(words_of(marks).size(), 1u);
  EXPECT_EQ(words_of(repeated).size(), size / 8);
}

TEST(Tokenizer, HugeTextWithoutSpacesIsCut) {
  std::string text;
  for (int k = 0; k < 20000; ++k) text += "北京";
  const Words words = words_of(text);
  EXPECT_EQ(words.size(), 20000u);
  EXPECT_EQ(words.back(), "北京");
}

}  // namespace
}  // namespace idne
