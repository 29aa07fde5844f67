#include "idne/topics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "explain/matching.h"
#include "explain/topic_shares.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "methods/topic_fit.h"
#include "text/coherence.h"

namespace idne {
namespace {

using WordLists = std::vector<std::vector<std::uint32_t>>;

bool has_weights(const Topics& topics) {
  return !topics.ranked.empty() && topics.word_weights.size() == topics.ranked.size();
}

WordLists stored_ranking(const Topics& topics) {
  const std::size_t each = topics.ranked.size() / topics.size();
  WordLists lists(topics.size());
  for (std::size_t k = 0; k < topics.size(); ++k) {
    const auto part = topics.ranked.subspan(k * each, each);
    lists[k].assign(part.begin(), part.end());
    if (!has_weights(topics)) continue;
    const auto weights = topics.word_weights.subspan(k * each, each);
    const auto none = std::ranges::find_if(weights, [](float weight) { return !(weight > 0); });
    lists[k].resize(static_cast<std::size_t>(none - weights.begin()));  // the others only fill the file
  }
  return lists;
}

/// What a topic's ranked words weigh in it; nothing where the model does not keep that.
std::span<const float> stored_weights(const Topics& topics, WordRanking ranking, std::size_t k) {
  if (ranking != WordRanking::Distinctive || !has_weights(topics)) return {};
  const std::size_t each = topics.word_weights.size() / topics.size();
  return topics.word_weights.subspan(k * each, each);
}

WordLists found_ranking(const Model& model, int threads) {
  WordLists lists;
  for (RankedTopicWords& list :
       distinctive_words(model.document_words().counts(), model.word_vectors(), model.topics().vectors,
                         activation_of(model), families_of(model), threads)) {
    lists.push_back(std::move(list.words));
  }
  return lists;
}

WordLists by_product(const Model& model, std::size_t count, int threads) {
  WordLists lists;
  for (const auto& best : top_words(model.word_vectors(), model.topics().vectors, count, threads)) {
    lists.emplace_back();
    for (const ScoredWord& word : best) lists.back().push_back(word.word);
  }
  return lists;
}

/// Goes on with the largest products where more are asked for than a topic keeps. One that keeps fewer has no more.
void fill_up(WordLists& lists, const Model& model, std::size_t count, int threads) {
  const bool cut = has_weights(model.topics()) || model.topics().ranked.empty();
  const auto short_of = [&](const auto& list) {
    return list.size() < std::min(count, model.words().vectors.rows) && !(cut && list.size() < kRankedTopicWords);
  };
  if (std::none_of(lists.begin(), lists.end(), short_of)) return;
  const WordLists more = by_product(model, count + kRankedTopicWords, threads);
  for (std::size_t k = 0; k < lists.size(); ++k) {
    if (!short_of(lists[k])) continue;
    std::vector<std::uint32_t> known = lists[k];
    std::sort(known.begin(), known.end());
    for (const std::uint32_t word : more[k]) {
      if (!std::binary_search(known.begin(), known.end(), word)) lists[k].push_back(word);
    }
  }
}

void shorten(WordLists& lists, std::size_t count) {
  for (auto& list : lists) list.resize(std::min(list.size(), count));
}

std::vector<double> npmi_of(const Model& model, WordRanking ranking, const WordLists& lists) {
  if (ranking == own_ranking(model)) {
    const auto stored = model.topics().npmi;
    return {stored.begin(), stored.end()};
  }
  return npmi(model.document_words().counts(), lists);
}

/// The length in the middle of all documents that have words.
double usual_length(const CountMatrix& counts) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    if (counts.length(i) > 0) lengths.push_back(counts.length(i));
  }
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return static_cast<double>(*middle);
}

/// For each topic the documents that a reader would choose: it has a large share of them, they have the words that it
/// is shown by, and they say enough. A few words alone make a large share easily, so shares count as if a document had
/// as many words more, of no topic, as is usual.
std::vector<std::vector<ExampleDocument>> examples(const Model& model, const WordLists& lists, std::size_t count,
                                                   const Run& run) {
  const std::size_t topics = model.topics().size();
  const CountMatrix counts = model.document_words().counts();
  const std::vector<double> shares = shares_in_documents(model, counts, run.threads);
  const double more_words = usual_length(counts);
  const StringsView &ids = model.documents().ids, &titles = model.documents().titles;
  std::vector<std::vector<std::uint32_t>> shown_by(model.words().strings.size());  // topics, for each word
  for (std::uint32_t k = 0; k < topics; ++k) {
    for (const std::uint32_t word : lists[k]) shown_by[word].push_back(k);
  }
  std::vector<double> scores(counts.rows() * topics);
  parallel_parts(run.threads, counts.rows(), 256, [&](std::size_t begin, std::size_t end) {
    run.check();
    std::vector<double> has(topics);
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::fill(has, 1.0);
      for (const WordCount& entry : counts.row(i)) {
        for (const std::uint32_t k : shown_by[entry.word]) ++has[k];
      }
      const auto length = static_cast<double>(counts.length(i));
      for (std::size_t k = 0; k < topics && length > 0; ++k) {
        scores[i * topics + k] = shares[i * topics + k] * has[k] * length / (length + more_words);
      }
    }
  });
  std::vector<std::vector<ExampleDocument>> result(topics);
  std::vector<std::size_t> order(counts.rows());
  for (std::size_t k = 0; k < topics; ++k) {
    run.check();
    const auto score = [&](std::size_t i) { return scores[i * topics + k]; };
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kept = static_cast<std::ptrdiff_t>(std::min(count, order.size()));
    std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                      [&](std::size_t a, std::size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    for (std::size_t n = 0; n < static_cast<std::size_t>(kept) && score(order[n]) > 0; ++n) {
      const std::size_t i = order[n];
      result[k].push_back({std::string(ids[i]), std::string(titles[i]), shares[i * topics + k]});
    }
  }
  return result;
}

}  // namespace

