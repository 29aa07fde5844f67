#include "methods/idne_batch.h"

#include <algorithm>
#include <utility>

#include "math/random.h"
#include "network/walks.h"

namespace idne {

Random PairDraws::random_of(std::uint64_t step, std::size_t n) const {
  return {seed, Purpose::Pairs, step * batch + n};
}

/// Whether the pair is one of linked documents.
bool PairDraws::linked(const Network& network, std::uint32_t i, Random& random) const {
  return sampling == Sampling::Near && network.degree(i) > 0 && random.uniform() < 0.5;
}

/// A document that is like i by what `similarity` says.
std::uint32_t PairDraws::like(const Network& network, std::uint32_t i, Random& random) const {
  if (similarity == Similarity::SimRank) return simrank->draw(i, random);
  if (similarity == Similarity::Ppr) {
    constexpr int kTries = 64;  // a walk comes back to where it began less often than every other time
    std::uint32_t j = i;
    for (int tries = 0; tries < kTries && j == i; ++tries) j = draw_restart_end(network, i, kPprGoesOn, random);
    return j;
  }
  return linked(network, i, random) ? network.draw_neighbour(i, random) : network.draw_path_end(i, random);
}

std::vector<std::uint32_t> PairDraws::documents(const Network& network, std::uint64_t step) const {
  const auto all = static_cast<std::uint32_t>(network.documents());
  std::vector<std::uint32_t> documents(3 * batch);
  for (std::size_t n = 0; n < batch; ++n) {
    Random random = random_of(step, n);
    const std::uint32_t i = sampling == Sampling::Path ? *network.draw_path_start(random) : random.below(all);
    documents[n] = i;
    documents[2 * batch + n] = random.below(all);
    documents[batch + n] = like(network, i, random);
  }
  return documents;
}

std::vector<std::vector<std::uint32_t>> PairDraws::documents_of_all(const Network& network, std::uint64_t first,
                                                                    std::uint64_t last) const {
  struct Pair {
    std::uint32_t number, i, j;
  };
  struct HalfWay {
    Pair pair;  // whose j is the document in between
    Random random;
  };
  const Placement& spread = network.spread();
  Ranks& ranks = *spread.ranks();
  const auto all = static_cast<std::uint32_t>(network.documents());
  std::vector<std::vector<std::uint32_t>> documents(last - first, std::vector<std::uint32_t>(3 * batch));
  std::vector<Pair> known;
  std::vector<Packer> half_way(ranks.size());
  for (std::uint64_t step = first; step < last; ++step) {
    for (std::size_t n = 0; n < batch; ++n) {
      Random random = random_of(step, n);
      const auto i = sampling == Sampling::Path ? network.draw_path_start(random) : random.below(all);
      documents[step - first][2 * batch + n] = random.below(all);
      if (!i || !spread.here(*i)) continue;
      Pair pair{static_cast<std::uint32_t>((step - first) * batch + n), *i, *i};
      if (linked(network, *i, random)) {
        pair.j = network.draw_neighbour(*i, random);
      } else if (network.path_count(*i) > 0) {
        pair.j = network.draw_first_hop(*i, random);
        if (!spread.here(pair.j)) {
          half_way[spread.owner(pair.j)].add(HalfWay{pair, random});
          continue;
        }
        pair.j = network.draw_last_hop(pair.j, random);
      }
      known.push_back(pair);
    }
  }
  for (const Bytes& bytes : exchange_packed(ranks, half_way)) {
    for (Unpacker from(bytes); !from.done();) {
      auto [pair, random] = from.next<HalfWay>();
      pair.j = network.draw_last_hop(pair.j, random);
      known.push_back(pair);
    }
  }
  for (const Pair& pair : all_of(ranks, std::span<const Pair>(known))) {
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a pair is from a batch, which has one at least
    documents[pair.number / batch][pair.number % batch] = pair.i;
    documents[pair.number / batch][batch + pair.number % batch] = pair.j;
  }
  return documents;
}

std::vector<float> inverse_lengths(const CountMatrix& counts) {
  std::vector<float> result(counts.rows());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t length = counts.length(i);
    result[i] = length ? 1.0f / static_cast<float>(length) : 0.0f;
  }
  return result;
}

BatchMaker::BatchMaker(const CountMatrix& counts, std::size_t words, const std::vector<float>& inverse_length)
    : counts_(counts), inverse_length_(inverse_length), stamp_(words), place_(words) {}

void BatchMaker::add_term(Term term, Batch& batch) {
  batch.terms.push_back(term);
  if (stamp_[term.row] != now_) {
    stamp_[term.row] = now_;
    place_[term.row] = static_cast<std::uint32_t>(batch.words.size());
    batch.words.push_back({term.row, 0});
  }
  ++batch.words[place_[term.row]].begin;
}

/// One of `most` equal stretches of the text after the other gives the word that stands at `offset`, 0 … 1, of it.
void BatchMaker::add_drawn(std::span<const WordCount> document, std::size_t most, double offset, Batch& batch) {
  std::uint64_t length = 0, end = 0;
  for (const WordCount& entry : document) length += entry.count;
  const double stretch = static_cast<double>(length) / static_cast<double>(most);
  const float share = 1.0f / static_cast<float>(most);
  std::size_t drawn = 0;
  for (const WordCount& entry : document) {
    end += entry.count;
    const std::size_t before = drawn;
    while (drawn < most && (static_cast<double>(drawn) + offset) * stretch < static_cast<double>(end)) ++drawn;
    if (drawn > before) add_term({entry.word, static_cast<float>(drawn - before) * share}, batch);
  }
}

void BatchMaker::make(std::span<const std::uint32_t> rows, Batch& batch, const WordDraw& draw) {
  if (++now_ == 0) {  // after four billion batches
    std::fill(stamp_.begin(), stamp_.end(), 0u);
    now_ = 1;
  }
  batch.begin.assign(1, 0);
  batch.terms.clear();
  batch.words.clear();
  Random random(draw.seed, Purpose::StepWords, draw.step);
  for (const std::uint32_t document : rows) {
    const auto row = counts_.row(document);
    if (draw.most > 0 && row.size() > draw.most) {
      add_drawn(row, draw.most, random.uniform(), batch);
    } else {
      for (const WordCount& entry : row) {
        add_term({entry.word, static_cast<float>(entry.count) * inverse_length_[document]}, batch);
      }
    }
    batch.begin.push_back(static_cast<std::uint32_t>(batch.terms.size()));
  }
  std::uint32_t at = 0;
  for (WordGradient& word : batch.words) at += std::exchange(word.begin, at);
  batch.word_terms.resize(batch.terms.size());
  for (std::uint32_t slot = 0; slot < rows.size(); ++slot) {
    for (std::uint32_t t = batch.begin[slot]; t < batch.begin[slot + 1]; ++t) {
      WordGradient& word = batch.words[place_[batch.terms[t].row]];
      batch.word_terms[word.begin++] = {slot, batch.terms[t].weight};
    }
  }
  // Filling moved each begin to its end, which is the next one's begin: move them back.
  batch.words.push_back({0, at});
  for (std::size_t n = batch.words.size() - 1; n > 0; --n) batch.words[n].begin = batch.words[n - 1].begin;
  batch.words.front().begin = 0;
}

}  // namespace idne
