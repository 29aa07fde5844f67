#include "idne/keywords.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "idne/text.h"
#include "model/reading.h"
#include "search/postings.h"
#include "text/stems.h"
#include "text/strings.h"

namespace idne {
namespace {

constexpr double kSaturation = 1.2, kLengthShare = 0.75;  // BM25's k1 and b

/// The distinct words of a query, and whether its last word may go on.
struct Query {
  StringTable words;
  std::vector<std::vector<std::string>> stems;  ///< of each word, in the model's other languages
  std::string open_word;                        ///< the last word, if the text ends with it
};
Query parse(std::string_view text, const TextRules& rules) {
  Query query;
  Tokenizer tokenizer;
  struct Place {
    std::uint32_t word;
    std::size_t begin, end;
  };
  std::vector<Place> places;
  for_each_word(text, tokenizer, rules, [&](std::string_view word, std::size_t begin, std::size_t end) {
    places.push_back({query.words.add(word), begin, end});
    query.open_word = end == text.size() ? word : std::string_view();
  });
  query.stems.resize(query.words.size());
  if (!rules.stems) return query;
  // A few words hardly tell their language.
  for (const Place& place : places) {
    for (const std::string& word : folded_words(text.substr(place.begin, place.end - place.begin), tokenizer)) {
      for (std::size_t language = 0; language < languages().size(); ++language) {
        if (contains(rules.languages, language)) query.stems[place.word].push_back(stem_of(word, language));
      }
    }
  }
  return query;
}

}  // namespace

struct KeywordIndex::State {
  explicit State(const Model& model)
      : model(model),
        ids(model.documents().ids),
        rules(keyword_reading_of(model)),
        postings(model, stop_words_of(model).words) {
    for (std::uint32_t row = 0; row < ids.size(); ++row) by_id.push_back(row);
    std::ranges::sort(by_id, [&](std::uint32_t a, std::uint32_t b) {
      const int order = compare(ids[a], ids[b]);
      return order != 0 ? order < 0 : a < b;
    });
  }

  /// As bytes, but "A" is "a".
  static int compare(std::string_view a, std::string_view b) {
    const auto [x, y] = std::ranges::mismatch(a, b, [](char p, char q) { return lower_ascii(p) == lower_ascii(q); });
    if (x == a.end()) return y == b.end() ? 0 : -1;
    if (y == b.end()) return 1;
    return static_cast<unsigned char>(lower_ascii(*x)) < static_cast<unsigned char>(lower_ascii(*y)) ? -1 : 1;
  }

  /// The documents that have a word of a query or one of its other stems, and how often. An open word that no document
  /// has is every word that begins with it.
  std::vector<Posting> documents_with(std::string_view word, std::span<const std::string> stems, bool open) const {
    std::vector<std::uint32_t> known;
    const auto add = [&](std::string_view one) {
      const auto number = postings.find(one);
      if (number && std::ranges::find(known, *number) == known.end()) known.push_back(*number);
    };
    add(word);
    for (const std::string& stem : stems) add(stem);
    if (known.size() == 1) {
      const auto list = postings.of(known[0]);
      return {list.begin(), list.end()};
    }
    if (!known.empty()) return postings.joined(known);
    return open ? postings.joined(postings.words_with_prefix(word)) : std::vector<Posting>{};
  }

  double weight(std::size_t documents) const {
    const auto n = static_cast<double>(documents);
    return std::log(1 + (static_cast<double>(ids.size()) - n + 0.5) / (n + 0.5));
  }
  double score(const Posting& posting, double weight) const {
    const double share = postings.length(posting.row) / std::max(postings.mean_length(), 1e-9);
    const double count = posting.count;
    return weight * count * (kSaturation + 1) / (count + kSaturation * (1 - kLengthShare + kLengthShare * share));
  }

  /// Rows whose id begins with the text, a range of by_id.
  std::span<const std::uint32_t> with_id_prefix(std::string_view text) const {
    if (text.empty()) return {};
    const auto begins = [&](std::uint32_t row) { return compare(ids[row].substr(0, text.size()), text); };
    const auto begin = std::ranges::partition_point(by_id, [&](std::uint32_t row) { return begins(row) < 0; });
    const auto end = std::partition_point(begin, by_id.end(), [&](std::uint32_t row) { return begins(row) == 0; });
    return {begin, end};
  }

