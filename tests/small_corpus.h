#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "math/random.h"

namespace idne {

/// A random corpus over `words` words named w0, w1 …: documents of up to 12 distinct words, one of them empty, in a
/// ring of links with some chords and one group; the last document has no link.
inline Corpus small_corpus(std::uint32_t documents, std::uint32_t words, std::uint64_t seed) {
  Corpus corpus;
  for (std::uint32_t w = 0; w < words; ++w) {
    corpus.vocabulary.words.add(fmt::format("w{}", w));
    corpus.vocabulary.counts.push_back(1);
  }
  Random random(seed, Purpose::Generate, 0);
  for (std::uint32_t i = 0; i < documents; ++i) {
    std::vector<std::uint32_t> text;
    for (std::uint32_t n = 1 + random.below(12); n > 0 && i != 3; --n) text.push_back(random.below(words));
    corpus.counts.add_row(count_words(text));
  }
  std::vector<Link> links;
  for (std::uint32_t i = 0; i + 2 < documents; ++i) links.push_back({i, i + 1, 1});
  for (std::uint32_t i = 0; i + 6 < documents; i += 4) links.push_back({i, i + 5, 0.5f});
  std::vector<Membership> members;
  for (std::uint32_t i = 0; i + 1 < documents; i += 3) members.push_back({i, 0});
  corpus.network = Network(documents, links, members);
  return corpus;
}

/// A corpus of these texts, words between spaces, all words kept.
inline Corpus small_corpus(const std::vector<std::string>& texts, const std::vector<Link>& links) {
  Corpus corpus;
  for (const std::string& text : texts) {
    std::vector<std::uint32_t> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
      words.push_back(static_cast<std::uint32_t>(corpus.vocabulary.words.add(word)));
      corpus.vocabulary.counts.resize(corpus.vocabulary.words.size());
      ++corpus.vocabulary.counts[words.back()];
    }
    corpus.counts.add_row(count_words(words));
  }
  corpus.network = Network(texts.size(), links, {});
  return corpus;
}

/// Two crowds of documents with words of their own and words that all share; links within each crowd.
inline Corpus two_crowds(std::uint32_t each) {
  Corpus corpus;
  for (std::uint32_t w = 0; w < 40; ++w) corpus.vocabulary.words.add(fmt::format("w{}", w));
  corpus.vocabulary.counts.assign(40, 1);
  Random random(4, Purpose::Generate, 0);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 2 * each; ++i) {
    const std::uint32_t side = i / each;
    std::vector<std::uint32_t> text{side * 10 + random.below(10)};
    for (int n = 0; n < 4; ++n) text.push_back(20 + random.below(20));
    corpus.counts.add_row(count_words(text));
    for (const std::uint32_t step : {1u, 3u, 7u}) links.push_back({i, side * each + (i + step) % each, 1});
  }
  corpus.network = Network(2 * each, links, {});
  return corpus;
}

}  // namespace idne
