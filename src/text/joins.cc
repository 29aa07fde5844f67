#include "text/joins.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/strings.h"
#include "text/utf8.h"
#include "text/word_kinds.h"

namespace idne {
namespace {

constexpr std::uint64_t pair_of(std::uint32_t left, std::uint32_t right) { return std::uint64_t{left} << 32 | right; }

bool ends_with_ideograph(std::string_view word) {
  std::size_t last = word.size();
  while (last > 0 && (static_cast<unsigned char>(word[--last]) & 0xC0) == 0x80) {
  }
  return is_one_ideograph(word.substr(last));
}
bool begins_with_ideograph(std::string_view word) {
  if (word.empty() || static_cast<unsigned char>(word[0]) < 0xE0) return false;
  std::size_t end = 0;
  next_character(word, end);
  return is_one_ideograph(word.substr(0, end));
}

/// What stands between the words of a phrase.
bool is_close(std::string_view gap) {
  constexpr std::size_t kLongestGap = 4;
  if (gap.size() > kLongestGap || std::ranges::count(gap, '\n') > 1) return false;
  return gap.find_first_not_of(" \t\r\n-") == std::string_view::npos;
}

/// Pairs of neighbours in runs that change while pairs are joined.
class PairCounter {
 public:
  struct Pair {
    std::uint32_t left, right;
    double firmness;
  };

  void add(std::span<const std::uint32_t> run, std::uint32_t document) {
    for (const std::uint32_t word : run) {
      if (word >= single_.size()) single_.resize(word + 1);
      ++single_[word];
      ++all_;
    }
    for (std::size_t k = 0; k + 1 < run.size(); ++k) {
      Seen& seen = pairs_[pair_of(run[k], run[k + 1])];
      ++seen.count;
      seen.several = seen.several || (seen.count > 1 && seen.document != document);
      seen.document = document;
    }
  }

  /// Those that are firm enough, NPMI over neighbours: ln(p(a,b) / p(a)p(b)) / −ln p(a,b). Pairs of one document alone
  /// are that document's manner.
  std::vector<Pair> firm(std::uint64_t min_count, double firmness) const {
    std::vector<Pair> firm;
    const auto all = static_cast<double>(all_);
    for (const auto& [pair, seen] : pairs_) {
      if (seen.count < min_count || !seen.several) continue;
      const auto left = static_cast<std::uint32_t>(pair >> 32), right = static_cast<std::uint32_t>(pair);
      const auto together = static_cast<double>(seen.count);
      const double pmi =
          std::log(together * all / (static_cast<double>(single_[left]) * static_cast<double>(single_[right])));
      const double npmi = pmi / std::log(all / together);
      if (npmi >= firmness) firm.push_back({left, right, npmi});
    }
    return firm;
  }

 private:
  struct Seen {
    std::uint32_t document = 0;
    bool several = false;
    std::uint64_t count = 0;
  };
  std::vector<std::uint64_t> single_;
  std::uint64_t all_ = 0;
  std::unordered_map<std::uint64_t, Seen> pairs_;
};

}  // namespace

bool follows(std::string_view text, const Token& word, std::size_t end_before, std::string_view word_before,
             bool phrases) {
  if (phrases) return is_close(text.substr(end_before, word.begin - end_before));
  return word.begin == end_before && is_one_ideograph(word.word) && is_one_ideograph(word_before);
}

std::string joined_words(std::string_view left, std::string_view right) {
  const bool close = ends_with_ideograph(left) && begins_with_ideograph(right);
  return std::string(left).append(close ? "" : " ").append(right);
}

void Joins::add(std::string_view left, std::string_view right) {
  const std::uint32_t a = pieces_.add(left), b = pieces_.add(right);
  if (!rule_of_.emplace(pair_of(a, b), static_cast<std::uint32_t>(rules_.size())).second) return;
  rules_.push_back({a, b, pieces_.add(joined_words(left, right))});
}

std::vector<Joins::Part> Joins::apply(std::span<const std::string_view> run) const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<Part> parts;
  std::vector<std::uint32_t> pieces;
  for (std::size_t k = 0; k < run.size(); ++k) {
    parts.push_back({run[k], k, k + 1});
    pieces.push_back(pieces_.find(run[k]).value_or(kNone));
  }
  while (true) {
    std::uint32_t firmest = kNone;
    for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
      if (pieces[k] == kNone || pieces[k + 1] == kNone) continue;
      const auto rule = rule_of_.find(pair_of(pieces[k], pieces[k + 1]));
      if (rule != rule_of_.end()) firmest = std::min(firmest, rule->second);
    }
    if (firmest == kNone) return parts;
    const Rule& rule = rules_[firmest];
    std::size_t kept = 0;
    for (std::size_t k = 0; k < pieces.size(); ++k, ++kept) {
      parts[kept] = parts[k], pieces[kept] = pieces[k];
      if (k + 1 == pieces.size() || pieces[k] != rule.left || pieces[k + 1] != rule.right) continue;
      ++k;
      parts[kept] = {pieces_[rule.joined], parts[kept].begin, parts[k].end};
      pieces[kept] = rule.joined;
    }
    parts.resize(kept), pieces.resize(kept);
  }
}

Joins learn_joins(const StringTable& words, const Runs& runs, std::span<const std::uint32_t> documents,
                  std::uint64_t min_count) {
  // Twice: "new york" and then "new york times"; two pairs of ideographs become a name of four.
  constexpr int kRounds = 2;
  constexpr double kFirm = 0.5;
  Joins joins;
  for (int round = 0; round < kRounds; ++round) {
    StringTable table;
    PairCounter counter;
    std::vector<std::string_view> run;
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t document : documents) {
      runs.for_each(document, [&](std::span<const std::uint32_t> words_of_run, auto) {
        run.clear(), numbers.clear();
        for (const std::uint32_t word : words_of_run) run.push_back(words[Runs::word(word)]);
        for (const Joins::Part& part : joins.apply(run)) numbers.push_back(table.add(part.word));
        counter.add(numbers, document);
      });
    }
    std::vector<PairCounter::Pair> firm = counter.firm(min_count, kFirm);
    std::ranges::sort(firm, [&](const auto& a, const auto& b) {
      if (a.firmness != b.firmness) return a.firmness > b.firmness;
      return std::pair(table[a.left], table[a.right]) < std::pair(table[b.left], table[b.right]);
    });
    const std::size_t before = joins.size();
    for (const auto& [left, right, firmness] : firm) {
      if (!is_number(table[left]) || !is_number(table[right])) joins.add(table[left], table[right]);
    }
    if (joins.size() == before) break;
  }
  return joins;
}

}  // namespace idne
