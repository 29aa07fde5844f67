#include <algorithm>
#include <array>
#include <functional>

#include "corpus/word_reading.h"
#include "math/placement.h"
#include "text/shared_table.h"
#include "text/stems.h"

/// The second half of WordReading: what can only be settled when all documents are read.
namespace idne {

namespace {

/// Counts of forms of all ranks, by the tokens' numbers on all of them. A meeting of all.
FormCounts shared_forms(Ranks& ranks, const FormCounts& own, const std::vector<std::uint32_t>* number) {
  Packer packed;
  for (std::size_t n = 0; n < own.size(); ++n) {
    packed.add(number ? (*number)[own.word(n)] : own.word(n));
    packed.add(own.count(n));
    packed.add_text(own.form(n));
  }
  FormCounts all;
  for (const Bytes& bytes : ranks.all_gather(packed.bytes())) {
    for (Unpacker from(bytes); !from.done();) {
      const auto word = from.next<std::uint32_t>();
      const auto count = from.next<std::uint64_t>();
      all.add(word, from.next_text(), count);
    }
  }
  return all;
}

/// The same bags over tokens that have other numbers.
CountMatrix renumbered(const CountMatrix& rows, const std::vector<std::uint32_t>& number) {
  CountMatrix result;
  result.reserve(rows.rows(), rows.entries());
  std::vector<WordCount> row;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    row.clear();
    for (const WordCount& entry : rows.row(i)) row.push_back({number[entry.word], entry.count});
    result.add_row(row);
  }
  return result;
}

}  // namespace

/// Numbers tokens alike on all ranks, and brings together what is counted over all documents.
void WordReading::share(Ranks& ranks) {
  const std::vector<std::uint32_t> number = share_table(ranks, tokens_);
  counts_ = renumbered(counts_, number);
  for (BlockWords& block : blocks_) {
    for (std::uint32_t& entry : block.run_words_) {
      if (entry != kBreak && !(entry & kGrammar)) entry = number[entry & kNumber] | (entry & kCapital);
    }
  }
  forms_ = shared_forms(ranks, forms_, &number);
  grammar_forms_ = shared_forms(ranks, grammar_forms_, nullptr);
  second_.resize(languages().size());
  ranks.add_up(second_);
  std::array sums{lengthy_, foreign_};
  ranks.add_up(sums);
  lengthy_ = sums[0], foreign_ = sums[1];
}

