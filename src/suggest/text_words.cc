#include "suggest/text_words.h"

namespace idne {

TextWords::TextWords(const Model& model)
    : size_(model.words().size() + model.words().late.size()), documents_(model.documents().words) {
  const BagsView &known = model.documents().words, &late = model.documents().late_words;
  if (known.size() == 0 || late.size() == 0) return;
  const auto first_late = static_cast<std::int32_t>(model.words().size());
  const std::size_t entries = known.words().values().size() + late.words().values().size();
  offsets_.reserve(known.size() + 1);
  words_.reserve(entries), counts_.reserve(entries);
  offsets_.push_back(0);
  const auto add = [&](const std::vector<WordCount>& bag, std::int32_t first) {
    for (const WordCount& entry : bag) {
      words_.push_back(first + static_cast<std::int32_t>(entry.word));
      counts_.push_back(static_cast<std::int32_t>(entry.count));
    }
  };
  for (std::size_t i = 0; i < known.size(); ++i) {
    add(known[i], 0);
    add(late[i], first_late);
    offsets_.push_back(static_cast<std::int64_t>(words_.size()));
  }
  documents_ = {offsets_, words_, counts_};
}

}  // namespace idne
