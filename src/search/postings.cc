#include "search/postings.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "idne/text.h"
#include "model/reading.h"
#include "search/typos.h"

namespace idne {
namespace {

/// What the model's bags do not have: the words of titles and ids, and of texts those that the model did not keep. New
/// words are added to the table.
CountMatrix other_words(const Model& model, const TextOf& text_of, const StringTable& left_out, StringTable& words) {
  const std::size_t known = words.size();
  const bool has_bags = model.documents().words.size() > 0;
  CountMatrix counts;
  Tokenizer tokenizer;
  const TextRules rules = keyword_reading_of(model);
  std::vector<std::size_t> grammar;  // where words of left_out begin, which stems may not be
  std::vector<std::uint32_t> numbers;
  const auto read = [&](std::string_view text, bool in_bags) {
    grammar.clear();
    Token token;
    tokenizer.start(text);
    while (tokenizer.next(token)) {
      if (left_out.find(token.word)) grammar.push_back(token.begin);
    }
    for_each_word(text, tokenizer, rules, [&](std::string_view word, std::size_t begin, std::size_t) {
      const auto number = words.find(word);
      const bool kept = number && *number < known;
      if (kept ? in_bags : std::ranges::binary_search(grammar, begin)) return;
      numbers.push_back(number ? *number : words.add(word));
    });
  };
  for (std::size_t row = 0; row < model.documents().size(); ++row) {
    read(model.documents().titles[row], false);
    read(model.documents().ids[row], false);
    if (text_of) read(text_of(row), has_bags);
    counts.add_row(count_words(std::exchange(numbers, {})));
  }
  return counts;
}

using Visit = std::function<void(std::uint32_t row, const WordCount& entry)>;

/// For words that were joined the words that they are made of, which people look for too.
using Parts = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;
Parts parts_of_joined(const Model& model, StringTable& words) {
  const Joins joins = joins_of(model);
  std::unordered_map<std::string_view, std::vector<std::string_view>> parts;
  Parts result;
  for (std::size_t rule = 0; rule < joins.size(); ++rule) {
    std::vector<std::string_view> all;
    for (const std::string_view side : {joins.left(rule), joins.right(rule)}) {
      const auto known = parts.find(side);
      if (known == parts.end()) {
        all.push_back(side);
      } else {
        all.insert(all.end(), known->second.begin(), known->second.end());
      }
    }
    const auto [whole, fresh] = parts.emplace(joins.joined(rule), std::move(all));
    const auto number = words.find(whole->first);
    if (!fresh || !number) continue;
    for (const std::string_view part : whole->second) result[*number].push_back(words.add(part));
  }
  return result;
}

/// Each document's words from both of its bags, each word once.
void for_each_entry(const Model& model, const CountMatrix& others, const Parts& parts, const Visit& visit) {
  const BagsView& texts = model.documents().words;
  for (std::uint32_t row = 0; row < others.rows(); ++row) {
    std::vector<WordCount> all = texts.size() > 0 ? texts[row] : std::vector<WordCount>{};
    for (std::size_t n = 0, joined = parts.empty() ? 0 : all.size(); n < joined; ++n) {
      const WordCount entry = all[n];
      const auto of = parts.find(entry.word);
      if (of == parts.end()) continue;
      for (const std::uint32_t part : of->second) all.push_back({part, entry.count});
    }
    all.insert(all.end(), others.row(row).begin(), others.row(row).end());
    std::ranges::sort(all, {}, &WordCount::word);
    for (std::size_t n = 0; n < all.size(); ++n) {
      WordCount entry = all[n];
      while (n + 1 < all.size() && all[n + 1].word == entry.word) entry.count += all[++n].count;
      visit(row, entry);
    }
  }
}

}  // namespace

Postings::Postings(const Model& model, const TextOf& text_of, const StringTable& left_out)
    : lengths_(model.documents().size()) {
  const StringsView& known = model.words().strings;
  for (std::size_t w = 0; w < known.size(); ++w) words_.add(known[w]);
  const Parts parts = parts_of_joined(model, words_);
  const CountMatrix others = other_words(model, text_of, left_out, words_);

  offsets_.assign(words_.size() + 1, 0);
  for_each_entry(model, others, parts, [&](std::uint32_t row, const WordCount& entry) {
    ++offsets_[entry.word + 1];
    lengths_[row] += entry.count;
    mean_length_ += entry.count;
  });
  mean_length_ /= static_cast<double>(std::max<std::size_t>(1, lengths_.size()));
  for (std::size_t w = 0; w < words_.size(); ++w) offsets_[w + 1] += offsets_[w];
  postings_.resize(offsets_.back());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for_each_entry(model, others, parts, [&](std::uint32_t row, const WordCount& entry) {
    postings_[next[entry.word]++] = {row, entry.count};
  });

  for (std::uint32_t w = 0; w < words_.size(); ++w) by_spelling_.push_back(w);
  std::ranges::sort(by_spelling_, {}, [&](std::uint32_t w) { return words_[w]; });
}

std::vector<std::uint32_t> Postings::words_with_prefix(std::string_view prefix) const {
  const auto begin = std::ranges::lower_bound(by_spelling_, prefix, {}, [&](std::uint32_t w) { return words_[w]; });
  const auto end =
      std::partition_point(begin, by_spelling_.end(), [&](std::uint32_t w) { return words_[w].starts_with(prefix); });
  return {begin, end};
}

std::vector<std::uint32_t> Postings::words_near(std::string_view word) const {
  std::vector<std::uint32_t> near;
  if (!forgives_typos(word)) return near;
  for (std::uint32_t w = 0; w < words_.size(); ++w) {
    if (one_typo_apart(words_[w], word)) near.push_back(w);
  }
  return near;
}

std::vector<Posting> Postings::joined(std::span<const std::uint32_t> words) const {
  std::vector<std::uint32_t> counts(lengths_.size());
  for (const std::uint32_t word : words) {
    for (const Posting& posting : of(word)) counts[posting.row] += posting.count;
  }
  std::vector<Posting> result;
  for (std::uint32_t row = 0; row < counts.size(); ++row) {
    if (counts[row] > 0) result.push_back({row, counts[row]});
  }
  return result;
}

}  // namespace idne
