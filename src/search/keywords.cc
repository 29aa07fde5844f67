#include "idne/keywords.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "idne/text.h"
#include "model/reading.h"
#include "search/postings.h"
#include "search/snippets.h"
#include "search/titles.h"
#include "text/stems.h"
#include "text/strings.h"

namespace idne {
namespace {

constexpr double kSaturation = 1.2, kLengthShare = 0.75;  // BM25's k1 and b
/// What a word that is almost the one that was asked for counts where there are documents with that one.
constexpr double kAlmost = 0.5;
/// Words and names of so many bytes that hardly any document has are mistyped rather than rare.
constexpr std::size_t kLong = 8;

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

/// Without what people write around a name: quotation marks, brackets, a full stop.
std::string_view without_punctuation(std::string_view text) {
  constexpr std::string_view kAround = "\"'`()[]{}<>.,;:!? ";
  const std::size_t begin = text.find_first_not_of(kAround);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

}  // namespace

struct KeywordIndex::State {
  State(const Model& model, const TextOf& text_of)
      : model(model),
        ids(model.documents().ids),
        rules(keyword_reading_of(model)),
        left_out(stop_words_of(model).words),
        postings(model, text_of, left_out),
        titles(model.documents().titles),
        folded_ids(model.documents().ids) {
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

  /// What stands for a word of a query.
  struct Meant {
    std::vector<std::uint32_t> words;   ///< itself and its stems, or, if there is nothing else, those a typo away
    std::vector<std::uint32_t> almost;  ///< if it is open, all that begin with it; those a typo away if it is rare
  };
  Meant meant_by(std::string_view word, std::span<const std::string> stems, bool open) const {
    Meant meant;
    const auto add = [&](std::string_view one) {
      const auto number = postings.find(one);
      if (number && std::ranges::find(meant.words, *number) == meant.words.end()) meant.words.push_back(*number);
    };
    add(word);
    for (const std::string& stem : stems) add(stem);
    if (open) {
      meant.almost = postings.words_with_prefix(word);
      std::erase_if(meant.almost,
                    [&](std::uint32_t w) { return std::ranges::find(meant.words, w) != meant.words.end(); });
    }
    return meant;
  }
  std::vector<Meant> meant_by(const Query& query) const {
    std::vector<Meant> all;
    std::size_t forgiven = 0;
    for (std::size_t n = 0; n < query.words.size(); ++n) {
      Meant& meant = all.emplace_back(meant_by(query.words[n], query.stems[n], query.words[n] == query.open_word));
      // All words are looked at, so only the first few of a query.
      constexpr std::size_t kMostForgiven = 8;
      if (!meant.almost.empty() || left_out.find(query.words[n])) continue;
      const bool known = !meant.words.empty();
      if ((known && !is_rare(query.words[n], meant)) || forgiven++ >= kMostForgiven) continue;
      (known ? meant.almost : meant.words) = postings.words_near(query.words[n]);
    }
    return all;
  }
  bool is_rare(std::string_view word, const Meant& meant) const {
    constexpr std::size_t kFew = 3;  // documents, in which it may be a slip itself
    return word.size() >= kLong && documents_with(meant.words).size() < kFew;
  }

  std::vector<Posting> documents_with(std::span<const std::uint32_t> words) const {
    if (words.size() != 1) return postings.joined(words);
    const auto list = postings.of(words[0]);
    return {list.begin(), list.end()};
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

  /// Notes how a query names documents: a better way counts.
  using Names = std::unordered_map<std::uint32_t, NameMatch>;
  Names named_by(std::string_view text, bool knows_words) const {
    Names names;
    const std::string_view whole = trimmed(text);
    const auto note = [&names](std::uint32_t row, NameMatch match) {
      NameMatch& known = names.try_emplace(row, NameMatch::None).first->second;
      known = std::max(known, match);
    };
    for (const std::uint32_t row : with_id_prefix(whole)) {
      note(row, ids[row].size() == whole.size() ? NameMatch::Id : NameMatch::IdPrefix);
    }
    constexpr std::size_t kLongest = 1000;  // longer texts are no titles
    if (whole.size() > kLongest) return names;
    Tokenizer tokenizer;
    const std::string folded = folded_title(whole, tokenizer);
    const StringsView& written = model.documents().titles;
    for (const std::uint32_t row : titles.with_prefix(folded)) {
      const bool same = titles.folded(row).size() == folded.size();
      note(row, !same                                              ? NameMatch::TitlePrefix
                : equal_but_for_case(trimmed(written[row]), whole) ? NameMatch::Title
                                                                   : NameMatch::FoldedName);
    }
    // "g++." is "g++" rather than "g", which folding makes of it.
    bool bare = false;
    for (const std::uint32_t row : with_id_prefix(without_punctuation(whole))) {
      if (ids[row].size() != without_punctuation(whole).size()) continue;
      note(row, NameMatch::FoldedName);
      bare = true;
    }
    if (!bare) {
      for (const std::uint32_t row : folded_ids.with_prefix(folded)) {
        if (folded_ids.folded(row).size() == folded.size()) note(row, NameMatch::FoldedName);
      }
    }
    // A short word that documents have is most likely meant as it is.
    if (knows_words && folded.size() < kLong) return names;
    for (const TitleIndex* index : {&titles, &folded_ids}) {
      for (const std::uint32_t row : index->nearly(folded)) note(row, NameMatch::NearName);
    }
    return names;
  }

  /// Rows whose id begins with the text, a range of by_id.
  std::span<const std::uint32_t> with_id_prefix(std::string_view text) const {
    if (text.empty()) return {};
    const auto begins = [&](std::uint32_t row) { return compare(ids[row].substr(0, text.size()), text); };
    const auto begin = std::ranges::partition_point(by_id, [&](std::uint32_t row) { return begins(row) < 0; });
    const auto end = std::partition_point(begin, by_id.end(), [&](std::uint32_t row) { return begins(row) == 0; });
    return {begin, end};
  }

  std::vector<FoundWord> found_in(std::string_view text, std::string_view asked, const Run& run) const;

  Model model;
  StringsView ids;
  TextRules rules;
  StringTable left_out;
  Postings postings;
  TitleIndex titles, folded_ids;
  std::vector<std::uint32_t> by_id;
};

KeywordIndex::KeywordIndex(const Model& model, const TextOf& text_of)
    : state_(std::make_shared<const State>(model, text_of)) {}

std::vector<KeywordHit> KeywordIndex::search(std::string_view text, std::size_t count, const Run& run) const {
  const State& state = *state_;
  const Query query = parse(text, state.rules);
  std::vector<double> scores(state.ids.size());
  std::vector<std::vector<Posting>> lists;  // of each word: all documents that have it
  std::vector<std::uint32_t> had(state.ids.size());
  std::uint32_t any_had = 0;  // how many words any document has
  bool knows_words = query.words.size() > 0;
  for (const State::Meant& meant : state.meant_by(query)) {
    run.check();
    knows_words &= state.postings.find(query.words[lists.size()]).has_value();
    std::vector<Posting> list = state.documents_with(meant.words);
    const double weight = state.weight(list.size());
    for (const Posting& posting : list) scores[posting.row] += state.score(posting, weight);
    if (!meant.almost.empty()) {
      std::vector<Posting> almost = state.postings.joined(meant.almost);
      const double its_weight =
          list.empty() ? state.weight(almost.size()) : kAlmost * std::min(weight, state.weight(almost.size()));
      const auto known = [&list](const Posting& p) {
        return std::ranges::binary_search(list, p.row, {}, &Posting::row);
      };
      std::erase_if(almost, known);
      for (const Posting& posting : almost) scores[posting.row] += state.score(posting, its_weight);
      list.insert(list.end(), almost.begin(), almost.end());
      std::ranges::sort(list, {}, &Posting::row);
    }
    for (const Posting& posting : list) ++had[posting.row];
    any_had += !list.empty();
    lists.push_back(std::move(list));
  }
  const State::Names names = state.named_by(text, knows_words);

  std::vector<KeywordHit> hits;
  for (std::uint32_t row = 0; row < scores.size(); ++row) {
    const auto named = names.find(row);
    if (scores[row] > 0 || named != names.end()) {
      hits.push_back({row,
                      scores[row],
                      {},
                      named == names.end() ? NameMatch::None : named->second,
                      any_had > 0 && had[row] == any_had});
    }
  }
  const auto kept = hits.begin() + static_cast<std::ptrdiff_t>(std::min(count, hits.size()));
  std::partial_sort(hits.begin(), kept, hits.end(), [](const KeywordHit& a, const KeywordHit& b) {
    if (a.name_match != b.name_match) return a.name_match > b.name_match;
    if (a.has_all != b.has_all) return a.has_all;
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  });
  hits.erase(kept, hits.end());
  for (KeywordHit& hit : hits) {
    for (std::size_t n = 0; n < lists.size(); ++n) {
      if (std::ranges::binary_search(lists[n], hit.row, {}, &Posting::row)) hit.words.emplace_back(query.words[n]);
    }
  }
  return hits;
}

std::vector<FoundWord> KeywordIndex::State::found_in(std::string_view text, std::string_view asked,
                                                     const Run& run) const {
  const Query query = parse(asked, rules);
  std::unordered_map<std::string_view, std::uint32_t> looked_for;  // which word of the query
  const std::vector<Meant> all = meant_by(query);
  for (std::uint32_t n = 0; n < all.size(); ++n) {
    looked_for.emplace(query.words[n], n);
    for (const std::string& stem : query.stems[n]) looked_for.emplace(stem, n);
    for (const std::uint32_t word : all[n].words) looked_for.emplace(postings.spelling(word), n);
    if (query.words[n] == query.open_word) continue;  // what it begins is told below
    for (const std::uint32_t word : all[n].almost) looked_for.emplace(postings.spelling(word), n);
  }
  const std::uint32_t open = query.open_word.empty() ? 0 : *query.words.find(query.open_word);
  std::vector<FoundWord> found;
  Tokenizer tokenizer;
  const auto look = [&](std::string_view word, std::size_t begin, std::size_t end) {
    const auto known = looked_for.find(word);
    if (known != looked_for.end()) {
      found.push_back({begin, end, known->second});
    } else if (!query.open_word.empty() && word.starts_with(query.open_word)) {
      found.push_back({begin, end, open});
    }
  };
  for_each_word(text, tokenizer, rules, look, run);
  return found;
}

std::vector<SnippetPart> KeywordIndex::snippet(std::string_view query, std::string_view text, std::size_t size) const {
  constexpr std::size_t kLookedAt = 20'000;
  text = whole_characters(text.substr(0, kLookedAt));
  return make_snippet(text, state_->found_in(text, query, {}), size);
}

std::vector<std::string> KeywordIndex::found_words(std::string_view query, std::string_view text,
                                                   const Run& run) const {
  StringTable words;
  for (const FoundWord& found : state_->found_in(text, query, run))
    words.add(text.substr(found.begin, found.end - found.begin));
  std::vector<std::string> all;
  for (std::size_t n = 0; n < words.size(); ++n) all.emplace_back(words[n]);
  return all;
}

std::vector<MergedHit> merge_hits(std::span<const KeywordHit> by_words, std::span<const Hit> by_meaning,
                                  std::size_t count) {
  constexpr double kOffset = 60;
  std::vector<MergedHit> hits;
  std::unordered_map<std::size_t, std::size_t> place_of;
  for (std::size_t rank = 0; rank < by_words.size(); ++rank) {
    const KeywordHit& hit = by_words[rank];
    place_of[hit.row] = rank;
    const double first = static_cast<double>(hit.name_match) + (hit.has_all ? 0.5 : 0);
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
                                     std::string_view query, std::span<const float> vector, std::size_t count,
                                     const Run& run) {
  // What is far down in one list can still be high in both.
  const std::size_t depth = std::max<std::size_t>(100, count);
  const bool has_meaning = std::ranges::any_of(vector, [](float value) { return value != 0; });
  const auto by_meaning = has_meaning ? documents.search(vector, depth) : std::vector<Hit>{};
  return merge_hits(keywords.search(query, depth, run), by_meaning, count);
}

}  // namespace idne
