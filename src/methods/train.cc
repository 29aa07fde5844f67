#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "idne/method.h"
#include "methods/cane.h"
#include "methods/graph2gauss.h"
#include "methods/gvnrt.h"
#include "methods/idne.h"
#include "methods/lsa.h"
#include "methods/neighbours.h"
#include "methods/tadw.h"
#include "model/document_words.h"

namespace idne {

std::span<const Method* const> methods() {
  static const std::array<const Method*, 6> all{&idne_method(),  &lsa_method(),         &tadw_method(),
                                                &gvnrt_method(), &graph2gauss_method(), &cane_method()};
  return all;
}

const Method& find_method(std::string_view name) {
  std::string known;
  for (const Method* method : methods()) {
    if (method->name() == name) return *method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", method->name());
  }
  throw Error(fmt::format("no method '{}'; there are: {}", name, known));
}

namespace {

/// Puts the joined vectors in the place of the text vectors, and keeps what a new document needs to be joined.
void join_documents(Model& model, const Network& network, std::size_t hops, int threads) {
  const MatrixView text = model.documents();
  std::vector<float> levels = neighbour_levels(text, network, hops, threads);
  const MatrixView rows{levels.data(), (hops + 1) * text.rows, text.columns};
  std::vector<float> stretch = stretch_of_levels(rows, text.rows, threads);
  const MatrixView both{stretch.data(), 2 * text.columns, text.columns};
  model.add("documents.vectors", join_levels(rows, text.rows, both, threads), {text.rows, 2 * text.columns});
  model.add("documents.stretch", std::move(stretch), {both.rows, both.columns});
  levels.resize(hops * text.rows * text.columns);
  model.add("documents.levels", std::move(levels), {hops * text.rows, text.columns});
}

void store_links(Model& model, const Network& network) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> values;
  for (std::uint32_t i = 0; i < network.documents(); ++i) {
    for (const std::uint32_t to : network.linked_documents(i)) values.push_back(static_cast<std::int32_t>(to));
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  model.add("documents.links.offsets", std::move(offsets));
  model.add("documents.links.values", std::move(values));
}

}  // namespace

Model train(const Collection& collection, const Method& method, const Options& options, const VocabularyRule& rule,
            const Run& run) {
  const Corpus corpus = make_corpus(collection, rule);
  run.check();
  Model model = method.fit(corpus, options, run);
  if (options.has("neighbours") && options.integer("neighbours") > 0) {
    join_documents(model, corpus.network, static_cast<std::size_t>(options.integer("neighbours")), run.threads);
  }

  nlohmann::json json = nlohmann::json::object();
  for (const OptionSpec& spec : options.table()) {
    std::visit([&](const auto& value) { json[spec.name] = value; }, options.value(spec.name));
  }
  json["min-count"] = rule.min_count;
  json["max-share"] = rule.max_share;
  json["stop-words"] = collection.stop_words;
  model.metadata["method"] = method.name();
  model.metadata["options"] = json.dump();
  model.metadata["links"] = std::to_string(corpus.network.links());
  model.metadata["groups"] = std::to_string(corpus.network.groups());
  model.metadata["dropped"] = collection.dropped.text();

  model.add_strings("words.strings", corpus.vocabulary.words.strings());
  store_document_words(model, corpus.counts);
  model.add("words.counts",
            std::vector<std::int64_t>(corpus.vocabulary.counts.begin(), corpus.vocabulary.counts.end()));
  store_links(model, corpus.network);
  model.add_strings("documents.ids", collection.ids.strings());
  model.add_strings("documents.titles", collection.titles);
  model.add_strings("labels.names", collection.labels.strings());
  model.add("documents.labels.offsets", collection.document_labels.offsets);
  model.add("documents.labels.values", collection.document_labels.values);
  return model;
}

TextEncoder::TextEncoder(const Model& model)
    : encoder_(find_method(model.text("method")).encoder(model)), documents_(model.documents().rows) {
  if (model.has("documents.levels")) {
    levels_ = model.matrix("documents.levels");
    stretch_ = model.matrix("documents.stretch");
  }
  const StringsView words = model.strings("words.strings");
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (vocabulary_.add(words[w]) != w) throw Error(fmt::format("the model has the word '{}' twice", words[w]));
  }
}

std::vector<WordCount> TextEncoder::words(std::string_view text, Tokenizer& tokenizer) const {
  std::vector<std::uint32_t> words;
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    if (const auto word = vocabulary_.find(token.word)) words.push_back(*word);
  }
  return count_words(std::move(words));
}

void TextEncoder::encode(std::span<const WordCount> words, std::span<const std::uint32_t> links,
                         std::span<float> out) const {
  if (!joined()) return encoder_->encode(words, out);
  std::vector<float> text(encoder_->dimensions());
  encoder_->encode(words, text);
  encode_vector(text, links, out);
}

void TextEncoder::encode_vector(std::span<const float> vector, std::span<const std::uint32_t> links,
                                std::span<float> out) const {
  if (joined()) {
    std::vector<std::uint32_t> once(links.begin(), links.end());
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    join_new(levels_, documents_, stretch_, vector, once, out);
  } else {
    std::copy(vector.begin(), vector.end(), out.begin());
  }
}

}  // namespace idne
