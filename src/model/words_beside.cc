#include "model/words_beside.h"

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

}  // namespace idne
