#include "corpus/word_reading.h"

#include <unicode/uscript.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "text/stems.h"
#include "text/utf8.h"
#include "text/word_kinds.h"

namespace idne {
namespace {

// An entry of a document's runs: a number of a token, or with kGrammar of FunctionWords.
constexpr std::uint32_t kBreak = ~0u, kCapital = 1u << 30, kGrammar = 1u << 29, kNumber = kGrammar - 1;

/// Whether a word is in a script that none of the known languages is written in.
bool is_unlisted(std::string_view word) {
  constexpr unsigned char kBeyondLatin = 0xCD;
  if (static_cast<unsigned char>(word[0]) < kBeyondLatin) return false;
  std::size_t at = 0;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(static_cast<UChar32>(next_character(word, at)), &status)) {
    case USCRIPT_LATIN:
    case USCRIPT_CYRILLIC:
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_COMMON:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<WordCount> BlockWords::function_words(std::size_t document) const {
  const std::size_t begin = document == 0 ? 0 : function_ends_[document - 1], end = function_ends_[document];
  std::vector<WordCount> words;
  for (std::size_t n = begin; n < end; ++n) {
    const SmallCount& entry = function_words_[n];
    if (!words.empty() && words.back().word == entry.word) {
      words.back().count += entry.count;
    } else {
      words.push_back({entry.word, entry.count});
    }
  }
  return words;
}

WordReading::WordReading(const ReadOptions& options) : options_(options) {
  by_language_ = options.stop_words == "auto";
  guesses_ = options.language == "auto" && (by_language_ || options.stem);
  if (options.language != "auto" && options.language != "none") languages_ = parse_languages(options.language);
  // One language that is known before is a list like any other.
  const bool known = !guesses_ && std::popcount(languages_) < 2;
  if (!by_language_ || known) stop_ = StopWords::from(by_language_ ? names_of(languages_) : options.stop_words);
  counts_function_words_ = guesses_ || (!known && (by_language_ || options.stem));
  if (known) by_language_ = false;
}

void WordReading::read(std::string_view text, Tokenizer& tokenizer, BlockWords& block) const {
  std::vector<std::uint32_t> words, function_words, run;
  std::string scratch, word_before;
  std::size_t end_before = 0;
  std::uint32_t all = 0, odd = 0;
  const FunctionWords* grammar = counts_function_words_ ? &FunctionWords::all() : nullptr;
  const auto end_run = [&] {
    if (run.size() > 1) {
      block.run_words_.insert(block.run_words_.end(), run.begin(), run.end());
      block.run_words_.push_back(kBreak);
    }
    run.clear();
  };
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    ++all;
    odd += is_unlisted(token.word);
    const auto function_word = grammar ? grammar->find(token.word) : std::nullopt;
    if (function_word) function_words.push_back(*function_word);
    std::uint32_t entry = kBreak;
    if (function_word && by_language_) {
      entry = *function_word | kGrammar;
    } else if (!(stop_.words.size() > 0 && stop_.words.find(token.word)) &&
               !(options_.drop_numbers && is_number_or_key(token.word))) {
      entry = block.tokens.add(token.word);
      words.push_back(entry);
      const std::string_view form = written_form(text, token, scratch);
      if (!form.empty()) {
        block.forms.add(entry, form);
        if (form.data() != scratch.data() && form[0] != token.word[0]) entry |= kCapital;
      }
    }
    if (!options_.phrases && !is_one_ideograph(token.word)) {
      if (!run.empty()) end_run();
      continue;
    }
    if (!run.empty() && (entry == kBreak || !follows(text, token, end_before, word_before, options_.phrases)))
      end_run();
    if (entry == kBreak) continue;
    run.push_back(entry);
    end_before = token.end;
    word_before = token.word;
  }
  end_run();
  block.counts.add_row(count_words(std::move(words)));
  for (WordCount entry : count_words(std::move(function_words))) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint16_t>::max();
    for (; entry.count > kMost; entry.count -= kMost) {
      block.function_words_.push_back({static_cast<std::uint16_t>(entry.word), kMost});
    }
    block.function_words_.push_back({static_cast<std::uint16_t>(entry.word), static_cast<std::uint16_t>(entry.count)});
  }
  block.function_ends_.push_back(block.function_words_.size());
  block.run_ends_.push_back(block.run_words_.size());
  block.words_.push_back(all);
  block.odd_words_.push_back(odd);
}

void WordReading::join(BlockWords&& block) {
  std::vector<std::uint32_t> number;
  for (const std::string_view token : block.tokens.strings()) number.push_back(tokens_.add(token));
  forms_.add(block.forms, number);
  CountMatrix counts;
  counts.reserve(block.counts.rows(), block.counts.entries());
  std::vector<WordCount> row;
  for (std::size_t i = 0; i < block.counts.rows(); ++i) {
    row.clear();
    for (const WordCount& entry : block.counts.row(i)) row.push_back({number[entry.word], entry.count});
    counts.add_row(row);
  }
  for (std::uint32_t& entry : block.run_words_) {
    if (entry != kBreak && !(entry & kGrammar)) entry = number[entry & kNumber] | (entry & kCapital);
  }
  block.counts = std::move(counts);
  block.tokens = {};
  block.forms = {};
  blocks_.push_back(std::move(block));
}

void WordReading::tell_languages(Collection& collection) {
  constexpr std::uint32_t kLongEnough = 20;
  LanguagesFound& told = collection.languages;
  std::vector<std::uint64_t> documents_in(idne::languages().size());
  for (const BlockWords& block : blocks_) {
    for (std::size_t i = 0; i < block.documents(); ++i) {
      const auto words = block.function_words(i);
      if (const auto language = clear_language({words, block.words_[i]})) {
        ++documents_in[*language];
      } else if (words.empty() && block.words_[i] >= kLongEnough) {
        ++told.unknown;
        told.unlisted += 2 * block.odd_words_[i] > block.words_[i];
      }
    }
  }
  languages_ = languages_of_corpus(documents_in);
  told.told = true;
  told.unclear = collection.ids.size();
  for (std::size_t k = 0; k < documents_in.size(); ++k) {
    if (!contains(languages_, k)) continue;
    told.found.push_back({std::string(idne::languages()[k].shown), documents_in[k]});
    told.unclear -= documents_in[k];
  }
  std::ranges::stable_sort(told.found, std::greater(), &LanguagesFound::Count::documents);
  // Where nothing can be told, English does no harm.
  if (languages_ == 0) languages_ = parse_languages("english");
}

/// Settles the documents one by one, when the languages are known.
class WordReading::Finisher {
 public:
  Finisher(WordReading& reading, Collection& collection)
      : reading_(reading), collection_(collection), stem_(reading.options_.stem) {
    const std::size_t readings = stem_ ? languages().size() + 1 : 1;
    number_of_.resize(readings);
    counted_.resize(readings);
  }

