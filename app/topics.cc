#include "idne/topics.h"

#include "idne/output_file.h"
#include "idne/train.h"
#include "json/texts.h"
#include "terminal.h"
#include "text/coherence.h"
#include "verbs.h"

namespace idne::app {
namespace {

/// Words of a topic after each other.
std::string some_words(const std::vector<std::uint32_t>& words, const Model& model) {
  std::string text;
  for (const std::uint32_t word : words)
    text += fmt::format("{}{}", text.empty() ? "" : " ", model.words().shown(word));
  return text;
}

bool as_json(const Options& options) { return options.text("format") == "json"; }

void print_topics(const Model& model, const Options& options) {
  TopicQuery query{options.size("top"), options.size("examples"), {}};
  if (options.given("rank")) {
    query.ranking = options.text("rank") == "product" ? WordRanking::Product : WordRanking::Distinctive;
  }
  const TopicDescriptions topics = describe_topics(model, query, threads_of(options));
  if (as_json(options)) return print_result(json_text(topics));
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

void print_words(const Model& model, const Options& options) {
  const std::size_t count = options.size("top");
  const auto longest = words_by_norm(model, count, true), shortest = words_by_norm(model, count, false);
  if (as_json(options)) return print_result(json_text(longest, shortest));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t n = 0; n < longest.size(); ++n) {
    rows.push_back({fmt::format("{:.2f}", longest[n].norm), longest[n].word, fmt::format("{:.2f}", shortest[n].norm),
                    shortest[n].word});
  }
  print_table({">norm", "largest", ">norm", "smallest"}, rows);
}

void print_similar(const Model& model, const Options& options) {
  std::vector<SimilarTopics> pairs = similar_topics(model);
  pairs.resize(std::min(pairs.size(), options.size("top")));
  if (as_json(options)) return print_result(json_text(pairs));
  constexpr std::size_t kWordsOfEach = 4;  // two topics share a line
  const auto words = topic_words(model, own_ranking(model), kWordsOfEach, threads_of(options));
  const auto named = [&](std::size_t topic) {
    return fmt::format("{}: {}", topic, some_words(words[topic - 1], model));
  };
  std::vector<std::vector<std::string>> rows;
  for (const SimilarTopics& pair : pairs) {
    rows.push_back({fmt::format("{:.2f}", pair.cosine), named(pair.first), named(pair.second)});
  }
  print_table({">cosine", "topic", "and topic"}, rows);
}

void print_matches(const Model& model, const Options& options) {
  const int threads = threads_of(options);
  const std::vector<MatchedTopics> matches =
      match_topics(model, Model::load(options.text("compare")), kCoherenceWords, threads);
  double mean = 0;
  for (const MatchedTopics& match : matches) mean += match.overlap / static_cast<double>(matches.size());
  if (as_json(options)) return print_result(json_text(matches, mean));
  const auto words = topic_words(model, own_ranking(model), options.size("top"), threads);
  std::vector<std::vector<std::string>> rows;
  for (const MatchedTopics& match : matches) {
    rows.push_back({std::to_string(match.first), std::to_string(match.second),
                    fmt::format("{:.0f} %", 100 * match.overlap), some_words(words[match.first - 1], model)});
  }
  print_table({">topic", ">there", ">words in common", "words here"}, rows);
  print_result(
      fmt::format("\nstability {:.2f}: the mean share of a topic's first ten words that its partner has too\n", mean));
}

void topics_asked(const Options& options) {
  const bool refit = options.given("refit");
  const std::string& out = options.text("output");
  if (refit && out.empty()) throw UsageError("--refit needs -o, the model file to write");
  if (!refit && !out.empty()) throw UsageError("-o: only --refit writes a model");
  if (!out.empty()) check_writable(out);
  const Session session(threads_of(options));
  Model model = Model::load(options.text("MODEL"));
  if (refit) {
    model = refit_topics(model, options.size("refit"), session.run());
    model.save(out, session.run());
    tell("{} topics fitted: {}\n", options.size("refit"), out);
  }
  if (options.given("compare")) return print_matches(model, options);
  if (options.flag("words")) return print_words(model, options);
  if (options.flag("similar-topics")) return print_similar(model, options);
  print_topics(model, options);
}

}  // namespace

Verb topics_verb() {
  return {"topics",
          "words, share and examples of each topic",
          {// A model may be replaced by itself with other topics: it is no input that -o must not be.
           OptionSpec::text("MODEL", "", model_option().help).needed(),
           OptionSpec::whole("top", 10, "words per topic; lines with --words and --similar-topics").within(1, 100000),
           OptionSpec::choice("rank", {"product", "distinctive"},
                              "words by their product with the topic, as in the paper, or those that tell it from the "
                              "others and occur together")
               .by_default_shown("distinctive if topics are fitted"),
           OptionSpec::whole("examples", 1, "documents per topic").within(0, 1000),
           OptionSpec::flag("words", "the words with the largest and the smallest norms instead"),
           OptionSpec::flag("similar-topics", "the pairs of topics nearest to each other instead").without({"words"}),
           OptionSpec::input("compare", "match the topics with another model's instead: what survives another seed?")
               .called("MODEL2")
               .without({"words", "similar-topics"}),
           OptionSpec::whole("refit", 0, "fit so many topics anew, without training, into the model -o")
               .within(1, 4096)
               .called("K"),
           OptionSpec::output("the model file that --refit writes"), format_option({"text", "json"}), threads_option()},
          "Example:\n  idne topics my.idne --top 7\n  idne topics my.idne --refit 12 -o twelve.idne",
          topics_asked};
}

}  // namespace idne::app
