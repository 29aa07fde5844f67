#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <array>
#include <bit>

#include "idne/error.h"
#include "idne/text.h"
#include "text/strings.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace idne {
namespace {

enum class Kind : unsigned char { Separator, Word, Tag, Unicode };

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  for (int c = 0; c < 256; ++c) {
    const bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    kinds[static_cast<std::size_t>(c)] = c >= 0x80  ? Kind::Unicode
                                         : word     ? Kind::Word
                                         : c == '<' ? Kind::Tag
                                                    : Kind::Separator;
  }
  return kinds;
}();

Kind kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

bool is_letter_or_digit(UChar32 c) { return (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_ND_MASK)) != 0; }
bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

/// What is longer is no word and keeps its letters: transliteration takes time with the square of the length.
constexpr std::int32_t kLongestWord = 1000;
/// Marks of one letter that count; putting more into their order takes time with the square of their number. No script
/// needs as many (Unicode's Stream-Safe Text Format).
constexpr int kMostMarks = 30;

UScriptCode script_of(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status);
}

/// Ideographs and Hangul syllables are words by themselves; letters are not.
bool is_word_alone(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) || script_of(c) == USCRIPT_HANGUL; }

/// Latin-ASCII writes some letters with punctuation (ŉ as 'n), leaves the marks of some (ℝ), and writes capitals that
/// have no small form as capitals (ℝ again).
icu::UnicodeString small_letters(const icu::UnicodeString& word) {
  icu::UnicodeString result;
  bool takes_marks = false;
  for (std::int32_t k = 0; k < word.length(); k = word.moveIndex32(k, 1)) {
    const UChar32 c = word.char32At(k);
    if (is_mark(c) ? takes_marks : is_letter_or_digit(c)) result.append(u_tolower(c));
    if (!is_mark(c)) takes_marks = c >= 0x80 && is_letter_or_digit(c);
  }
  return result;
}

/// So many bytes are looked at together: longer words are rare.
constexpr std::size_t kAtOnce = 16;

/// How many of the bytes are ASCII letters and digits before the first that is not, and whether one is a capital.
struct ShortRun {
  std::size_t letters = 0;
  bool capitals = false;
};

/// Looks at kAtOnce bytes, and writes as many with small letters. Where the processor cannot do so at once, nothing is
/// found: words are then read byte by byte, which takes twice as long.
ShortRun short_run([[maybe_unused]] const char* text, [[maybe_unused]] char* small_letters) {
#if defined(__SSE2__)
  const auto among = [](__m128i bytes, char first, char last) {  // SSE2 compares unsigned bytes as a minimum
    const __m128i from_first = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(from_first, _mm_set1_epi8(static_cast<char>(last - first))), from_first);
  };
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i capital = among(bytes, 'A', 'Z');
  const __m128i small = _mm_or_si128(bytes, _mm_and_si128(capital, _mm_set1_epi8(0x20)));
  const __m128i word = _mm_or_si128(among(small, 'a', 'z'), among(small, '0', '9'));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(small_letters), small);
  const auto letters = static_cast<unsigned>(std::countr_one(static_cast<unsigned>(_mm_movemask_epi8(word))));
  const auto capitals = static_cast<unsigned>(_mm_movemask_epi8(capital)) & ((1u << letters) - 1);
  return {letters, capitals != 0};
#else
  return {};
#endif
}

/// Past the end of the tag that begins at `at`, or `at` if no tag does: "a < b" is no tag, and a tag holds no '<'.
std::size_t skip_tag(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return at;
  const char first = text[at + 1];
  if (!(u_isalpha(static_cast<unsigned char>(first)) && kind_of(first) == Kind::Word) && first != '/' && first != '!' &&
      first != '?') {
    return at;
  }
  const std::size_t end = text.find_first_of("<>", at + 1);
  return end != std::string_view::npos && text[end] == '>' ? end + 1 : at;
}

}  // namespace

struct Tokenizer::Unicode {
  std::unique_ptr<icu::Transliterator> latin_to_ascii;
  std::unique_ptr<icu::BreakIterator> words;
  const icu::Normalizer2* compose = nullptr;

  struct Segment {
    std::string word;
    std::size_t begin, end;
  };
  std::vector<Segment> segments;  ///< what is left of the last run of non-ASCII text
  std::size_t next_segment = 0;

  Unicode() {
    UErrorCode status = U_ZERO_ERROR;
    latin_to_ascii.reset(icu::Transliterator::createInstance("Latin-ASCII", UTRANS_FORWARD, status));
    words.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    compose = icu::Normalizer2::getNFCInstance(status);
    if (U_FAILURE(status)) throw Error(std::string("ICU cannot start: ") + u_errorName(status));
  }

