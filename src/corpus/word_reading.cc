#include "corpus/word_reading.h"

#include <unicode/uscript.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "text/text_rules.h"
#include "text/utf8.h"
#include "text/word_kinds.h"

namespace idne {
namespace {

/// A text of so many words says what it is in.
constexpr std::uint32_t kLengthy = 20;

/// Whether a word has a letter that Russian, the one language in Cyrillic letters, lacks.
bool has_other_cyrillic(std::string_view word) {
  constexpr char32_t kLast = 0x44F, kYo = 0x451;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_character(word, at);
    if (c > kLast && c != kYo) return true;
  }
  return false;
}

/// Whether a word is in a script or in letters that none of the known languages is written in.
bool is_unlisted(std::string_view word) {
  constexpr unsigned char kBeyondLatin = 0xCD;
  if (static_cast<unsigned char>(word[0]) < kBeyondLatin) return false;
  std::size_t at = 0;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(static_cast<UChar32>(next_character(word, at)), &status)) {
    case USCRIPT_LATIN:
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_COMMON:
      return false;
    case USCRIPT_CYRILLIC:
      return has_other_cyrillic(word);
    default:
      return true;
  }
}

}  // namespace

void BlockWords::function_words(std::size_t document, std::vector<WordCount>& words) const {
  const std::size_t begin = document == 0 ? 0 : function_ends_[document - 1], end = function_ends_[document];
  words.clear();
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t word = function_words_[n] >> kCountBits, count = function_words_[n] & kMostCounted;
    if (!words.empty() && words.back().word == word) {
      words.back().count += count;
    } else {
      words.push_back({word, count});
    }
  }
}

void BlockWords::add_function_words(std::span<const WordCount> words) {
  for (const WordCount& entry : words) {
    for (std::uint32_t left = entry.count; left > 0;) {
      const std::uint32_t count = std::min<std::uint32_t>(left, kMostCounted);
      function_words_.push_back(static_cast<std::uint16_t>(entry.word << kCountBits | count));
      left -= count;
    }
  }
  function_ends_.push_back(static_cast<std::uint32_t>(function_words_.size()));
}

void BlockWords::add_words(std::span<const std::uint32_t> words) {
  std::vector<WordCount> row;
  row.reserve(words.size());
  for (const std::uint32_t word : words) row.push_back({word, std::exchange(lexicon_->token_times_[word], 0)});
  counts_.add_row(row);
}

WordReading::WordReading(const ReadOptions& options) : options_(options) {
  if (options.rules) {  // these say all; what remains of stop words is in no vocabulary
    options_.stem = options_.drop_numbers = options_.phrases = false;
    return;
  }
  by_language_ = options.stop_words == "auto";
  guesses_ = options.language == "auto" && (by_language_ || options.stem);
  if (options.language != "auto" && options.language != "none") languages_ = parse_languages(options.language);
  // One language that is known before is a list like any other.
  const bool known = !guesses_ && std::popcount(languages_) < 2;
  if (!by_language_ || known) stop_ = StopWords::from(by_language_ ? names_of(languages_) : options.stop_words);
  counts_function_words_ = guesses_ || (!known && (by_language_ || options.stem));
  if (known) by_language_ = false;
}

Lexicon::Kind WordReading::kind_of(std::string_view word) const {
  Lexicon::Kind kind;
  if (counts_function_words_) kind.function_word = FunctionWords::all().find(word).value_or(kNone);
  kind.left_out = stop_.words.find(word).has_value() || (options_.drop_numbers && is_number_or_key(word));
  kind.ideograph = is_one_ideograph(word);
  kind.unlisted = is_unlisted(word);
  return kind;
}

std::uint32_t WordReading::number_of(std::string_view word, Lexicon& lexicon, BlockWords& block) const {
  const std::uint32_t number = lexicon.tokens_.add(word);
  if (number < lexicon.kinds_.size()) return number;
  lexicon.kinds_.push_back(options_.rules ? Lexicon::Kind() : kind_of(word));
  lexicon.token_times_.push_back(0);
  block.new_tokens_.push_back({lexicon.tokens_[number], lexicon.kinds_[number]});
  return number;
}

void WordReading::read_by_rules(std::string_view text, Tokenizer& tokenizer, BlockWords& block) const {
  std::vector<std::uint32_t> words;
  std::string scratch;
  for_each_word(text, tokenizer, *options_.rules, [&](std::string_view word, std::size_t begin, std::size_t end) {
    const std::uint32_t number = number_of(word, *block.lexicon_, block);
    words.push_back(number);
    const std::string_view form = written_form(text, {word, begin, end}, scratch);
    if (!form.empty()) block.forms_.add(number, form);
  });
  block.counts_.add_row(count_words(std::move(words)));
  block.add_function_words({});
}

