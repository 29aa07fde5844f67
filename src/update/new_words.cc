#include "update/new_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "idne/error.h"
#include "model/reading.h"
#include "text/word_kinds.h"

namespace idne {

TokenWords::TokenWords(const Collection& changes, const StringTable& vocabulary) {
  word.reserve(changes.tokens.size());
  for (const std::string_view token : changes.tokens.strings()) {
    word.push_back(vocabulary.find(token).value_or(kNone));
  }
}

CountMatrix TokenWords::bags(const Collection& changes) const { return chosen_words(changes.counts, word); }

std::vector<char> tokens_that_count(const Model& model, const Collection& changes) {
  StopWords stop = stop_words_of(model);
  const ModelTensors tensors(model);
  for (const layout::Entry* entry : {&layout::kStopWords, &layout::kCommonWords}) {
    if (!tensors.has(*entry)) continue;
    const StringsView left_out = tensors.strings(*entry);
    for (std::size_t n = 0; n < left_out.size(); ++n) stop.words.add(left_out[n]);
  }
  std::vector<char> counts;
  counts.reserve(changes.tokens.size());
  const bool drops_numbers = reading_of(model).drops_numbers;
  for (const std::string_view token : changes.tokens.strings()) {
    counts.push_back(!stop.words.find(token) && !(drops_numbers && is_number_or_key(token)));
  }
  return counts;
}

namespace {

/// The rule that the model's words were chosen by.
VocabularyRule rule_of(const Model& model) {
  const auto& options = model.info().options;
  const auto number = [&](const char* name, auto fallback) {
    const auto found = options.find(name);
    const auto* value = found == options.end() ? nullptr : std::get_if<decltype(fallback)>(&found->second);
    return value ? *value : fallback;
  };
  const VocabularyRule usual;
  return {static_cast<std::uint64_t>(number("min-count", static_cast<std::int64_t>(usual.min_count))),
          number("max-share", usual.max_share)};
}

/// Words without vectors, wherever they come from, as they are met.
class WordsMet {
 public:
  WordsMet(const Model& model, const Collection& changes, const TokenWords& tokens)
      : changes_(changes), number_of_token_(changes.tokens.size(), kNone) {
    take(model, layout::kLateWords, layout::kLateForms, layout::kDocumentLateWords);
    take(model, layout::kRareWords, layout::kRareForms, layout::kDocumentRareWords);
    const std::vector<char> may_count = tokens_that_count(model, changes);
    for (std::uint32_t token = 0; token < may_count.size(); ++token) {
      if (tokens.word[token] != TokenWords::kNone || !may_count[token]) continue;
      number_of_token_[token] = words.add(changes.tokens[token]);
      if (words.size() > forms.size()) forms.push_back(changes.forms.of(token, changes.tokens[token]));
    }
  }

  void add_rows(const Merge& merge) {
    total.resize(words.size()), with.resize(words.size());
    std::vector<WordCount> row;
    for (const Origin& origin : merge.rows) {
      row.clear();
      if (origin.fresh != Origin::kNone) {
        for (const WordCount& entry : changes_.counts.row(origin.fresh)) {
          if (number_of_token_[entry.word] != kNone) row.push_back({number_of_token_[entry.word], entry.count});
        }
      } else {
        for (const auto& [bags, first] : former_) {
          for (const WordCount& entry : bags[origin.old]) row.push_back({first + entry.word, entry.count});
        }
      }
      for (const WordCount& entry : row) total[entry.word] += entry.count, ++with[entry.word];
      counts.add_row(row);
    }
  }

  /// Some of them, numbered in this order.
  WordsBeside only(const std::vector<std::uint32_t>& chosen) const {
    WordsBeside result;
    std::vector<std::uint32_t> number(words.size(), kNotChosen);
    for (const std::uint32_t word : chosen) {
      number[word] = static_cast<std::uint32_t>(result.words.size());
      result.words.emplace_back(words[word]);
      result.forms.emplace_back(forms[word]);
    }
    result.counts = chosen_words(counts, number);
    return result;
  }

  StringTable words;
  std::vector<std::string_view> forms;
  CountMatrix counts;                      ///< rows are not sorted
  std::vector<std::uint64_t> total, with;  ///< how often each word occurs, and in how many documents

 private:
  static constexpr std::uint32_t kNone = ~0u;

  void take(const Model& model, const layout::Entry& words_of, const layout::Entry& forms_of,
            const layout::Entry& documents_of) {
    const ModelTensors tensors(model);
    if (!tensors.has(words_of)) return;
    const StringsView strings = tensors.strings(words_of);
    const StringsView shown = tensors.has(forms_of) ? tensors.strings(forms_of) : strings;
    former_.emplace_back(tensors.bags(documents_of), static_cast<std::uint32_t>(words.size()));
    for (std::size_t n = 0; n < strings.size(); ++n) {
      if (words.add(strings[n]) != forms.size())
        throw Error(fmt::format("the model has the word '{}' twice", strings[n]));
      forms.push_back(shown[n]);
    }
  }

  const Collection& changes_;
  std::vector<std::uint32_t> number_of_token_;
  std::vector<std::pair<BagsView, std::uint32_t>> former_;  ///< the model's bags, and the number of their first word
};

}  // namespace

NewWords find_new_words(const Model& model, const Collection& changes, const Merge& merge, const TokenWords& tokens) {
  WordsMet met(model, changes, tokens);
  met.add_rows(merge);
  const VocabularyRule rule = rule_of(model);
  const auto share = [&](std::uint32_t word) {
    return static_cast<double>(met.with[word]) / static_cast<double>(merge.rows.size());
  };
  std::vector<std::uint32_t> late, rare;
  for (std::uint32_t word = 0; word < met.words.size(); ++word) {
    if (met.total[word] == 0) continue;
    const bool kept = met.total[word] >= rule.min_count && share(word) <= rule.max_share;
    (kept ? late : rare).push_back(word);
  }
  const auto by_spelling = [&](std::uint32_t a, std::uint32_t b) { return met.words[a] < met.words[b]; };
  std::ranges::sort(rare, by_spelling);
  std::ranges::sort(late, [&](std::uint32_t a, std::uint32_t b) {
    return met.total[a] != met.total[b] ? met.total[a] > met.total[b] : by_spelling(a, b);
  });
  return {met.only(late), met.only(rare)};
}

}  // namespace idne
