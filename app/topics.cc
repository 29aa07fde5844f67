#include "idne/topics.h"

#include <fmt/format.h>

#include <memory>

#include "idne/output_file.h"
#include "serve/answers.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, out, format, rank, other;
  std::size_t top = 10, examples = 1, refit = 0;
  bool words = false, similar = false;
  int threads = 1;
};

void print_topics(const Model& model, const Arguments& arguments, int threads) {
  TopicQuery query{arguments.top, arguments.examples, {}};
  if (!arguments.rank.empty()) {
    query.ranking = arguments.rank == "product" ? WordRanking::Product : WordRanking::Distinctive;
  }
  const TopicDescriptions topics = describe_topics(model, query, threads);
  if (arguments.format == "json") return print_result(text_of(to_json(topics), 1) + "\n");
  std::vector<std::vector<std::string>> rows;
  for (const TopicDescription& topic : topics.topics) {
    std::string words;
    for (const RankedWord& word : topic.words) words += (words.empty() ? "" : " ") + word.word;
    rows.push_back({std::to_string(topic.topic), fmt::format("{:.1f} %", 100 * topic.share),
                    fmt::format("{:.2f}", topic.npmi), words});
    for (const ExampleDocument& document : topic.documents) {
      rows.push_back({"", "", "", "  e.g. " + (document.title.empty() ? document.id : document.title)});
    }
  }
  print_table({">topic", ">share", ">npmi", "words"}, rows);
  print_result(fmt::format("\ncoherence (NPMI) {:.3f}, diversity {:.2f}\n", topics.npmi, topics.diversity));
}

void print_words(const Model& model, const Arguments& arguments) {
  const auto longest = words_by_norm(model, arguments.top, true), shortest = words_by_norm(model, arguments.top, false);
  if (arguments.format == "json") {
    const Json json{{"largest", to_json(longest)}, {"smallest", to_json(shortest)}};
    return print_result(json.dump(1) + "\n");
  }
  std::vector<std::vector<std::string>> rows;
  for (std::size_t n = 0; n < longest.size(); ++n) {
    rows.push_back({fmt::format("{:.2f}", longest[n].norm), longest[n].word, fmt::format("{:.2f}", shortest[n].norm),
                    shortest[n].word});
  }
  print_table({">norm", "largest", ">norm", "smallest"}, rows);
}

void print_similar(const Model& model, const Arguments& arguments, int threads) {
  std::vector<SimilarTopics> pairs = similar_topics(model);
  pairs.resize(std::min(pairs.size(), arguments.top));
  if (arguments.format == "json") {
    Json json = Json::array();
    for (const SimilarTopics& pair : pairs) {
      json.push_back({{"topics", {pair.first, pair.second}}, {"cosine", pair.cosine}});
    }
    return print_result(json.dump(1) + "\n");
  }
  const StringsView names = model.strings("words.strings");
  const auto words = topic_words(model, own_ranking(model), 4, threads);
  const auto some_words = [&](std::size_t topic) {
    std::string text = std::to_string(topic) + ":";
    for (const std::uint32_t word : words[topic - 1]) text += fmt::format(" {}", names[word]);
    return text;
  };
  std::vector<std::vector<std::string>> rows;
  for (const SimilarTopics& pair : pairs) {
    rows.push_back({fmt::format("{:.2f}", pair.cosine), some_words(pair.first), some_words(pair.second)});
  }
  print_table({">cosine", "topic", "and topic"}, rows);
}

void print_matches(const Model& model, const Arguments& arguments, int threads) {
  constexpr std::size_t kWords = 10;  // as many as coherence is measured by
  const std::vector<MatchedTopics> matches = match_topics(model, Model::load(arguments.other), kWords, threads);
  double mean = 0;
  for (const MatchedTopics& match : matches) mean += match.overlap / static_cast<double>(matches.size());
  if (arguments.format == "json") {
    Json list = Json::array();
    for (const MatchedTopics& match : matches) {
      list.push_back({{"topics", {match.first, match.second}}, {"overlap", match.overlap}});
    }
    return print_result(Json{{"matches", list}, {"stability", mean}}.dump(1) + "\n");
  }
  const StringsView names = model.strings("words.strings");
  const auto words = topic_words(model, own_ranking(model), arguments.top, threads);
  std::vector<std::vector<std::string>> rows;
  for (const MatchedTopics& match : matches) {
    std::string text;
    for (const std::uint32_t word : words[match.first - 1])
      text += fmt::format("{}{}", text.empty() ? "" : " ", names[word]);
    rows.push_back({std::to_string(match.first), std::to_string(match.second),
                    fmt::format("{:.0f} %", 100 * match.overlap), text});
  }
  print_table({">topic", ">there", ">words in common", "words here"}, rows);
  print_result(
      fmt::format("\nstability {:.2f}: the mean share of a topic's first ten words that its partner has too\n", mean));
}

void topics_verb(const Arguments& arguments) {
  if (arguments.refit > 0 && arguments.out.empty()) throw UsageError("--refit needs -o, the model file to write");
  if (arguments.refit == 0 && !arguments.out.empty()) throw UsageError("-o: only --refit writes a model");
  if (!arguments.out.empty()) check_writable(arguments.out);
  const Session session(arguments.threads);
  Model model = Model::load(arguments.model);
  if (arguments.refit > 0) {
    model = refit_topics(model, arguments.refit, session.run());
    model.save(arguments.out, session.run());
    fmt::print(stderr, "{} topics fitted: {}\n", arguments.refit, arguments.out);
  }
  if (!arguments.other.empty()) return print_matches(model, arguments, session.run().threads);
  if (arguments.words) return print_words(model, arguments);
  if (arguments.similar) return print_similar(model, arguments, session.run().threads);
  print_topics(model, arguments, session.run().threads);
}

}  // namespace

void add_topics(CLI::App& program) {
  auto* verb = program.add_subcommand("topics", "words, share and examples of each topic");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  verb->add_option("--top", a->top, "words a topic; lines with --words and --similar-topics")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  auto* rank =
      verb->add_option("--rank", a->rank,
                       "words by their product with the topic, as in the paper, or those that tell it from the "
                       "others and occur together (default: distinctive if topics are fitted)");
  rank->check(CLI::IsMember({"product", "distinctive"}));
  verb->add_option("--examples", a->examples, "documents a topic")->check(CLI::Range(0, 1000))->capture_default_str();
  auto* words = verb->add_flag("--words", a->words, "the words with the largest and the smallest norms instead");
  auto* similar = verb->add_flag("--similar-topics", a->similar, "the pairs of topics nearest to each other instead");
  words->excludes(similar);
  verb->add_option("--compare", a->other, "match the topics with another model's instead: what survives another seed?")
      ->type_name("MODEL2")
      ->excludes(words)
      ->excludes(similar);
  verb->add_option("--refit", a->refit, "fit so many topics anew, without training, into the model -o")
      ->check(CLI::Range(1, 4096))
      ->type_name("K");
  verb->add_option("-o,--output", a->out, "the model file that --refit writes");
  add_format(*verb, a->format, {"text", "json"});
  add_threads(*verb, a->threads);
  verb->footer("Example:\n  idne topics my.idne --top 7\n  idne topics my.idne --refit 12 -o twelve.idne");
  verb->callback([a] { topics_verb(*a); });
}

}  // namespace idne::app
