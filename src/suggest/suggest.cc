#include "idne/suggest.h"

#include <fmt/format.h>

#include <algorithm>

#include "math/parallel.h"
#include "model/reading.h"
#include "suggest/label_head.h"
#include "suggest/link_scorer.h"
#include "suggest/reasons.h"

namespace idne {
namespace {

std::vector<WordPart> largest_first(std::vector<WordPart> parts, std::size_t count) {
  std::ranges::stable_sort(parts,
                           [](const WordPart& a, const WordPart& b) { return std::abs(a.part) > std::abs(b.part); });
  parts.resize(std::min(count, parts.size()));
  return parts;
}

}  // namespace

struct Suggester::State {
  State(const TextEncoder& text_encoder, NearestSearch nearest_search)
      : encoder(text_encoder),
        model(text_encoder.model()),
        search(std::move(nearest_search)),
        weights(link_weights(model)),
        scorer(model),
        head(model, scorer.words().tfidf()) {
    const StringsView& late = model.words().late;
    for (std::size_t n = 0; n < late.size(); ++n) {
      if (late_words.add(late[n]) != n) throw Error(fmt::format("the model has the word '{}' twice", late[n]));
    }
    if (late.size() > 0) rules = reading_of(model);
  }

  std::vector<WordCount> words(std::string_view text, Tokenizer& tokenizer, const Run& run) const {
    if (late_words.size() == 0) return encoder.words(text, tokenizer, run);
    std::vector<std::uint32_t> words;
    const auto note = [&](std::string_view word, std::size_t, std::size_t) {
      if (const auto known = encoder.vocabulary().find(word)) {
        words.push_back(*known);
      } else if (const auto late = late_words.find(word)) {
        words.push_back(static_cast<std::uint32_t>(model.words().size() + *late));
      }
    };
    for_each_word(text, tokenizer, rules, note, run);
    return count_words(std::move(words));
  }

  /// Those of a text's words that the model has vectors of.
  std::span<const WordCount> with_vectors(std::span<const WordCount> words) const {
    const auto late = std::ranges::lower_bound(words, model.words().size(), {}, &WordCount::word);
    return words.first(static_cast<std::size_t>(late - words.begin()));
  }

  std::vector<SuggestedLabel> labels(std::span<const WordCount> words, std::span<const float> vector,
                                     const LinkReasons* reasons, const SuggestionCounts& counts, const Run& run) const {
    if (head.empty()) return {};
    const std::vector<double> probabilities = head.probabilities(words, vector);
    std::vector<SuggestedLabel> labels;
    for (std::size_t k = 0; k < probabilities.size(); ++k) labels.push_back({k, probabilities[k], {}});
    const auto end = labels.begin() + static_cast<std::ptrdiff_t>(std::min(counts.labels, labels.size()));
    std::partial_sort(labels.begin(), end, labels.end(), [](const SuggestedLabel& a, const SuggestedLabel& b) {
      return a.probability != b.probability ? a.probability > b.probability : a.label < b.label;
    });
    labels.erase(end, labels.end());
    for (SuggestedLabel& label : labels) {
      run.check();
      if (reasons) label.words = label_words(label.label, words, *reasons, counts.words);
    }
    return labels;
  }

  /// What each word adds to a label's log odds, by itself and through the text's vector.
  std::vector<WordPart> label_words(std::size_t label, std::span<const WordCount> words, const LinkReasons& reasons,
                                    std::size_t count) const {
    std::vector<WordPart> parts;
    const std::vector<double> own = head.word_parts(label, words);
    for (std::size_t n = 0; n < own.size(); ++n) parts.push_back({words[n].word, own[n]});
    for (const WordPart& part : reasons.word_parts_of(head.direction(label))) {
      const auto at = std::ranges::lower_bound(parts, part.word, {}, &WordPart::word);
      if (at != parts.end() && at->word == part.word) at->part += part.part;
    }
    return largest_first(std::move(parts), count);
  }

  void explain(SuggestedLink& link, std::span<const WordCount> words, const LinkReasons& reasons,
               const LinkScorer::Ranking& ranking, const SuggestionCounts& counts) const {
    const BagsView& bags = scorer.documents();
    if (bags.size() > 0 && link.parts.words > 0) {
      link.words = scorer.words().parts(words, link.document, bags[link.document], counts.words);
    }
    reasons.explain_space(link, weights.space, counts);
    for (const Voter& voter : ranking.voters) {
      const double share = scorer.neighbours().share(voter.document, link.document, ranking.firsts);
      if (share > 0) link.voters.push_back({voter.document, voter.weight * share});
    }
    std::ranges::stable_sort(link.voters, std::ranges::greater{}, &Voter::weight);
    link.voters.resize(std::min(counts.words, link.voters.size()));
    link.reasons = one_idea_once(link.words, link.pairs, model.words(), counts.words, kLeastReason * link.score);
  }

