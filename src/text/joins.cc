#include "text/joins.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

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

std::string joined_words(std::span<const std::string> words) {
  std::string joined;
  for (const std::string& word : words) joined = joined.empty() ? word : joined_words(joined, word);
  return joined;
}

std::vector<std::string> folded_words(std::string_view text, Tokenizer& tokenizer) {
  std::vector<std::string> words;
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) words.emplace_back(token.word);
  return words;
}

void Joins::add(std::string_view left, std::string_view right) {
  const std::uint32_t a = pieces_.add(left), b = pieces_.add(right);
  if (!rule_of_.emplace(pair_of(a, b), static_cast<std::uint32_t>(rules_.size())).second) return;
  rules_.push_back({a, b, pieces_.add(joined_words(left, right))});
}

std::vector<Joins::Part> Joins::apply(std::span<const std::string_view> run) const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const std::size_t size = run.size();
  std::vector<Part> parts;
  std::vector<std::uint32_t> pieces;  // kNone also for what became a part of the piece before
  for (std::size_t k = 0; k < size; ++k) {
    parts.push_back({run[k], k, k + 1});
    pieces.push_back(pieces_.find(run[k]).value_or(kNone));
  }
  // A piece begins at its first word, and the next one where it ends.
  std::vector<std::size_t> begin_of_last(size);  // at a piece's last word: where it begins
  std::iota(begin_of_last.begin(), begin_of_last.end(), std::size_t{0});
  using Place = std::pair<std::uint32_t, std::size_t>;  // a rule, and where its left side begins
  std::priority_queue<Place, std::vector<Place>, std::greater<>> waiting;
  const auto look_at = [&](std::size_t begin) {
    const std::size_t next = parts[begin].end;
    if (next == size || pieces[begin] == kNone || pieces[next] == kNone) return;
    const auto rule = rule_of_.find(pair_of(pieces[begin], pieces[next]));
    if (rule != rule_of_.end()) waiting.emplace(rule->second, begin);
  };
  for (std::size_t k = 0; k < size; ++k) look_at(k);
  std::vector<std::size_t> places, made;
  while (!waiting.empty()) {
    const std::uint32_t firmest = waiting.top().first;
    const Rule& rule = rules_[firmest];
    places.clear(), made.clear();
    for (; !waiting.empty() && waiting.top().first == firmest; waiting.pop()) places.push_back(waiting.top().second);
    for (const std::size_t begin : places) {
      const std::size_t next = parts[begin].end;
      if (next == size || pieces[begin] != rule.left || pieces[next] != rule.right) continue;
      parts[begin] = {pieces_[rule.joined], begin, parts[next].end};
      pieces[begin] = rule.joined;
      pieces[next] = kNone;
      begin_of_last[parts[begin].end - 1] = begin;
      made.push_back(begin);
    }
    // What came of it is looked at when the rule is done, firmer though it may be.
    for (const std::size_t begin : made) {
      if (begin > 0) look_at(begin_of_last[begin - 1]);
      look_at(begin);
    }
  }
  std::vector<Part> joined;
  for (std::size_t begin = 0; begin < size; begin = parts[begin].end) joined.push_back(parts[begin]);
  return joined;
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
