#include "idne/topics.h"

#include <algorithm>
#include <charconv>

#include "idne/output_file.h"
#include "idne/train.h"
#include "json/texts.h"
#include "terminal.h"
#include "text/coherence.h"
#include "topic_views.h"
#include "verbs.h"

namespace idne::app {
namespace {

/// Words of a topic after each other.
std::string some_words(const std::vector<std::uint32_t>& words, const Model& model) {
  std::vector<std::string> shown;
  for (const std::uint32_t word : words) shown.emplace_back(model.words().shown(word));
  return in_a_row(shown);
}

bool as_json(const Options& options) { return options.text("format") == "json"; }

void print_topics(const Model& model, const Options& options, const Run& run) {
  TopicQuery query{options.size("top"), options.size("examples"), {}};
  if (options.given("rank")) {
    query.ranking = options.text("rank") == "product" ? WordRanking::Product : WordRanking::Distinctive;
  }
  const TopicDescriptions topics = describe_topics(model, query, run);
  if (as_json(options)) return print_result(json_text(topics));
  std::vector<std::vector<std::string>> rows;
  for (const TopicDescription& topic : topics.topics) {
    ShownTopic shown{topic.name, topic.named, {}};
    for (const RankedWord& word : topic.words) shown.words.push_back(word.word);
    rows.push_back({std::to_string(topic.topic), fmt::format("{:.1f} %", 100 * topic.share),
                    fmt::format("{:.2f}", topic.coherence), shown.text()});
    for (const ExampleDocument& document : topic.documents) {
      rows.push_back({"", "", "", "  e.g. " + (document.title.empty() ? document.id : document.title)});
    }
  }
  print_table({">topic", ">share", ">coherence", "words"}, rows, true);
  print_result(fmt::format("\ncoherence (NPMI) {:.3f}, diversity {:.2f}\n", topics.coherence, topics.diversity));
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

void print_matches(const Model& model, const Options& options, const Run& run) {
  const std::vector<MatchedTopics> matches =
      match_topics(model, Model::load(options.text("compare")), kCoherenceWords, run);
  double mean = 0;
  for (const MatchedTopics& match : matches) mean += match.overlap / static_cast<double>(matches.size());
  if (as_json(options)) return print_result(json_text(matches, mean));
  const auto words = topic_words(model, own_ranking(model), options.size("top"), run.threads);
  std::vector<std::vector<std::string>> rows;
  for (const MatchedTopics& match : matches) {
    rows.push_back({std::to_string(match.first), std::to_string(match.second),
                    fmt::format("{:.0f} %", 100 * match.overlap), some_words(words[match.first - 1], model)});
  }
  print_table({">topic", ">there", ">words in common", "words here"}, rows, true);
  print_result(fmt::format("\nstability {:.2f}: mean share of a topic's first ten words that its partner has\n", mean));
}

/// The model with the names that --name gives, "3=Space flight"; "3=" takes a name away.
Model named(const Model& model, const std::vector<std::string>& names) {
  std::vector<TopicName> given;
  for (const std::string& text : names) {
    const std::size_t sign = text.find('=');
    std::size_t topic = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + std::min(sign, text.size()), topic);
    if (sign == std::string::npos || error != std::errc() || end != text.data() + sign) {
      throw UsageError(
          fmt::format("--name: '{}' should be a topic's number and its name, such as 3='Space flight'", text));
    }
    given.push_back({topic, text.substr(sign + 1)});
  }
  return name_topics(model, given);
}

/// None for "auto".
std::vector<std::size_t> numbers_asked(const std::vector<std::string>& texts) {
  if (texts == std::vector<std::string>{"auto"}) return {};
  const std::vector<OptionSpec> one{OptionSpec::whole("refit", 1, "").within(1, kMostTopics)};
  std::vector<std::size_t> numbers;
  for (const std::string& text : texts) {
    Options parsed(one);
    try {
      parsed.set("refit", text);
    } catch (const Error& error) {
      throw UsageError(std::string(error.what()) + ", with commas between several, or auto");
    }
    numbers.push_back(parsed.size("refit"));
  }
  return numbers;
}

void print_tried(const std::vector<TopicsTried>& tried, const Options& options) {
  if (as_json(options)) return print_result(json_text(tried));
  std::vector<std::vector<std::string>> rows;
  for (const TopicsTried& one : tried) {
    rows.push_back({std::to_string(one.topics), fmt::format("{:.3f}", one.coherence),
                    fmt::format("{:.2f}", one.diversity), fmt::format("{:.3f}", one.coherence * one.diversity),
                    fmt::format("{:.3f}", one.npmi), one.chosen && tried.size() > 1 ? "the most that hold up" : ""});
  }
  print_table({">topics", ">coherence", ">diversity", ">product", ">npmi", ""}, rows);
}

void check_output(const Options& options) {
  const std::string& out = options.text("output");
  const bool model = options.given("refit") || options.given("name");  // is what -o gets
  const bool view = options.flag("tree") || options.given("by");
  if (options.given("name") && out.empty()) throw UsageError("--name needs -o, the model file to write");
  if (!model && !view && !out.empty()) throw UsageError("-o: only --refit, --name, --tree and --by write a file");
  if (!out.empty()) check_writable(out);
}

void topics_asked(const Options& options) {
  check_output(options);
  const std::string& out = options.text("output");
  if (options.given("refit") && out.empty()) {
    for (const char* view : {"compare", "words", "similar-topics"}) {
      if (options.given(view))
        throw UsageError(fmt::format("--refit with --{} needs -o, the model file to write", view));
    }
  }
  const Session session(threads_of(options));
  Model model = Model::load(options.text("MODEL"));
  if (options.given("refit")) {
    std::vector<std::size_t> numbers = numbers_asked(options.list("refit"));
    const bool compare = numbers.size() != 1 || out.empty();
    if (compare) {
      const std::vector<TopicsTried> tried = try_topics(model, numbers, session.run());
      print_tried(tried, options);
      numbers = {std::ranges::find_if(tried, &TopicsTried::chosen)->topics};
    }
    if (out.empty()) return;
    const bool had_names = model.topics().names.size() > 0;
    model = refit_topics(model, numbers.front(), session.run());
    model.save(out, session.run());
    tell("{} fitted: {}\n", counted(numbers.front(), "topic", "topics"), out);
    if (had_names) tell("they are other topics than before: the names that were given are not kept\n");
    if (compare) return;
  }
  if (options.given("name")) {
    model = named(model, options.list("name"));
    model.save(out, session.run());
    tell("names stored: {}\n", out);
  }
  if (options.given("compare")) return print_matches(model, options, session.run());
  if (options.flag("words")) return print_words(model, options);
  if (options.flag("similar-topics")) return print_similar_topics(model, options, session.run());
  if (options.flag("tree")) return show_topic_tree(model, options, session.run());
  if (options.given("by")) return show_topic_times(model, options, session.run());
  print_topics(model, options, session.run());
}

}  // namespace

Verb topics_verb() {
  return {
      "topics",
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
       OptionSpec::flag("similar-topics", "the pairs of topics that share most documents and words instead")
           .without({"words"}),
       OptionSpec::flag("tree", "topics merged into a hierarchy instead; -o draws it")
           .without({"words", "similar-topics"}),
       OptionSpec::text("by", "", "shares over time instead, of documents with dates; -o draws them")
           .one_of({"year", "month"})
           .without({"words", "similar-topics", "tree"}),
       OptionSpec::input("compare", "match the topics with another model's instead: what survives another seed?")
           .called("MODEL2")
           .without({"words", "similar-topics", "tree", "by"}),
       OptionSpec::list(
           "refit",
           "fit so many topics anew, without training, into the model -o; several numbers (4,8,16), or auto: "
           "compare them, and -o gets the most that hold up")
           .called("K")
           .separated_by(',')
           .without({"tree", "by"}),
       OptionSpec::list("name", "give a topic a name, 3='Space flight', or take it away, 3=, in the model -o")
           .called("K=NAME")
           .without({"refit", "tree", "by"}),
       OptionSpec::output("the file to write: the model of --refit or --name, which may be MODEL itself; .svg or .json "
                          "of --tree; .svg, .tsv or .json of --by"),
       format_option({"text", "json"}), threads_option()},
      "Example:\n  idne topics my.idne --top 7\n  idne topics my.idne --refit 12 -o twelve.idne\n"
      "  idne topics my.idne --name 3='Space flight' -o my.idne\n  idne topics my.idne --tree -o tree.svg\n"
      "  idne topics my.idne --by year",
      topics_asked};
}

}  // namespace idne::app