  void add(const BlockWords& block) {
    for (std::size_t i = 0; i < block.documents(); ++i) {
      const auto function_words = block.function_words(i);
      const TextLanguages spoken = languages_of_text({function_words, block.words_[i]}, reading_.languages_);
      row_.clear();
      for (const WordCount& entry : block.counts.row(i)) add(entry.word, entry.count, spoken);
      if (reading_.by_language_) {
        for (const WordCount& entry : function_words) {
          if (!is_dropped(entry.word, spoken)) add(token_of_grammar(entry.word), entry.count, spoken);
        }
      }
      if (stem_) join_repeats();
      collection_.counts.add_row(row_);
      add_runs(block, i, spoken);
    }
  }

  void finish() {
    choose_forms();
    collection_.tokens = stem_ ? std::move(stems_) : std::move(reading_.tokens_);
  }

 private:
  static bool is_dropped(std::uint32_t function_word, const TextLanguages& spoken) {
    return (FunctionWords::all().languages_of(function_word) & spoken.dropped) != 0;
  }
  std::uint32_t token_of_grammar(std::uint32_t function_word) {
    return reading_.tokens_.add(FunctionWords::all()[function_word]);
  }

  /// The number in the collection of a token in a text of that language.
  std::uint32_t number_of(std::uint32_t token, const TextLanguages& spoken) {
    if (!stem_) return token;
    auto& numbers = number_of_[reading_number(spoken)];
    if (token >= numbers.size()) numbers.resize(std::max<std::size_t>(token + 1, reading_.tokens_.size()), kBreak);
    if (numbers[token] == kBreak) {
      const std::string_view word = reading_.tokens_[token];
      numbers[token] = spoken.stems ? stems_.add(stem_of(word, *spoken.stems)) : stems_.add(word);
    }
    return numbers[token];
  }
  std::size_t reading_number(const TextLanguages& spoken) const {
    return stem_ && spoken.stems ? *spoken.stems + 1 : 0;
  }