  Suggestions suggest(const LinkScorer::Query& given, const SuggestionCounts& counts, const Run& run) const {
    Suggestions result;
    if (std::ranges::all_of(given.vector, [](float x) { return x == 0; }) && given.words.empty()) {
      result.doubts.emplace_back("none of its words is known");
      return result;
    }
    const std::vector<Hit> nearest = search(
        given.vector, std::max(LinkScorer::kNearest, counts.links + std::min(kMostLeftOut, given.left_out.size()) + 1));
    run.check();
    LinkScorer::Query query = given;
    query.nearest = nearest;
    const LinkScorer::Ranking ranking = scorer.rank(query, counts.links);
    run.check();
    const bool wanted = counts.words > 0 || counts.topics > 0;
    std::optional<LinkReasons> reasons;
    if (wanted) reasons.emplace(encoder, with_vectors(query.words), query.vector);
    result.labels = labels(query.words, query.vector, wanted ? &*reasons : nullptr, counts, run);
    for (const LinkScorer::Scored& scored : ranking.links) {
      run.check();
      result.links.push_back({scored.document, scored.score, scored.parts, {}, {}, {}, {}, {}});
      if (wanted) explain(result.links.back(), query.words, *reasons, ranking, counts);
    }
    add_doubts(query, result);
    return result;
  }

  /// Likenesses below which a text is near nothing: of twenty hidden documents of a corpus at most one is so far from
  /// all others (docs/suggest.md), of texts about something else nearly all are.
  static constexpr double kFarInWords = 0.12, kFarInSpace = 0.3;
  static constexpr std::size_t kFewWords = 3;
  /// Share of a link's score below which a word is no reason.
  static constexpr double kLeastReason = 0.02;
  /// Of thousands that are left out, members of large groups, few are among the nearest.
  static constexpr std::size_t kMostLeftOut = 300;

  void add_doubts(const LinkScorer::Query& query, Suggestions& result) const {
    if (query.words.size() < kFewWords) {
      result.doubts.push_back(
          fmt::format("only {} of its words {} known", query.words.size(), query.words.size() == 1 ? "is" : "are"));
    }
    double words = 0;
    for (const SuggestedLink& link : result.links) words = std::max(words, link.parts.words);
    const double space = query.nearest.empty() ? 0 : static_cast<double>(query.nearest.front().score);
    if (words < kFarInWords && space < kFarInSpace) result.doubts.emplace_back("no document is much like it");
  }

  const TextEncoder& encoder;
  const Model& model;
  NearestSearch search;
  LinkWeights weights;
  LinkScorer scorer;
  LabelHead head;
  StringTable late_words;
  TextRules rules;  ///< by which texts are read, if there are late words
};

Suggester::Suggester(const TextEncoder& encoder, int threads)
    : Suggester(encoder, [&model = encoder.model(), threads](std::span<const float> query, std::size_t count) {
        return nearest(model.documents().vectors, query, count, threads);
      }) {}
Suggester::Suggester(const TextEncoder& encoder, NearestSearch search)
    : state_(std::make_unique<const State>(encoder, std::move(search))) {}
Suggester::~Suggester() = default;
Suggester::Suggester(Suggester&&) noexcept = default;

std::vector<WordCount> Suggester::words(std::string_view text, Tokenizer& tokenizer, const Run& run) const {
  return state_->words(text, tokenizer, run);
}

Suggestions Suggester::suggest(std::span<const WordCount> words, const SuggestionCounts& counts, const Run& run) const {
  std::vector<float> vector(state_->encoder.dimensions());
  state_->encoder.encode(state_->with_vectors(words), {}, vector);
  return state_->suggest({words, {}, vector, {}, {}}, counts, run);
}

Suggestions Suggester::suggest_missing(std::size_t document, const SuggestionCounts& counts, const Run& run) const {
  static_cast<void>(state_->model.document_words());  // or it says that it does not keep them
  const std::vector<WordCount> words = state_->scorer.documents()[document];
  const Documents& documents = state_->model.documents();
  std::vector<std::uint32_t> left_out = state_->scorer.neighbours().all(document);
  if (documents.rejected_links.size() > 0) {
    for (const std::int32_t row : documents.rejected_links[document])
      left_out.push_back(static_cast<std::uint32_t>(row));
    std::ranges::sort(left_out);
    left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  }
  const auto no_labels =
      documents.rejected_labels.size() > 0 ? documents.rejected_labels[document] : std::span<const std::int32_t>{};
  SuggestionCounts more = counts;
  more.labels += no_labels.size();
  Suggestions result = state_->suggest(
      {words, {}, documents.vectors.row(document), static_cast<std::uint32_t>(document), left_out}, more, run);
  std::erase_if(result.labels, [&](const SuggestedLabel& one) {
    return std::ranges::binary_search(no_labels, static_cast<std::int32_t>(one.label));
  });
  result.labels.resize(std::min(counts.labels, result.labels.size()));
  return result;
}

std::vector<MissingLink> missing_links(const Suggester& suggester, std::size_t documents, std::size_t per_document,
                                       const Run& run) {
  std::vector<std::vector<MissingLink>> found(documents);
  parallel_parts(run, "linking", documents, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (const SuggestedLink& link : suggester.suggest_missing(i, {0, per_document, 0, 0}).links) {
        found[i].push_back({i, link.document, link.score});
      }
    }
  });
  std::vector<MissingLink> result;
  for (const auto& links : found) result.insert(result.end(), links.begin(), links.end());
  const auto by_pair = [&](const MissingLink& a, const MissingLink& b) {
    const auto x = std::minmax(a.from, a.to), y = std::minmax(b.from, b.to);
    return x != y ? x < y : a.score > b.score;
  };
  std::ranges::stable_sort(result, by_pair);  // each pair once, as its better end sees it
  const auto again = std::ranges::unique(result, [](const MissingLink& a, const MissingLink& b) {
    return std::minmax(a.from, a.to) == std::minmax(b.from, b.to);
  });
  result.erase(again.begin(), again.end());
  std::ranges::stable_sort(result, std::ranges::greater{}, &MissingLink::score);
  return result;
}

}  // namespace idne
