#include "update/further_training.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/kernels.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "model/network_store.h"
#include "model/reading.h"
#include "update/topics_again.h"

namespace idne {
namespace {

/// What a method learns from, out of a model: its documents over the words that it knows, and those that came behind
/// them.
Corpus corpus_of(const Model& former, const CountMatrix& known_words, const WordsBeside& late, const Network& network) {
  Corpus corpus;
  const StringsView& words = former.words().strings;
  for (std::size_t w = 0; w < words.size(); ++w) corpus.vocabulary.words.add(words[w]);
  for (const std::string& word : late.words) corpus.vocabulary.words.add(word);
  const auto first_late = static_cast<std::uint32_t>(words.size());
  std::vector<WordCount> row;
  for (std::size_t i = 0; i < known_words.rows(); ++i) {
    row.assign(known_words.row(i).begin(), known_words.row(i).end());
    for (const WordCount& entry : late.counts.row(i)) row.push_back({first_late + entry.word, entry.count});
    corpus.counts.add_row(row);
  }
  corpus.vocabulary.counts.resize(corpus.words());
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    for (const WordCount& entry : corpus.counts.row(i)) corpus.vocabulary.counts[entry.word] += entry.count;
  }
  corpus.network = network;
  corpus.joins = joins_of(former);
  corpus.languages = languages_of(former);
  return corpus;
}

/// The documents that the words were learned from, and their links: those that came since are left out.
Corpus corpus_learned_from(const Model& former) {
  const Documents& documents = former.documents();
  const auto untrained = [&](std::uint32_t row) {
    return std::ranges::binary_search(documents.untrained, static_cast<std::int32_t>(row));
  };
  Corpus corpus;
  for (std::size_t w = 0; w < former.words().size(); ++w) corpus.vocabulary.words.add(former.words().strings[w]);
  std::vector<std::uint32_t> place;
  for (std::uint32_t row = 0; row < documents.size(); ++row) {
    place.push_back(untrained(row) ? Origin::kNone : static_cast<std::uint32_t>(corpus.counts.rows()));
    if (place.back() != Origin::kNone) corpus.counts.add_row(documents.words[row]);
  }
  StoredNetwork network = stored_network(former);
  std::erase_if(network.links, [&](Link& link) {
    link.a = place[link.a], link.b = place[link.b];
    return link.a == Origin::kNone || link.b == Origin::kNone;
  });
  std::erase_if(network.memberships, [&](Membership& member) {
    member.document = place[member.document];
    return member.document == Origin::kNone;
  });
  corpus.network = Network(corpus.counts.rows(), network.links, network.memberships);
  return corpus;
}

double length_of_row(std::span<const float> row) { return std::sqrt(dot(row.data(), row.data(), row.size())); }

/// A new word begins in the direction of the documents that have it, as long as the words that stand beside it are in
/// the mean.
void start_new_words(const Corpus& corpus, MatrixView documents, std::size_t known, std::vector<float>& words) {
  const std::size_t width = documents.columns, fresh = corpus.words() - known;
  std::vector<double> sums(fresh * width), lengths(fresh), neighbours(fresh);
  std::vector<double> length_of_word(known);
  for (std::size_t w = 0; w < known; ++w) length_of_word[w] = length_of_row({words.data() + w * width, width});
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    const auto row = corpus.counts.row(i);
    if (row.empty() || row.back().word < known) continue;
    const auto vector = documents.row(i);
    const double length = length_of_row(vector);
    double beside = 0, count = 0;
    for (const WordCount& entry : row) {
      if (entry.word < known) beside += entry.count * length_of_word[entry.word], count += entry.count;
    }
    for (auto entry = row.rbegin(); entry != row.rend() && entry->word >= known; ++entry) {
      const std::size_t n = entry->word - known;
      const double times = entry->count;
      for (std::size_t d = 0; d < width && length > 0; ++d) {
        sums[n * width + d] += times * static_cast<double>(vector[d]) / length;
      }
      lengths[n] += times * beside;
      neighbours[n] += times * count;
    }
  }
  words.resize(corpus.words() * width);
  for (std::size_t n = 0; n < fresh; ++n) {
    const std::span sum(sums.data() + n * width, width);
    const double length = std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0));
    if (!(length > 0) || !(neighbours[n] > 0)) continue;  // among unknown words alone: it begins at zero
    const double scale = lengths[n] / neighbours[n] / length;
    for (std::size_t d = 0; d < width; ++d) words[(known + n) * width + d] = static_cast<float>(scale * sum[d]);
  }
}