WordRanking own_ranking(const Model& model) {
  return model.topics().ranked.empty() ? WordRanking::Product : WordRanking::Distinctive;
}

WordLists topic_words(const Model& model, WordRanking ranking, std::size_t count, int threads) {
  const Topics& topics = model.topics();
  if (ranking == WordRanking::Product) return by_product(model, count, threads);
  WordLists lists = !topics.ranked.empty() ? stored_ranking(topics) : found_ranking(model, threads);
  fill_up(lists, model, count, threads);
  shorten(lists, count);
  return lists;
}

TopicDescriptions describe_topics(const Model& model, const TopicQuery& query, const Run& run) {
  const WordRanking ranking = query.ranking.value_or(own_ranking(model));
  WordLists lists = topic_words(model, ranking, std::max(query.words, kCoherenceWords), run.threads);
  const StringsView& names = model.words().shown();
  const MatrixView words = model.word_vectors(), topics = model.topics().vectors;
  std::vector<std::string> called = topic_names(model, run.threads);
  const StringsView& given = model.topics().names;
  TopicDescriptions result{{}, ranking, 0, 0, 0};
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const bool named = given.size() > k && !given[k].empty();
    TopicDescription topic{k + 1, std::move(called[k]), named, model.topics().shares[k], 0, 0, {}, {}};
    const std::span<const float> weights = stored_weights(model.topics(), ranking, k);
    for (std::size_t n = 0; n < std::min(query.words, lists[k].size()); ++n) {
      const std::uint32_t word = lists[k][n];
      const float score = weights.empty()      ? dot(words.row(word).data(), topics.row(k).data(), words.columns)
                          : n < weights.size() ? weights[n]
                                               : 0;
      topic.words.push_back({std::string(names[word]), score});
    }
    result.topics.push_back(std::move(topic));
  }
  shorten(lists, kCoherenceWords);
  const std::vector<double> known = npmi_of(model, ranking, lists);
  const bool held_out = ranking == own_ranking(model) && !model.topics().coherence.empty();
  for (std::size_t k = 0; k < lists.size(); ++k) {
    TopicDescription& topic = result.topics[k];
    topic.npmi = known[k];
    topic.coherence = held_out ? model.topics().coherence[k] : known[k];
    result.npmi += topic.npmi / static_cast<double>(lists.size());
    result.coherence += topic.coherence / static_cast<double>(lists.size());
  }
  result.diversity = diversity(lists);
  if (query.documents > 0 && model.documents().words.size() > 0) {
    auto documents = examples(model, lists, query.documents, run);
    for (std::size_t k = 0; k < documents.size(); ++k) result.topics[k].documents = std::move(documents[k]);
  }
  return result;
}

std::vector<std::size_t> main_topics(const Model& model, int threads) {
  std::vector<std::size_t> result(model.documents().size());
  if (!model.has_topics() || model.documents().words.size() == 0) return result;
  const std::size_t topics = model.topics().size();
  const std::vector<double> shares = shares_in_documents(model, model.document_words().counts(), threads);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto row = std::span(shares).subspan(i * topics, topics);
    const auto best = std::max_element(row.begin(), row.end());
    if (*best > 0) result[i] = static_cast<std::size_t>(best - row.begin()) + 1;
  }
  return result;
}

std::vector<WordNorm> words_by_norm(const Model& model, std::size_t count, bool longest) {
  const MatrixView words = model.word_vectors();
  std::vector<ScoredWord> all(words.rows);
  for (std::uint32_t w = 0; w < words.rows; ++w) {
    all[w] = {w, std::sqrt(dot(words.row(w).data(), words.row(w).data(), words.columns))};
  }
  std::stable_sort(all.begin(), all.end(), [&](const ScoredWord& a, const ScoredWord& b) {
    return longest ? a.score > b.score : a.score < b.score;
  });
  all.resize(std::min(count, all.size()));
  std::vector<WordNorm> result;
  for (const ScoredWord& word : all) {
    result.push_back({std::string(model.words().shown(word.word)), word.score, model.words().counts[word.word]});
  }
  return result;
}

std::vector<MatchedTopics> match_topics(const Model& first, const Model& second, std::size_t words, const Run& run) {
  const auto sets_of = [&](const Model& model) {
    const StringsView& names = model.words().strings;  // however they are written
    std::vector<std::set<std::string_view>> sets;
    for (const auto& list : topic_words(model, own_ranking(model), words, run.threads)) {
      sets.emplace_back();
      for (const std::uint32_t word : list) sets.back().insert(names[word]);
    }
    return sets;
  };
  const auto a = sets_of(first), b = sets_of(second);
  const bool turned = a.size() > b.size();  // rows are the model that has fewer topics
  const auto &rows = turned ? b : a, &columns = turned ? a : b;
  std::vector<double> common(rows.size() * columns.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    run.check();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      common[r * columns.size() + c] = static_cast<double>(
          std::count_if(rows[r].begin(), rows[r].end(), [&](auto word) { return columns[c].contains(word); }));
    }
  }
  std::vector<MatchedTopics> matches;
  const std::vector<std::size_t> matched = best_matching(common, columns.size(), run);
  for (std::size_t r = 0; r < matched.size(); ++r) {
    const std::size_t one = turned ? matched[r] : r, other = turned ? r : matched[r];
    matches.push_back({one + 1, other + 1, common[r * columns.size() + matched[r]] / static_cast<double>(words)});
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const MatchedTopics& x, const MatchedTopics& y) { return x.overlap > y.overlap; });
  return matches;
}

}  // namespace idne