  void add(icu::UnicodeString word, std::size_t begin, std::size_t end) {
    bool latin = false, letters = false;
    for (std::int32_t k = 0; k < word.length(); k = word.moveIndex32(k, 1)) {
      const UChar32 c = word.char32At(k);
      latin = latin || (c >= 0x80 && script_of(c) == USCRIPT_LATIN);
      latin = latin || (c < 0x80 && u_isalpha(c));  // its marks may stand apart
      letters = letters || is_letter_or_digit(c);
    }
    if (!letters) return;
    word.toLower(icu::Locale::getRoot());
    if (latin && word.length() <= kLongestWord) {
      latin_to_ascii->transliterate(word);
      word = small_letters(word);
    }
    UErrorCode status = U_ZERO_ERROR;
    word = compose->normalize(word, status);
    if (U_FAILURE(status) || word.isEmpty()) return;
    if (word.countChar32() == 1 && !is_word_alone(word.char32At(0))) return;
    Segment segment{{}, begin, end};
    word.toUTF8String(segment.word);
    segments.push_back(std::move(segment));
  }
};

Tokenizer::Tokenizer() = default;
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::start(std::string_view text) {
  text_ = text;
  at_ = 0;
  if (unicode_) unicode_->segments.clear(), unicode_->next_segment = 0;
}

bool Tokenizer::next_segment(Token& token) {
  if (!unicode_ || unicode_->next_segment == unicode_->segments.size()) return false;
  const Unicode::Segment& segment = unicode_->segments[unicode_->next_segment++];
  token = {segment.word, segment.begin, segment.end};
  return true;
}

bool Tokenizer::next(Token& token) {
  if (next_segment(token)) return true;
  const std::size_t size = text_.size();
  while (at_ < size) {
    const Kind kind = kind_of(text_[at_]);
    if (kind == Kind::Separator) {
      ++at_;
    } else if (kind == Kind::Tag) {
      const std::size_t end = skip_tag(text_, at_);
      at_ = end == at_ ? at_ + 1 : end;
    } else if (take_word(token)) {
      return true;
    }
  }
  return false;
}

/// Passes over a run of letters; false if it is no word.
bool Tokenizer::take_word(Token& token) {
  const std::size_t begin = at_, size = text_.size();
  const ShortRun run = size - begin >= kAtOnce ? short_run(text_.data() + begin, short_word_.data()) : ShortRun{};
  if (run.letters < kAtOnce && run.letters > 1 && kind_of(text_[begin + run.letters]) != Kind::Unicode) {
    at_ += run.letters;
    token = {{short_word_.data(), run.letters}, begin, at_, !run.capitals};
    return true;
  }
  while (at_ < size && kind_of(text_[at_]) == Kind::Word) ++at_;
  if (at_ < size && kind_of(text_[at_]) == Kind::Unicode) {
    cut_run(begin, at_);
    return next_segment(token);
  }
  if (at_ - begin < 2) return false;
  word_.assign(text_, begin, at_ - begin);
  bool as_written = true;
  for (char& c : word_) {
    as_written = as_written && !(c >= 'A' && c <= 'Z');
    c = lower_ascii(c);
  }
  token = {word_, begin, at_, as_written};
  return true;
}

/// A run of letters that is not all ASCII: begins at `begin`, known to be ASCII letters up to `end`.
void Tokenizer::cut_run(std::size_t begin, std::size_t end) {
  if (!unicode_) unicode_ = std::make_unique<Unicode>();
  unicode_->segments.clear();
  unicode_->next_segment = 0;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text_.data());
  const auto size = static_cast<std::int64_t>(text_.size());
  auto at = static_cast<std::int64_t>(end);
  icu::UnicodeString run(
      icu::UnicodeString::fromUTF8(icu::StringPiece(text_.data() + begin, static_cast<std::int32_t>(end - begin))));
  std::vector<std::size_t> byte_of;  // where each UTF-16 unit of the run begins
  for (std::size_t k = begin; k < end; ++k) byte_of.push_back(k);
  bool needs_dictionary = false;
  int marks = 0;  // since the last letter
  std::int64_t part_end = at;
  while (at < size) {
    const std::int64_t before = at;
    UChar32 c;
    U8_NEXT(bytes, at, size, c);
    // A digit has no marks: "1️⃣" is a digit and an emoji's selectors.
    const bool after_letter = !run.isEmpty() && !u_isdigit(run.char32At(run.length() - 1));
    const bool part = c >= 0 && (is_letter_or_digit(c) || (is_mark(c) && after_letter));
    if (!part) {
      // An ASCII separator or tag is left for next(); others are passed over here.
      if (c >= 0 && c < 0x80) at = before;
      break;
    }
    part_end = at;
    marks = is_mark(c) ? marks + 1 : 0;
    if (marks > kMostMarks) continue;
    needs_dictionary = needs_dictionary || uscript_breaksBetweenLetters(script_of(c));
    run.append(c);
    byte_of.resize(static_cast<std::size_t>(run.length()), static_cast<std::size_t>(before));
  }
  const std::size_t stop = static_cast<std::size_t>(at);
  at_ = stop;
  if (run.isEmpty()) return;
  const auto run_end = static_cast<std::size_t>(part_end);
  if (!needs_dictionary) {
    unicode_->add(run, begin, run_end);
    return;
  }
  icu::BreakIterator& words = *unicode_->words;
  words.setText(run);
  for (std::int32_t from = words.first(), to = words.next(); to != icu::BreakIterator::DONE;
       from = to, to = words.next()) {
    unicode_->add(icu::UnicodeString(run, from, to - from), byte_of[static_cast<std::size_t>(from)],
                  to == run.length() ? run_end : byte_of[static_cast<std::size_t>(to)]);
  }
}

}  // namespace idne