void WordReading::read(std::string_view text, Tokenizer& tokenizer, LexiconOfThread& lexicon_of_thread,
                       BlockWords& block) const {
  if (!block.lexicon_) {
    const bool full = lexicon_of_thread && lexicon_of_thread->tokens_.size() > Lexicon::kManyTokens;
    if (!lexicon_of_thread || full) lexicon_of_thread = std::make_shared<Lexicon>();
    block.lexicon_ = lexicon_of_thread;
  }
  if (options_.rules) return read_by_rules(text, tokenizer, block);
  Lexicon& lexicon = *block.lexicon_;
  std::vector<std::uint32_t> words, found, run;
  std::string scratch, word_before;
  std::size_t end_before = 0;
  std::uint32_t all = 0, odd = 0;
  if (counts_function_words_) lexicon.times_.resize(FunctionWords::all().size());
  const auto end_run = [&] {
    if (run.size() > 1) {
      block.run_ends_.resize(block.documents(), static_cast<std::uint32_t>(block.run_words_.size()));
      block.run_words_.insert(block.run_words_.end(), run.begin(), run.end());
      block.run_words_.push_back(kBreak);
    }
    run.clear();
  };
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    const std::uint32_t number = number_of(token.word, lexicon, block);
    const Lexicon::Kind kind = lexicon.kinds_[number];
    ++all;
    odd += kind.unlisted;
    if (kind.function_word != kNone && lexicon.times_[kind.function_word]++ == 0) found.push_back(kind.function_word);
    std::uint32_t entry = kBreak;
    if (!kind.left_out) {
      const bool waits = by_language_ && kind.function_word != kNone;
      entry = waits ? kind.function_word | kGrammar : number;
      if (!waits && lexicon.token_times_[number]++ == 0) words.push_back(number);
      const std::string_view form = written_form(text, token, scratch);
      if (!form.empty()) {
        block.forms_.add(number, form);
        if (form.data() != scratch.data() && begins_with_capital(form)) entry |= kCapital;
      }
    }
    if (!options_.phrases && !kind.ideograph) {
      if (!run.empty()) end_run();
      continue;
    }
    if (entry == kBreak || !(run.empty() || follows(text, token, end_before, word_before, options_.phrases))) end_run();
    if (entry == kBreak) continue;
    run.push_back(entry);
    end_before = token.end;
    word_before = token.word;
  }
  end_run();
  block.add_words(words);
  std::ranges::sort(found);
  std::vector<WordCount> function_words;
  for (const std::uint32_t word : found) function_words.push_back({word, std::exchange(lexicon.times_[word], 0)});
  if (guesses_) tell_language(function_words, all, odd, block);
  block.add_function_words(function_words);
}

void WordReading::tell_language(std::span<const WordCount> function_words, std::uint32_t words, std::uint32_t odd,
                                BlockWords& block) {
  const std::uint8_t told = told_of(function_words, words, odd);
  block.languages_.push_back(told);
  if (words >= kLengthy) {
    ++block.lengthy_;
    // Ukrainian has many of Russian's function words.
    constexpr double kOdd = 0.15;
    // Sentences have words that some language knows by chance; lists of keywords have none.
    constexpr std::size_t kByChance = 2;
    const bool sentences = function_words.size() >= kByChance;
    block.foreign_ += odd > kOdd * words || (sentences && !fits_some_language({function_words, words}));
  }
  if (told >= languages().size()) return;
  const auto second = second_language({function_words, words}, told);
  if (!second) return;
  block.second_.resize(languages().size());
  ++block.second_[*second];
}

std::uint8_t WordReading::told_of(std::span<const WordCount> function_words, std::uint32_t words, std::uint32_t odd) {
  if (const auto language = clear_language({function_words, words})) return static_cast<std::uint8_t>(*language);
  if (!function_words.empty() || words < kLengthy) return BlockWords::kUnclear;
  return 2 * odd > words ? BlockWords::kUnlisted : BlockWords::kUnknown;
}

void WordReading::join(BlockWords&& block) {
  // Those that its lexicon had before were in blocks that are joined already.
  for (const auto& [text, kind] : block.new_tokens_) {
    const bool waits = by_language_ && kind.function_word != kNone;
    block.lexicon_->joined_.push_back({waits || kind.left_out ? kNone : tokens_.add(text), kind.function_word});
  }
  const std::vector<Lexicon::Joined> none;
  const std::vector<Lexicon::Joined>& joined = block.lexicon_ ? block.lexicon_->joined_ : none;
  for (std::size_t n = 0; n < block.forms_.size(); ++n) {
    const Lexicon::Joined& token = joined[block.forms_.word(n)];
    const bool waits = token.number == kNone;
    FormCounts& forms = waits ? grammar_forms_ : forms_;
    forms.add(waits ? token.function_word : token.number, block.forms_.form(n), block.forms_.count(n));
  }
  std::vector<WordCount> row;
  for (std::size_t i = 0; i < block.counts_.rows(); ++i) {
    row.clear();
    for (const WordCount& entry : block.counts_.row(i)) row.push_back({joined[entry.word].number, entry.count});
    counts_.add_row(row);
  }
  for (std::uint32_t& entry : block.run_words_) {
    if (entry != kBreak && !(entry & kGrammar)) entry = joined[entry & kNumber].number | (entry & kCapital);
  }
  if (!block.run_words_.empty()) {
    block.run_ends_.resize(block.documents(), static_cast<std::uint32_t>(block.run_words_.size()));
  }
  second_.resize(languages().size());
  for (std::size_t k = 0; k < block.second_.size(); ++k) second_[k] += block.second_[k];
  lengthy_ += block.lengthy_;
  foreign_ += block.foreign_;
  // The rest is not needed any more.
  BlockWords waiting;
  waiting.function_words_ = std::move(block.function_words_);
  waiting.function_words_.shrink_to_fit();
  waiting.function_ends_ = std::move(block.function_ends_);
  waiting.languages_ = std::move(block.languages_);
  waiting.run_words_ = std::move(block.run_words_);
  waiting.run_ends_ = std::move(block.run_ends_);
  blocks_.push_back(std::move(waiting));
}

}  // namespace idne
