#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "idne/text.h"

namespace idne {
namespace {

using Strings = std::vector<std::string>;

Strings words_of(std::string_view text) {
  Tokenizer tokenizer;
  Token token;
  Strings words;
  tokenizer.start(text);
  while (tokenizer.next(token)) words.emplace_back(token.word);
  return words;
}

/// The words as they stand in the text.
Strings originals_of(std::string_view text) {
  Tokenizer tokenizer;
  Token token;
  Strings words;
  tokenizer.start(text);
  while (tokenizer.next(token)) words.emplace_back(text.substr(token.begin, token.end - token.begin));
  return words;
}

TEST(Tokenizer, NoTextHasNoWords) {
  EXPECT_EQ(words_of(""), Strings{});
  EXPECT_EQ(words_of(" \t\r\n.,;"), Strings{});
}

TEST(Tokenizer, WordsAreLowerCase) {
  EXPECT_EQ(words_of("Neural NETWORKS"), (Strings{"neural", "networks"}));
  EXPECT_EQ(words_of("ÉCOLE МОСКВА"), (Strings{"ecole", "москва"}));
}

TEST(Tokenizer, FinalSigmaIsWrittenAsGreekWritesIt) {
  EXPECT_EQ(words_of("ΟΔΟΣ"), Strings{"οδος"});
  EXPECT_EQ(words_of("ΣΊΣΥΦΟΣ, ΟΔΟΣ"), (Strings{"σίσυφος", "οδος"}));
}

TEST(Tokenizer, DottedCapitalIIsAnI) { EXPECT_EQ(words_of("İstanbul"), Strings{"istanbul"}); }

TEST(Tokenizer, MarkupIsNotText) {
  EXPECT_EQ(words_of("<b>bold</b> text"), (Strings{"bold", "text"}));
  EXPECT_EQ(words_of("<a href=\"http://site.org\">link</a>"), Strings{"link"});
  EXPECT_EQ(words_of("one<!-- remark -->two"), (Strings{"one", "two"}));
  EXPECT_EQ(words_of("<?xml version?>text"), Strings{"text"});
  EXPECT_EQ(words_of("<p\nclass=x>text"), Strings{"text"});
}

TEST(Tokenizer, TagSeparatesWords) { EXPECT_EQ(words_of("one<br>two"), (Strings{"one", "two"})); }

TEST(Tokenizer, TagAfterNonAsciiLetterIsATag) { EXPECT_EQ(words_of("né<b>fort</b>"), (Strings{"ne", "fort"})); }

TEST(Tokenizer, LessThanSignIsNoTag) {
  EXPECT_EQ(words_of("aa < bb > cc"), (Strings{"aa", "bb", "cc"}));
  EXPECT_EQ(words_of("aa <3 bb>"), (Strings{"aa", "bb"}));
  EXPECT_EQ(words_of("aa <élan> bb"), (Strings{"aa", "elan", "bb"}));
}

TEST(Tokenizer, UnclosedTagIsText) {
  EXPECT_EQ(words_of("xx <yy"), (Strings{"xx", "yy"}));
  EXPECT_EQ(words_of("xx <yy and <b>zz</b>"), (Strings{"xx", "yy", "and", "zz"}));
  EXPECT_EQ(words_of("xx <"), Strings{"xx"});
  EXPECT_EQ(words_of("xx </"), Strings{"xx"});
}

TEST(Tokenizer, PunctuationAndUnderscoreSeparate) {
  EXPECT_EQ(words_of("snake_case,kebab-case/path.txt"), (Strings{"snake", "case", "kebab", "case", "path", "txt"}));
  EXPECT_EQ(words_of("hello—world“quoted”"), (Strings{"hello", "world", "quoted"}));
  EXPECT_EQ(words_of("doesn't doesn’t"), (Strings{"doesn", "doesn"}));
}

TEST(Tokenizer, ControlCharactersSeparate) {
  EXPECT_EQ(words_of(std::string_view("ab\0cd\x01"
                                      "ef\x7Fgh",
                                      11)),
            (Strings{"ab", "cd", "ef", "gh"}));
}

TEST(Tokenizer, BrokenBytesSeparate) {
  EXPECT_EQ(words_of("ab\xFF"
                     "cd"),
            (Strings{"ab", "cd"}));
  EXPECT_EQ(words_of("ab\x80\x80"
                     "cd\xC3"),
            (Strings{"ab", "cd"}));
  EXPECT_EQ(words_of("\xED\xA0\x80"  // a surrogate
                     "ab\xC0\xAF"    // an overlong form
                     "cd\xF0\x9F\x98"),
            (Strings{"ab", "cd"}));
}

TEST(Tokenizer, EmojiSeparate) {
  EXPECT_EQ(words_of("good😀morning ❤️ love"), (Strings{"good", "morning", "love"}));
  EXPECT_EQ(words_of("1️⃣ first"), Strings{"first"});  // a digit, a selector and a key cap
  EXPECT_EQ(words_of("👩‍👩‍👧 family"), Strings{"family"});
}

TEST(Tokenizer, LatinLettersBecomeAscii) {
  EXPECT_EQ(words_of("café naïve Nguyễn Łódź"), (Strings{"cafe", "naive", "nguyen", "lodz"}));
  EXPECT_EQ(words_of("Straße Æsir œuvre ﬁnd"), (Strings{"strasse", "aesir", "oeuvre", "find"}));
  EXPECT_EQ(words_of("ＡＢＣ"), Strings{"abc"});
}

TEST(Tokenizer, ComposedAndDecomposedAreOneWord) {
  EXPECT_EQ(words_of("\u00E9t\u00E9 e\u0301te\u0301"), (Strings{"ete", "ete"}));
  EXPECT_EQ(words_of("\u0439\u043E\u0434 \u0438\u0306\u043E\u0434"), (Strings{"йод", "йод"}));
}

TEST(Tokenizer, TransliterationLeavesNoPunctuationAndNoCapitals) {
  EXPECT_EQ(words_of("Hawaiʻi"), Strings{"hawaii"});
  EXPECT_EQ(words_of("ŉabc"), Strings{"nabc"});
  EXPECT_EQ(words_of("ℝeal"), Strings{"real"});
  EXPECT_EQ(words_of("aː"), Strings{});  // a letter and a length sign: one character is left
}

TEST(Tokenizer, OtherScriptsStay) {
  EXPECT_EQ(words_of("Москва Ελλάδα ёлка"), (Strings{"москва", "ελλάδα", "ёлка"}));
  EXPECT_EQ(words_of("שלום العربية"), (Strings{"שלום", "العربية"}));
  EXPECT_EQ(words_of("한국어 문서"), (Strings{"한국어", "문서"}));
}

TEST(Tokenizer, MarksStayWithTheirLetters) {
  EXPECT_EQ(words_of("हिन्दी भाषा"), (Strings{"हिन्दी", "भाषा"}));
  EXPECT_EQ(words_of("தமிழ் மொழி"), (Strings{"தமிழ்", "மொழி"}));
}

TEST(Tokenizer, MarksWithoutLettersAreNoWord) { EXPECT_EQ(words_of("\u0301\u0302 \u093F\u0902"), Strings{}); }

TEST(Tokenizer, TextWithoutSpacesIsCutIntoWords) {
  EXPECT_EQ(words_of("我爱北京天安门"), (Strings{"我", "爱", "北京", "天安门"}));
  EXPECT_EQ(words_of("ภาษาไทยง่ายมาก"), (Strings{"ภาษา", "ไทย", "ง่าย", "มาก"}));
  const Strings japanese = words_of("私は東京に住んでいます");
  EXPECT_NE(std::find(japanese.begin(), japanese.end(), "東京"), japanese.end());
  EXPECT_GT(japanese.size(), 2u);
  EXPECT_EQ(words_of("iPhoneを買う"), (Strings{"iphone", "買う"}));
}

TEST(Tokenizer, OneCharacterIsNoWordUnlessItIsAnIdeograph) {
  EXPECT_EQ(words_of("a b c 7 é ж ω"), Strings{});
  EXPECT_EQ(words_of("中 a 水"), (Strings{"中", "水"}));
  EXPECT_EQ(words_of("ß"), Strings{"ss"});  // counted after the letters have become ASCII
}

TEST(Tokenizer, DigitsAreKept) {
  EXPECT_EQ(words_of("2007 mp3 3d x86_64"), (Strings{"2007", "mp3", "3d", "x86", "64"}));
  EXPECT_EQ(words_of("१२३"), Strings{"१२३"});
  EXPECT_EQ(words_of("km² ½ab"), (Strings{"km", "ab"}));  // numbers that are no digits
}

TEST(Tokenizer, OffsetsGiveTheOriginalWord) {
  EXPECT_EQ(originals_of("The <b>Caf\u00E9</b>, cafe\u0301—STRASSE Straße!"),
            (Strings{"The", "Caf\u00E9", "cafe\u0301", "STRASSE", "Straße"}));
  EXPECT_EQ(originals_of("我爱北京 iPhoneを買う"), (Strings{"我", "爱", "北京", "iPhone", "買う"}));
  EXPECT_EQ(originals_of("हिन्दी ภาษาไทย"), (Strings{"हिन्दी", "ภาษา", "ไทย"}));
  EXPECT_EQ(originals_of("xé\xFF"
                         "yé"),
            (Strings{"xé", "yé"}));
  EXPECT_EQ(originals_of("𠀀𠀁"), (Strings{"𠀀", "𠀁"}));  // four bytes each, two UTF-16 units
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
  EXPECT_EQ(words_of(std::string(size, 'a')), Strings{std::string(size, 'a')});
  EXPECT_EQ(words_of(std::string(size, '<')), Strings{});
  EXPECT_EQ(words_of(std::string(size, '>')), Strings{});
  std::string opening, accents, marks = "e", repeated;
  for (std::size_t k = 0; k < size / 8; ++k) {
    opening += "<a ";
    accents += "é";
    marks += "\u0301";
    repeated += "word é ";
  }
  EXPECT_EQ(words_of(opening), Strings{});
  EXPECT_EQ(words_of(accents), Strings{accents});  // no word that anyone wrote: not made ASCII
  EXPECT_EQ(words_of(marks), Strings{}) << "one letter is no word, whatever stands above it";
  EXPECT_EQ(words_of(repeated).size(), size / 8);
}

TEST(Tokenizer, HugeTextWithoutSpacesIsCut) {
  std::string text;
  for (int k = 0; k < 20000; ++k) text += "北京";
  const Strings words = words_of(text);
  EXPECT_EQ(words.size(), 20000u);
  EXPECT_EQ(words.back(), "北京");
}

TEST(Tokenizer, OfManyMarksOnALetterSomeCount) {
  // Each of them is ordered by its class: all of them would take time with the square of their number.
  const auto marked = [](std::size_t count) {
    std::string text = "alpha a";
    for (std::size_t n = 0; n < count; ++n) text += "\u0300";
    for (std::size_t n = 0; n < count; ++n) text += "\u0316";
    return text + "b omega";
  };
  for (const std::size_t count : {3u, 30u, 1000u, 200'000u}) {
    const std::string text = marked(count);
    Tokenizer tokenizer;
    tokenizer.start(text);
    std::vector<std::string> words;
    std::size_t end = 0;
    for (Token token; tokenizer.next(token); end = token.end) words.emplace_back(token.word);
    EXPECT_EQ(words, (std::vector<std::string>{"alpha", "ab", "omega"})) << count;
    EXPECT_EQ(end, text.size());
  }
}

TEST(Tokenizer, MarksThatDoNotCountBelongToTheirWord) {
  std::string text = "xa";
  for (int n = 0; n < 100; ++n) text += "\u0300";
  Tokenizer tokenizer;
  tokenizer.start(text);
  Token token;
  ASSERT_TRUE(tokenizer.next(token));
  EXPECT_EQ(token.begin, 0u);
  EXPECT_EQ(token.end, text.size());
}

}  // namespace
}  // namespace idne