  void add(std::uint32_t token, std::uint32_t count, const TextLanguages& spoken) {
    row_.push_back({number_of(token, spoken), count});
    auto& counted = counted_[reading_number(spoken)];
    if (token >= counted.size()) counted.resize(std::max<std::size_t>(token + 1, reading_.tokens_.size()));
    counted[token] += count;
  }

  void join_repeats() {
    std::ranges::sort(row_, {}, &WordCount::word);
    std::size_t kept = 0;
    for (const WordCount& entry : row_) {
      if (kept > 0 && row_[kept - 1].word == entry.word) {
        row_[kept - 1].count += entry.count;
      } else {
        row_[kept++] = entry;
      }
    }
    row_.resize(kept);
  }

  void add_runs(const BlockWords& block, std::size_t document, const TextLanguages& spoken) {
    const std::size_t begin = document == 0 ? 0 : block.run_ends_[document - 1];
    std::vector<std::uint32_t> run;
    const auto end_run = [&] {
      collection_.runs.add_run(run);
      run.clear();
    };
    for (std::size_t n = begin; n < block.run_ends_[document]; ++n) {
      const std::uint32_t entry = block.run_words_[n];
      if (entry == kBreak || ((entry & kGrammar) && is_dropped(entry & kNumber, spoken))) {
        end_run();
        continue;
      }
      const std::uint32_t token = entry & kGrammar ? token_of_grammar(entry & kNumber) : entry & kNumber;
      run.push_back(number_of(token, spoken) | (entry & kCapital ? Runs::kCapital : 0));
    }
    collection_.runs.end_document();
  }

  /// Each word of the collection gets the form that most of its occurrences have.
  void choose_forms() {
    const StringTable& tokens = reading_.tokens_;
    struct Best {
      std::string_view form;
      std::uint64_t count = 0;
    };
    std::vector<std::uint64_t> plain(tokens.size());
    std::vector<std::uint32_t> target(tokens.size(), kBreak);
    for (std::uint32_t token = 0; token < tokens.size(); ++token) {
      std::uint64_t most = 0;
      for (std::size_t k = 0; k < counted_.size(); ++k) {
        const std::uint64_t count = token < counted_[k].size() ? counted_[k][token] : 0;
        plain[token] += count;
        if (count <= most) continue;
        most = count;
        target[token] = stem_ ? number_of_[k][token] : token;
      }
    }
    const FormCounts& forms = reading_.forms_;
    for (std::size_t n = 0; n < forms.size(); ++n)
      plain[forms.word(n)] -= std::min(plain[forms.word(n)], forms.count(n));
    std::vector<Best> best(stem_ ? stems_.size() : tokens.size());
    const auto offer = [&](std::uint32_t token, std::string_view form, std::uint64_t count) {
      if (target[token] == kBreak || count == 0) return;
      Best& now = best[target[token]];
      if (count > now.count || (count == now.count && form < now.form)) now = {form, count};
    };
    for (std::uint32_t token = 0; token < tokens.size(); ++token) offer(token, tokens[token], plain[token]);
    for (std::size_t n = 0; n < forms.size(); ++n) offer(forms.word(n), forms.form(n), forms.count(n));
    for (std::uint32_t word = 0; word < best.size(); ++word) {
      const std::string_view normal = stem_ ? stems_[word] : tokens[word];
      if (best[word].count > 0 && best[word].form != normal) collection_.forms.set(word, best[word].form);
    }
  }

  WordReading& reading_;
  Collection& collection_;
  const bool stem_;
  StringTable stems_;
  /// For each language whose stems are taken, and first for none: what a token is, and how often.
  std::vector<std::vector<std::uint32_t>> number_of_;
  std::vector<std::vector<std::uint64_t>> counted_;
  std::vector<WordCount> row_;
};

void WordReading::finish(Collection& collection) && {
  if (guesses_) tell_languages(collection);
  std::size_t documents = 0, entries = 0;
  for (const BlockWords& block : blocks_) documents += block.documents(), entries += block.counts.entries();
  collection.counts.reserve(documents, entries);
  Finisher finisher(*this, collection);
  for (BlockWords& block : blocks_) {
    finisher.add(block);
    block = {};
  }
  finisher.finish();
  collection.stop_words = by_language_ ? names_of(languages_) : stop_.name;
  collection.language = names_of(languages_);
  collection.stem = options_.stem;
  collection.drop_numbers = options_.drop_numbers;
  collection.phrases = options_.phrases;
  if (options_.stem && collection.stop_words != collection.language) {
    for (const std::string_view word : stop_.words.strings()) collection.stop_list.emplace_back(word);
  }
}

}  // namespace idne
