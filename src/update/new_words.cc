#include "update/new_words.h"

#include <algorithm>

#include "model/reading.h"
#include "text/word_kinds.h"

namespace idne {

TokenWords::TokenWords(const Collection& changes, const StringTable& vocabulary) {
  word.reserve(changes.tokens.size());
  for (const std::string_view token : changes.tokens.strings()) {
    word.push_back(vocabulary.find(token).value_or(kNone));
  }
}

CountMatrix TokenWords::bags(const Collection& changes) const {
  CountMatrix bags;
  std::vector<WordCount> row;
  for (std::size_t i = 0; i < changes.counts.rows(); ++i) {
    row.clear();
    for (const WordCount& entry : changes.counts.row(i)) {
      if (word[entry.word] != kNone) row.push_back({word[entry.word], entry.count});
    }
    std::ranges::sort(row, {}, &WordCount::word);
    bags.add_row(row);
  }
  return bags;
}

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

NewWords add_new_words(const Model& model, const Collection& changes, std::size_t documents, TokenWords& tokens) {
  const auto& options = model.info().options;
  const auto number = [&](const char* name, auto fallback) {
    const auto found = options.find(name);
    const auto* value = found == options.end() ? nullptr : std::get_if<decltype(fallback)>(&found->second);
    return value ? *value : fallback;
  };
  const VocabularyRule usual;
  const auto least = number("min-count", static_cast<std::int64_t>(usual.min_count));
  const double most = number("max-share", usual.max_share) * static_cast<double>(documents);
  std::vector<std::int64_t> counts(changes.tokens.size()), with(changes.tokens.size());
  for (std::size_t i = 0; i < changes.counts.rows(); ++i) {
    for (const WordCount& entry : changes.counts.row(i)) {
      counts[entry.word] += entry.count;
      ++with[entry.word];
    }
  }
  const std::vector<char> may_count = tokens_that_count(model, changes);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t token = 0; token < counts.size(); ++token) {
    const bool kept = tokens.word[token] == TokenWords::kNone && may_count[token] && counts[token] >= least &&
                      static_cast<double>(with[token]) <= most;
    if (kept) chosen.push_back(token);
  }
  std::ranges::sort(chosen, [&](std::uint32_t a, std::uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : changes.tokens[a] < changes.tokens[b];
  });
  NewWords result;
  for (const std::uint32_t token : chosen) {
    tokens.word[token] = static_cast<std::uint32_t>(model.words().size() + result.words.size());
    result.words.emplace_back(changes.tokens[token]);
    result.forms.emplace_back(changes.forms.of(token, changes.tokens[token]));
    result.counts.push_back(counts[token]);
  }
  return result;
}

}  // namespace idne
