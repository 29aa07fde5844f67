#include "text/coherence.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace idne {
namespace {

double npmi_of(double a, double b, double both, double documents) {
  return std::log(both * documents / (a * b)) / -std::log(both / documents);
}

}  // namespace

PairCoherence::PairCoherence(const CountMatrix& documents, std::span<const std::uint32_t> words)
    : documents_(static_cast<double>(documents.rows())) {
  for (const std::uint32_t word : words) documents_of_[word];
  for (std::uint32_t i = 0; i < documents.rows(); ++i) {
    for (const WordCount& entry : documents.row(i)) {
      if (const auto found = documents_of_.find(entry.word); found != documents_of_.end())
        found->second.numbers.push_back(i);
    }
  }
  // Bits take no more memory than numbers then.
  const std::size_t frequent = documents.rows() / 32;
  for (auto& [word, of] : documents_of_) {
    if (of.numbers.size() <= frequent) continue;
    of.bits.resize((documents.rows() + 63) / 64);
    for (const std::uint32_t i : of.numbers) of.bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
}

PairCoherence::Met PairCoherence::met(std::uint32_t word_a, std::uint32_t word_b) const {
  const Documents &x = documents_of_.at(word_a), &y = documents_of_.at(word_b);
  const Documents &rare = x.numbers.size() < y.numbers.size() ? x : y, &other = &rare == &x ? y : x;
  const std::vector<std::uint32_t>&a = x.numbers, &b = y.numbers;
  std::size_t both = 0;
  if (!other.bits.empty()) {
    for (const std::uint32_t i : rare.numbers) both += other.has(i);
    return {static_cast<double>(a.size()), static_cast<double>(b.size()), static_cast<double>(both)};
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++both, ++i, ++j;
    } else {
      ++(a[i] < b[j] ? i : j);
    }
  }
  return {static_cast<double>(a.size()), static_cast<double>(b.size()), static_cast<double>(both)};
}

double PairCoherence::operator()(std::uint32_t word_a, std::uint32_t word_b) const {
  const auto [a, b, both] = met(word_a, word_b);
  if (both == 0) return -1;
  return both >= documents_ ? 1 : npmi_of(a, b, both, documents_);
}

double PairCoherence::expected(std::uint32_t word_a, std::uint32_t word_b) const {
  const auto [a, b, both] = met(word_a, word_b);
  if (both >= documents_) return 1;
  if (a == 0 || b == 0) return -1;
  constexpr double kChance = 2;  // it counts as so many meetings
  const double by_chance = a * b / documents_;
  const double meetings = (both * both + kChance * by_chance) / (both + kChance);
  const double never = std::exp(-meetings);  // by Poisson's law
  const double where_they_meet = std::min(std::max(meetings, 1.0), documents_ - 1);
  return (1 - never) * npmi_of(a, b, where_they_meet, documents_) - never;
}

std::vector<double> npmi(const CountMatrix& documents, const std::vector<std::vector<std::uint32_t>>& lists) {
  std::vector<std::uint32_t> words;
  for (const auto& list : lists) words.insert(words.end(), list.begin(), list.end());
  const PairCoherence coherence(documents, words);
  std::vector<double> result;
  for (const auto& list : lists) {
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < list.size(); ++a) {
      for (std::size_t b = a + 1; b < list.size(); ++b, ++pairs) sum += coherence(list[a], list[b]);
    }
    result.push_back(pairs ? sum / static_cast<double>(pairs) : 0);
  }
  return result;
}

double diversity(const std::vector<std::vector<std::uint32_t>>& lists) {
  std::set<std::uint32_t> distinct;
  std::size_t all = 0;
  for (const auto& list : lists) {
    distinct.insert(list.begin(), list.end());
    all += list.size();
  }
  return all ? static_cast<double>(distinct.size()) / static_cast<double>(all) : 0;
}

}  // namespace idne
