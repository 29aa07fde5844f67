#include "model/words_beside.h"

#include <algorithm>

namespace idne {
namespace {

struct Entries {
  const layout::Entry &words, &forms, &documents;
};

void store(const WordsBeside& beside, const Entries& entries, ModelMaker& maker) {
  for (const layout::Entry* entry : {&entries.words, &entries.forms, &entries.documents}) maker.remove(*entry);
  if (beside.words.empty()) return;
  maker.set_strings(entries.words, beside.words);
  if (beside.forms != beside.words) maker.set_strings(entries.forms, beside.forms);
  maker.set(entries.documents, beside.counts);
}

}  // namespace

void store_rare_words(const WordsBeside& rare, ModelMaker& maker) {
  store(rare, {layout::kRareWords, layout::kRareForms, layout::kDocumentRareWords}, maker);
}

void store_late_words(const WordsBeside& late, ModelMaker& maker) {
  store(late, {layout::kLateWords, layout::kLateForms, layout::kDocumentLateWords}, maker);
}

CountMatrix chosen_words(const CountMatrix& counts, std::span<const std::uint32_t> number) {
  CountMatrix result;
  std::vector<WordCount> row;
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    row.clear();
    for (const WordCount& entry : counts.row(i)) {
      if (number[entry.word] != kNotChosen) row.push_back({number[entry.word], entry.count});
    }
    std::ranges::sort(row, {}, &WordCount::word);
    result.add_row(row);
  }
  return result;
}

}  // namespace idne
