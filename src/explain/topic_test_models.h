#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "idne/model.h"
#include "methods/method.h"
#include "model/tensors.h"
#include "small_corpus.h"

namespace idne {

/// A model as `train` leaves it, of two kinds of documents that share no word.
inline Model trained(const std::string& fit, const std::string& topics = "2") {
  Corpus corpus = small_corpus(60, 40, 3);
  corpus.counts = {};
  std::vector<Link> links;
  for (std::uint32_t i = 0; i + 2 < 60; ++i) links.push_back({i, i + 2, 1});
  corpus.network = Network(60, links, {});
  Random random(1, Purpose::Generate, 1);
  for (std::uint32_t i = 0; i < 60; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 12; ++n) text.push_back(random.below(20) + 20 * (i % 2));
    corpus.counts.add_row(count_words(text));
  }
  const Method& method = find_method("idne");
  Options options(method.options());
  options.set("dim", "16");
  options.set("steps", "20");
  options.set("topics", topics);
  options.set("topic-fit", fit);
  Model model = method.fit(corpus, options, idne::Run{});
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) ids.push_back(fmt::format("d{}", i));
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.set(layout::kDocumentWords, corpus.counts);
  maker.set_strings(layout::kWordStrings, corpus.vocabulary.words.strings());
  maker.set(layout::kWordCounts, std::vector<std::int64_t>(40, 18));
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kDocumentTitles, ids);
  return model;
}

/// A model of topics along the axes of the word vectors: word w is what `words` says it is to each topic, and documents
/// have the words that are listed.
inline Model model_of(const std::vector<std::vector<float>>& words,
                      const std::vector<std::vector<WordCount>>& documents) {
  const std::size_t topics = words.front().size();
  std::vector<float> vectors, axes(topics * topics);
  std::vector<std::string> names, ids;
  for (const auto& word : words) {
    names.push_back(fmt::format("w{}", names.size()));
    vectors.insert(vectors.end(), word.begin(), word.end());
  }
  for (std::size_t k = 0; k < topics; ++k) axes[k * topics + k] = 1;
  CountMatrix counts;
  std::vector<std::int64_t> total(words.size());
  for (const auto& bag : documents) {
    ids.push_back(fmt::format("d{}", ids.size()));
    counts.add_row(bag);
    for (const WordCount& entry : bag) total[entry.word] += entry.count;
  }
  Model model;
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.info().attention = "relu";
  maker.set(layout::kWordVectors, std::move(vectors), words.size(), topics);
  maker.set_strings(layout::kWordStrings, names);
  maker.set(layout::kWordCounts, std::move(total));
  maker.set(layout::kTopicVectors, std::move(axes), topics, topics);
  maker.set(layout::kTopicShares, std::vector<float>(topics, 1.0f / static_cast<float>(topics)));
  maker.set(layout::kTopicNpmi, std::vector<float>(topics));
  maker.set(layout::kDocumentWords, counts);
  maker.set(layout::kDocumentVectors, std::vector<float>(documents.size() * topics), documents.size(), topics);
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kDocumentTitles, ids);
  maker.set(layout::kDocumentLabels, [&] {
    Lists labels;
    for (std::size_t i = 0; i < documents.size(); ++i) labels.end_row();
    return labels;
  }());
  maker.set_strings(layout::kLabelNames, std::vector<std::string>{});
  return model;
}

}  // namespace idne
