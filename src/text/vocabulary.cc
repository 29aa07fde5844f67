#include "text/vocabulary.h"

#include <algorithm>
#include <limits>

namespace idne {

KeptWords keep_words(const StringTable& tokens, const CountMatrix& counts, std::span<const std::uint32_t> documents,
                     const VocabularyRule& rule, Ranks* ranks) {
  std::vector<std::uint64_t> total(tokens.size()), in_documents(tokens.size());
  for (const std::uint32_t document : documents) {
    for (const WordCount& entry : counts.row(document)) {
      total[entry.word] += entry.count;
      ++in_documents[entry.word];
    }
  }
  std::uint64_t all = documents.size(), own_entries = 0;
  const std::vector<std::uint64_t> in_own = ranks ? in_documents : std::vector<std::uint64_t>{};
  if (ranks) {
    ranks->add_up(total);
    ranks->add_up(in_documents);
    ranks->add_up({&all, 1});
  }
  // A quotient, not a product: 0.29 · 100 is a little less than 29.
  const auto share = [&](std::uint32_t token) {
    return static_cast<double>(in_documents[token]) / static_cast<double>(all);
  };
  std::vector<std::uint32_t> kept;
  for (std::uint32_t token = 0; token < tokens.size(); ++token) {
    if (total[token] > 0 && total[token] >= rule.min_count && share(token) <= rule.max_share) {
      kept.push_back(token);
    }
  }
  std::sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) {
    return total[a] != total[b] ? total[a] > total[b] : tokens[a] < tokens[b];
  });

  KeptWords result;
  constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> word_of(tokens.size(), kDropped);
  for (const std::uint32_t token : kept) {
    word_of[token] = result.vocabulary.words.add(tokens[token]);
    result.vocabulary.counts.push_back(total[token]);
    own_entries += ranks ? in_own[token] : in_documents[token];
  }
  result.counts.reserve(documents.size(), own_entries);
  // By word, then by document, some documents at a time: the words of each row are then in order without being sorted.
  constexpr std::size_t kAtOnce = std::size_t{1} << 16;
  std::vector<std::uint64_t> end_of_word(kept.size() + 1), row_begin;
  std::vector<WordCount> by_word, by_document;  // a place among these documents, and a count; then rows
  for (std::size_t first = 0; first < documents.size(); first += kAtOnce) {
    const auto some = documents.subspan(first, std::min(kAtOnce, documents.size() - first));
    std::ranges::fill(end_of_word, 0);
    row_begin.assign(1, 0);
    for (const std::uint32_t document : some) {
      std::uint64_t size = 0;
      for (const WordCount& entry : counts.row(document)) {
        if (word_of[entry.word] == kDropped) continue;
        ++end_of_word[word_of[entry.word] + 1];
        ++size;
      }
      row_begin.push_back(row_begin.back() + size);
    }
    for (std::size_t word = 0; word < kept.size(); ++word) end_of_word[word + 1] += end_of_word[word];
    by_word.resize(row_begin.back());
    by_document.resize(row_begin.back());
    for (std::uint32_t place = 0; place < some.size(); ++place) {
      for (const WordCount& entry : counts.row(some[place])) {
        if (word_of[entry.word] != kDropped) by_word[end_of_word[word_of[entry.word]]++] = {place, entry.count};
      }
    }
    std::vector<std::uint64_t> row_end(row_begin.begin(), row_begin.end() - 1);
    std::uint64_t at = 0;
    for (std::uint32_t word = 0; word < kept.size(); ++word) {
      for (; at < end_of_word[word]; ++at) by_document[row_end[by_word[at].word]++] = {word, by_word[at].count};
    }
    for (std::size_t place = 0; place < some.size(); ++place) {
      result.counts.add_row(std::span(by_document).subspan(row_begin[place], row_begin[place + 1] - row_begin[place]));
    }
  }
  return result;
}

JoinedWords join_words(const StringTable& tokens, const CountMatrix& counts, const Runs& runs,
                       std::span<const std::uint32_t> documents, const Joins& joins) {
  JoinedWords result;
  for (const std::string_view token : tokens.strings()) result.tokens.add(token);
  result.counts.reserve(documents.size(), counts.entries());
  std::vector<std::uint32_t> parts, wholes;
  std::vector<std::string_view> run;
  for (const std::uint32_t document : documents) {
    parts.clear(), wholes.clear();
    runs.for_each(document, [&](std::span<const std::uint32_t> words, auto) {
      run.clear();
      for (const std::uint32_t word : words) run.push_back(tokens[Runs::word(word)]);
      for (const Joins::Part& part : joins.apply(run)) {
        if (part.end - part.begin == 1) continue;
        wholes.push_back(result.tokens.add(part.word));
        for (std::size_t k = part.begin; k < part.end; ++k) parts.push_back(Runs::word(words[k]));
      }
    });
    if (wholes.empty()) {
      result.counts.add_row(counts.row(document));
      continue;
    }
    const auto left_out = count_words(std::move(parts));
    std::vector<WordCount> row = count_words(std::move(wholes));
    for (WordCount entry : counts.row(document)) {
      const auto found = std::ranges::lower_bound(left_out, entry.word, {}, &WordCount::word);
      if (found != left_out.end() && found->word == entry.word) entry.count -= found->count;
      if (entry.count > 0) row.push_back(entry);
    }
    // What is joined may be a word that the document has already.
    std::ranges::sort(row, {}, &WordCount::word);
    std::vector<WordCount> once;
    for (const WordCount& entry : row) {
      if (!once.empty() && once.back().word == entry.word) {
        once.back().count += entry.count;
      } else {
        once.push_back(entry);
      }
    }
    result.counts.add_row(once);
  }
  return result;
}

}  // namespace idne