void WordReading::tell_languages(Collection& collection, Ranks* ranks) {
  LanguagesFound& told = collection.languages;
  const std::size_t documents = ranks ? collection.spread->all() : collection.ids.size();
  std::vector<std::uint64_t> documents_in(idne::languages().size());
  for (const BlockWords& block : blocks_) {
    for (const std::uint8_t language : block.languages_) {
      if (language < documents_in.size()) ++documents_in[language];
      told.unknown += language == BlockWords::kUnknown || language == BlockWords::kUnlisted;
      told.unlisted += language == BlockWords::kUnlisted;
    }
  }
  if (ranks) {
    ranks->add_up(documents_in);
    std::array sums{told.unknown, told.unlisted};
    ranks->add_up(sums);
    told.unknown = sums[0], told.unlisted = sums[1];
  }
  languages_ = languages_of_corpus(documents_in) | second_languages_of_corpus(second_, documents);
  told.told = true;
  told.lengthy = lengthy_;
  told.foreign = foreign_;
  told.unclear = documents;
  for (std::size_t k = 0; k < documents_in.size(); ++k) {
    if (!contains(languages_, k) || documents_in[k] == 0) continue;
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

  /// `first` is the number of the block's first document.
  void add(const BlockWords& block, std::size_t first) {
    for (std::size_t i = 0; i < block.documents(); ++i) {
      block.function_words(i, function_words_);
      const TextLanguages spoken = languages_of_text({function_words_, 0}, reading_.languages_);
      row_.clear();
      for (const WordCount& entry : reading_.counts_.row(first + i)) add(entry.word, entry.count, spoken, stem_);
      if (reading_.by_language_) {
        for (const WordCount& entry : function_words_) {
          if (!is_dropped(entry.word, spoken)) add(token_of_grammar(entry.word), entry.count, spoken, true);
        }
      }
      if (stem_) join_repeats();
      rows_.add_row(row_);
      add_runs(block, i, spoken);
    }
  }

  /// Words of grammar that are words here and there get their numbers when they are met: alike on all ranks from here
  /// on. Without stems.
  void share(Ranks& ranks, std::size_t same) {
    const std::vector<std::uint32_t> number = share_table(ranks, reading_.tokens_, same);
    rows_ = renumbered(rows_, number);
    std::vector<std::uint64_t> counted(reading_.tokens_.size());
    for (std::size_t token = 0; token < counted_[0].size(); ++token) counted[number[token]] += counted_[0][token];
    ranks.add_up(counted);
    counted_[0] = std::move(counted);
  }

  void finish() {
    const std::vector<Candidate> all = candidates();
    std::vector<std::uint32_t> target = targets();
    collection_.forms = chosen(all, target, stem_ ? stems_ : reading_.tokens_);
    if (stem_ && !collection_.runs.empty()) {
      for (std::uint32_t token = 0; token < target.size(); ++token) target[token] = token;
      ShownForms forms = chosen(all, target, reading_.tokens_);
      collection_.written =
          std::make_shared<const WrittenWords>(WrittenWords{std::move(reading_.tokens_), std::move(forms)});
    }
    collection_.tokens = std::move(stem_ ? stems_ : reading_.tokens_);
    if (stem_) {
      collection_.counts = std::move(rows_);
    } else {
      reading_.counts_.add_to_rows(rows_);
      collection_.counts = std::move(reading_.counts_);
    }
  }

 private:
  static bool is_dropped(std::uint32_t function_word, const TextLanguages& spoken) {
    return (FunctionWords::all().languages_of(function_word) & spoken.dropped) != 0;
  }
  std::uint32_t token_of_grammar(std::uint32_t function_word) {
    if (tokens_of_grammar_.empty()) tokens_of_grammar_.resize(FunctionWords::all().size(), kBreak);
    std::uint32_t& token = tokens_of_grammar_[function_word];
    if (token == kBreak) token = reading_.tokens_.add(FunctionWords::all()[function_word]);
    return token;
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

  /// Words that stay as they are need not be written again.
  void add(std::uint32_t token, std::uint32_t count, const TextLanguages& spoken, bool written) {
    if (written) row_.push_back({number_of(token, spoken), count});
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
    if (block.run_ends_.empty()) return collection_.runs.end_document();
    const std::size_t begin = document == 0 ? 0 : block.run_ends_[document - 1];
    std::vector<std::uint32_t> run, written;
    const auto end_run = [&] {
      collection_.runs.add_run(run, written);
      run.clear(), written.clear();
    };
    for (std::size_t n = begin; n < block.run_ends_[document]; ++n) {
      const std::uint32_t entry = block.run_words_[n];
      if (entry == kBreak || ((entry & kGrammar) && is_dropped(entry & kNumber, spoken))) {
        end_run();
        continue;
      }
      const std::uint32_t token = entry & kGrammar ? token_of_grammar(entry & kNumber) : entry & kNumber;
      run.push_back(number_of(token, spoken) | (entry & kCapital ? Runs::kCapital : 0));
      if (stem_) written.push_back(token);
    }
    collection_.runs.end_document();
  }

  struct Candidate {
    std::uint32_t token;
    std::string_view form;
    std::uint64_t count;
  };

  /// The ways that tokens are written. Those of grammar were counted also where they were left out, and say nothing
  /// then.
  std::vector<Candidate> candidates() const {
    const StringTable& tokens = reading_.tokens_;
    std::vector<std::uint64_t> plain(tokens.size()), grammar(tokens.size());
    for (const auto& counted : counted_) {
      for (std::size_t token = 0; token < counted.size(); ++token) plain[token] += counted[token];
    }
    std::vector<Candidate> all;
    const FormCounts &forms = reading_.forms_, &of_grammar = reading_.grammar_forms_;
    for (std::size_t n = 0; n < forms.size(); ++n) {
      all.push_back({forms.word(n), forms.form(n), forms.count(n)});
    }
    for (std::size_t n = 0; n < of_grammar.size(); ++n) {
      const auto token = tokens.find(FunctionWords::all()[of_grammar.word(n)]);
      if (!token) continue;
      grammar[*token] += of_grammar.count(n);
      all.push_back({*token, of_grammar.form(n), of_grammar.count(n)});
    }
    std::erase_if(all, [&](const Candidate& one) { return grammar[one.token] > plain[one.token]; });
    for (const Candidate& one : all) plain[one.token] -= std::min(plain[one.token], one.count);
    for (std::uint32_t token = 0; token < tokens.size(); ++token) all.push_back({token, tokens[token], plain[token]});
    return all;
  }

  /// What a token mostly is in the collection.
  std::vector<std::uint32_t> targets() const {
    std::vector<std::uint32_t> target(reading_.tokens_.size(), kBreak);
    for (std::uint32_t token = 0; token < target.size(); ++token) {
      std::uint64_t most = 0;
      for (std::size_t k = 0; k < counted_.size(); ++k) {
        const std::uint64_t count = token < counted_[k].size() ? counted_[k][token] : 0;
        if (count > most) most = count, target[token] = stem_ ? number_of_[k][token] : token;
      }
    }
    return target;
  }

  /// Each word gets the form that most of its occurrences have; of two, rather the small or accented one.
  static ShownForms chosen(const std::vector<Candidate>& candidates, const std::vector<std::uint32_t>& target,
                           const StringTable& words) {
    std::vector<const Candidate*> best(words.size());
    for (const Candidate& one : candidates) {
      if (target[one.token] == kBreak || one.count == 0) continue;
      const Candidate*& now = best[target[one.token]];
      if (!now || one.count > now->count || (one.count == now->count && one.form > now->form)) now = &one;
    }
    ShownForms forms;
    for (std::uint32_t word = 0; word < best.size(); ++word) {
      if (best[word] && best[word]->form != words[word]) forms.set(word, best[word]->form);
    }
    return forms;
  }

  WordReading& reading_;
  Collection& collection_;
  const bool stem_;
  StringTable stems_;
  /// For each language whose stems are taken, and first for none: what a token is, and how often.
  std::vector<std::vector<std::uint32_t>> number_of_;
  std::vector<std::vector<std::uint64_t>> counted_;
  std::vector<std::uint32_t> tokens_of_grammar_;
  CountMatrix rows_;  ///< all, or without stems only what is added to them
  std::vector<WordCount> row_, function_words_;
};

void WordReading::finish(Collection& collection, Ranks* ranks) && {
  if (ranks) share(*ranks);
  if (guesses_) tell_languages(collection, ranks);
  const std::size_t same = tokens_.size();
  Finisher finisher(*this, collection);
  std::size_t documents = 0;
  for (BlockWords& block : blocks_) {
    finisher.add(block, documents);
    documents += block.documents();
    block = {};
  }
  if (ranks) finisher.share(*ranks, same);
  finisher.finish();
  collection.stop_words = by_language_ ? names_of(languages_) : stop_.name;
  collection.language = names_of(languages_);
  collection.stem = options_.stem;
  collection.drop_numbers = options_.drop_numbers;
  collection.phrases = options_.phrases;
  // A list that was given is left out of all texts, also where it is that of the languages; and what was left out of
  // these comes back with no later one.
  if (options_.stop_words != "auto") {
    for (const std::string_view word : stop_.words.strings()) collection.stop_list.emplace_back(word);
  }
}

}  // namespace idne
