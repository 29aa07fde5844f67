#include "train/rare_words.h"

#include <algorithm>
#include <numeric>

#include "math/placement.h"

namespace idne {
namespace {

WordsBeside rare_among(const StringTable& tokens, const CountMatrix& counts, const ShownForms& forms,
                       const VocabularyRule& rule, const Placement* spread) {
  std::vector<std::uint64_t> total(tokens.size());
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (const WordCount& entry : counts.row(i)) total[entry.word] += entry.count;
  }
  if (spread) spread->ranks()->add_up(total);
  std::vector<std::uint32_t> rare;
  for (std::uint32_t token = 0; token < tokens.size(); ++token) {
    if (total[token] > 0 && total[token] < rule.min_count) rare.push_back(token);
  }
  std::ranges::sort(rare, {}, [&](std::uint32_t token) { return tokens[token]; });
  WordsBeside result;
  std::vector<std::uint32_t> number(tokens.size(), kNotChosen);
  for (const std::uint32_t token : rare) {
    number[token] = static_cast<std::uint32_t>(result.words.size());
    result.words.emplace_back(tokens[token]);
    result.forms.emplace_back(forms.of(token, tokens[token]));
  }
  result.counts = chosen_words(counts, number);
  return result;
}

}  // namespace

WordsBeside rare_words(const Collection& collection, const Joins& joins, const VocabularyRule& rule) {
  if (joins.empty())
    return rare_among(collection.tokens, collection.counts, collection.forms, rule, collection.spread.get());
  std::vector<std::uint32_t> all(collection.ids.size());
  std::iota(all.begin(), all.end(), 0u);
  const JoinedWords joined = join_words(collection.tokens, collection.counts, collection.runs, all, joins);
  return rare_among(joined.tokens, joined.counts, collection.forms, rule, nullptr);
}

}  // namespace idne