void store_words(const Model& former, const WordsBeside& late, const Corpus& corpus, std::vector<float> vectors,
                 ModelMaker& maker) {
  const std::size_t width = vectors.size() / corpus.words();
  std::vector<std::string_view> forms;
  for (std::size_t w = 0; w < former.words().size(); ++w) forms.push_back(former.words().shown(w));
  forms.insert(forms.end(), late.forms.begin(), late.forms.end());
  maker.set_strings(layout::kWordStrings, corpus.vocabulary.words.strings());
  maker.remove(layout::kWordForms);
  if (!std::ranges::equal(forms, corpus.vocabulary.words.strings())) maker.set_strings(layout::kWordForms, forms);
  maker.set(layout::kWordCounts,
            std::vector<std::int64_t>(corpus.vocabulary.counts.begin(), corpus.vocabulary.counts.end()));
  maker.set(layout::kWordVectors, std::move(vectors), corpus.words(), width);
  maker.set(layout::kDocumentWords, corpus.counts);
}

/// The mean cosine between former and new vectors of the documents that were there.
double mean_cosine(MatrixView before, MatrixView now, const Merge& merge) {
  double sum = 0, count = 0;
  for (std::size_t row = 0; row < merge.rows.size(); ++row) {
    if (merge.rows[row].old == Origin::kNone) continue;
    const auto a = before.row(row), b = now.row(row);
    const double lengths = length_of_row(a) * length_of_row(b);
    if (!(lengths > 0)) continue;
    sum += static_cast<double>(dot(a.data(), b.data(), a.size())) / lengths;
    ++count;
  }
  return count > 0 ? sum / count : 1;
}

}  // namespace

void train_further(const Model& former, const Merge& merge, const WordsBeside& late, const Network& network,
                   std::uint64_t steps, const Run& run, Updated& result) {
  const Method& method = find_method(former.info().method);
  const Options options = options_of(former);
  const CountMatrix known_words = result.model.document_words().counts();
  const std::vector<float> before = encode_all(known_words, *method.encoder(former), run);
  const std::size_t width = former.word_vectors().columns;
  const MatrixView before_view{before.data(), known_words.rows(), width};
  const Corpus corpus = corpus_of(former, known_words, late, network);

  const MatrixView words = former.word_vectors();
  const Corpus learned_from = corpus_learned_from(former);
  Method::Further further{{words.data, words.data + words.rows * width},
                          former.topics().vectors,
                          steps,
                          static_cast<std::uint64_t>(options.integer("steps")),
                          learned_from};
  start_new_words(corpus, before_view, words.rows, further.words);
  const double loss = method.train_further(corpus, options, further, run);

  ModelMaker maker(result.model);
  store_words(former, late, corpus, std::move(further.words), maker);
  std::vector<float> documents = encode_all(corpus.counts, *method.encoder(result.model), run);
  result.report.moved = mean_cosine(before_view, {documents.data(), corpus.documents(), width}, merge);
  result.report.new_words = late.words.size();
  maker.remove(layout::kHopVectors);
  maker.remove(layout::kSpectralScaling);
  maker.set(layout::kDocumentVectors, std::move(documents), corpus.documents(), width);
  result.report.topics = fit_topics_again(former, corpus, before_view, merge, run, result.model);
  if (const NeighbourJoin::Plan plan = NeighbourJoin::plan(options); plan.hops > 0) {
    NeighbourJoin::join_model(result.model, network, plan, run);
  }
  ModelInfo& info = maker.info();
  maker.remove(layout::kUntrained);
  info.options["steps"] = static_cast<std::int64_t>(further.before + steps);
  if (std::isfinite(loss)) info.loss = loss;
  std::ranges::fill(result.former, Updated::kNew);
}

}  // namespace idne
