#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "idne/string_table.h"

/// What is known about the words of a corpus beside how often each document has them.
namespace idne {

/// What words are shown as.
class ShownForms {
 public:
  /// The most frequent form of a word; `normal` if none is known.
  std::string_view of(std::uint32_t word, std::string_view normal) const {
    return word < number_.size() && number_[word] != kNone ? forms_[number_[word]] : normal;
  }
  bool has(std::uint32_t word) const { return word < number_.size() && number_[word] != kNone; }
  void set(std::uint32_t word, std::string_view form);

 private:
  static constexpr std::uint32_t kNone = ~0u;
  StringTable forms_;
  std::vector<std::uint32_t> number_;
};

/// Words as they stand in texts, before inflections were joined.
struct WrittenWords {
  StringTable words;
  ShownForms forms;
};

/// The words of documents in their order, where they follow each other; words that have no neighbour are left out.
class Runs {
 public:
  /// Added to a word that stands there with a capital which grammar does not ask for.
  static constexpr std::uint32_t kCapital = 1u << 31;
  static constexpr std::uint32_t word(std::uint32_t entry) { return entry & ~kCapital; }

  /// Runs of one word are passed over. `written` has numbers of WrittenWords, or nothing if words are as written.
  void add_run(std::span<const std::uint32_t> words, std::span<const std::uint32_t> written) {
    if (words.size() < 2) return;
    words_.push_back(static_cast<std::uint32_t>(words.size()));
    words_.insert(words_.end(), words.begin(), words.end());
    if (written.empty()) return;
    written_.push_back(0);
    written_.insert(written_.end(), written.begin(), written.end());
  }
  void end_document() { documents_.push_back(words_.size()); }
  std::size_t documents() const { return documents_.size() - 1; }
  bool empty() const { return words_.empty(); }
  /// Calls visit(run, written) for each run of a document.
  template <class Visit>
  void for_each(std::size_t document, Visit visit) const {
    if (document >= documents()) return;
    for (std::size_t at = documents_[document]; at < documents_[document + 1]; at += words_[at] + 1) {
      const auto part_of = [&](const std::vector<std::uint32_t>& all) {
        return all.empty() ? std::span<const std::uint32_t>() : std::span(all).subspan(at + 1, words_[at]);
      };
      visit(part_of(words_), part_of(written_));
    }
  }

 private:
  std::vector<std::uint32_t> words_;    ///< the length of each run, then its words
  std::vector<std::uint32_t> written_;  ///< for each of these
  std::vector<std::uint64_t> documents_{0};
};

}  // namespace idne