  Model model;
  StringsView ids;
  TextRules rules;
  Postings postings;
  std::vector<std::uint32_t> by_id;
};

KeywordIndex::KeywordIndex(const Model& model) : state_(std::make_shared<const State>(model)) {}

std::vector<KeywordHit> KeywordIndex::search(std::string_view text, std::size_t count) const {
  const State& state = *state_;
  const Query query = parse(text, state.rules);
  std::vector<double> scores(state.ids.size());
  std::vector<std::vector<Posting>> lists;
  double most = 1;  // more than all words of the query can give
  for (std::size_t n = 0; n < query.words.size(); ++n) {
    const std::string_view word = query.words[n];
    lists.push_back(state.documents_with(word, query.stems[n], word == query.open_word));
    const double weight = state.weight(lists.back().size());
    most += weight * (kSaturation + 1);
    for (const Posting& posting : lists.back()) scores[posting.row] += state.score(posting, weight);
  }
  const std::string_view id = trimmed(text);
  const auto named = state.with_id_prefix(id);
  for (const std::uint32_t row : named) scores[row] += state.ids[row].size() == id.size() ? 2 * most : most;

  std::vector<KeywordHit> hits;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (scores[row] > 0) hits.push_back({row, scores[row], {}, IdMatch::None});
  }
  const auto kept = hits.begin() + static_cast<std::ptrdiff_t>(std::min(count, hits.size()));
  std::partial_sort(hits.begin(), kept, hits.end(), [](const KeywordHit& a, const KeywordHit& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  });
  hits.erase(kept, hits.end());
  for (KeywordHit& hit : hits) {
    if (hit.score >= most) hit.id_match = hit.score >= 2 * most ? IdMatch::Whole : IdMatch::Prefix;
    for (std::size_t n = 0; n < lists.size(); ++n) {
      if (std::ranges::binary_search(lists[n], hit.row, {}, &Posting::row)) hit.words.emplace_back(query.words[n]);
    }
  }
  return hits;
}

std::vector<MergedHit> merge_hits(std::span<const KeywordHit> by_words, std::span<const Hit> by_meaning,
                                  std::size_t count) {
  constexpr double kOffset = 60;
  std::vector<MergedHit> hits;
  std::unordered_map<std::size_t, std::size_t> place_of;
  for (std::size_t rank = 0; rank < by_words.size(); ++rank) {
    const KeywordHit& hit = by_words[rank];
    place_of[hit.row] = rank;
    const double first = hit.id_match == IdMatch::Whole ? 1 : 0;
    hits.push_back({hit.row, first + 1 / (kOffset + static_cast<double>(rank) + 1), hit.words, std::nullopt});
  }
  for (std::size_t rank = 0; rank < by_meaning.size(); ++rank) {
    const double score = 1 / (kOffset + static_cast<double>(rank) + 1);
    const auto known = place_of.find(by_meaning[rank].row);
    if (known == place_of.end()) {
      hits.push_back({by_meaning[rank].row, score, {}, by_meaning[rank].score});
    } else {
      hits[known->second].score += score;
      hits[known->second].cosine = by_meaning[rank].score;
    }
  }
  std::ranges::sort(hits, [](const MergedHit& a, const MergedHit& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  });
  hits.resize(std::min(hits.size(), count));
  return hits;
}

std::vector<MergedHit> merged_search(const KeywordIndex& keywords, const DocumentIndex& documents,
                                     std::string_view query, std::span<const float> vector, std::size_t count) {
  // What is far down in one list can still be high in both.
  const std::size_t depth = std::max<std::size_t>(100, count);
  const bool has_meaning = std::ranges::any_of(vector, [](float value) { return value != 0; });
  const auto by_meaning = has_meaning ? documents.search(vector, depth) : std::vector<Hit>{};
  return merge_hits(keywords.search(query, depth), by_meaning, count);
}

}  // namespace idne
