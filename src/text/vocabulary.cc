#include "text/vocabulary.h"

#include <algorithm>
#include <limits>

namespace idne {

KeptWords keep_words(const StringTable& tokens, const CountMatrix& counts, std::span<const std::uint32_t> documents,
                     const VocabularyRule& rule) {
  std::vector<std::uint64_t> total(tokens.size()), in_documents(tokens.size());
  for (const std::uint32_t document : documents) {
    for (const WordCount& entry : counts.row(document)) {
      total[entry.word] += entry.count;
      ++in_documents[entry.word];
    }
  }
  // A quotient, not a product: 0.29 · 100 is a little less than 29.
  const auto share = [&](std::uint32_t token) {
    return static_cast<double>(in_documents[token]) / static_cast<double>(documents.size());
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
  std::uint64_t entries = 0;
  for (const std::uint32_t token : kept) {
    word_of[token] = result.vocabulary.words.add(tokens[token]);
    result.vocabulary.counts.push_back(total[token]);
    entries += in_documents[token];
  }
  // By word, then by document: the words of each row are then in order without being sorted.
  std::vector<std::uint64_t> next(kept.size() + 1), row_begin(documents.size() + 1);
  for (std::size_t word = 0; word < kept.size(); ++word) next[word + 1] = next[word] + in_documents[kept[word]];
  std::vector<WordCount> by_word(entries);  // a place in `documents`, and a count
  for (std::uint32_t place = 0; place < documents.size(); ++place) {
    row_begin[place + 1] = row_begin[place];
    for (const WordCount& entry : counts.row(documents[place])) {
      if (word_of[entry.word] == kDropped) continue;
      by_word[next[word_of[entry.word]]++] = {place, entry.count};
      ++row_begin[place + 1];
    }
  }
  std::vector<WordCount> by_document(entries);
  std::vector<std::uint64_t> row_end(row_begin.begin(), row_begin.end() - 1);
  std::uint64_t at = 0;
  for (std::uint32_t word = 0; word < kept.size(); ++word) {
    for (; at < next[word]; ++at) {
      by_document[row_end[by_word[at].word]++] = {word, by_word[at].count};
    }
  }
  result.counts.reserve(documents.size(), entries);
  for (std::size_t place = 0; place < documents.size(); ++place) {
    result.counts.add_row(std::span(by_document).subspan(row_begin[place], row_begin[place + 1] - row_begin[place]));
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
