#include "json/texts.h"

#include "evaluate/report.h"
#include "json/parts.h"
#include "json/values.h"
#include "text/strings.h"

namespace idne {
namespace {

std::string printed(const Json& json) { return text_of(json, 1) + "\n"; }

std::vector<std::string> names_in(const Model& model) {
  return model.has_topics() ? topic_names(model, 1) : std::vector<std::string>{};
}

std::string line_of(std::string_view id, const Json& answer) {
  Json json{{"id", id}};
  json.update(answer);
  return text_of(json) + "\n";
}

Json to_json(const Spread& spread) {
  return {{"mean", spread.mean},     {"deviation", spread.deviation},     {"least", spread.least},
          {"median", spread.median}, {"nine_tenths", spread.nine_tenths}, {"most", spread.most}};
}

Json to_json(const CorpusCheck& c, const Forecast& forecast, std::span<const Finding> found) {
  Json degrees = Json::array(), wrong = Json::array();
  for (const DegreeRange& range : c.degrees) {
    degrees.push_back({{"least", range.least}, {"most", range.most}, {"documents", range.documents}});
  }
  Json spoken = Json::array();
  for (const auto& [name, documents] : c.languages.found) {
    spoken.push_back({{"language", name}, {"documents", documents}});
  }
  for (const Finding& finding : found) wrong.push_back({{"what", finding.what}, {"remedy", finding.remedy}});
  return {{"documents", c.documents},
          {"links", c.links},
          {"density", c.density},
          {"groups", {{"count", c.groups}, {"memberships", c.memberships}, {"largest", c.largest_group}}},
          {"words",
           {{"different", c.tokens},
            {"kept", c.vocabulary},
            {"too_rare", c.too_rare},
            {"too_frequent", c.too_frequent},
            {"per_document", to_json(c.words)},
            {"empty_documents", c.empty},
            {"documents_without_kept_words", c.wordless},
            {"repeated_documents", c.repeated},
            {"repeated_example", c.repeated ? Json{c.repeated_of, c.repeated_example} : Json()}}},
          {"languages",
           {{"told", c.languages.told},
            {"found", spoken},
            {"unclear", c.languages.unclear},
            {"without_function_words", c.languages.unknown},
            {"in_unlisted_scripts", c.languages.unlisted}}},
          {"labels",
           {{"count", c.labels},
            {"several_per_document", c.several_labels > 0},
            {"documents_with_several", c.several_labels},
            {"documents_without", c.unlabelled},
            {"per_document", to_json(c.labels_per_document)},
            {"with_few_documents", c.rare_labels},
            {"largest", c.largest_label}}},
          {"degree",
           {{"of_documents", to_json(c.degree)},
            {"isolated", c.isolated},
            {"best_connected", c.best_connected.empty() ? Json() : Json(c.best_connected)},
            {"ranges", degrees}}},
          {"components", {{"count", c.components}, {"largest", c.largest_component}}},
          {"dropped",
           {{"unknown_links", c.dropped.unknown_links},
            {"self_links", c.dropped.self_links},
            {"repeated_links", c.dropped.repeated_links},
            {"unknown_members", c.dropped.unknown_members},
            {"repeated_members", c.dropped.repeated_members},
            {"unreadable_dates", c.dropped.unreadable_dates}}},
          {"forecast", {{"bytes", forecast.bytes}, {"seconds", forecast.seconds}}},
          {"findings", wrong}};
}

Json to_json(const Evaluation& evaluation) {
  Json results = Json::array();
  for (const Cell& cell : evaluation.cells) {
    Json result{{"method", cell.contestant},
                {"task", task_name(cell.task)},
                {"ratio", cell.ratio},
                {"metric", cell.metric},
                {"mean", nullptr}};
    if (has_figure(&cell)) {
      result["mean"] = cell.mean();
      result["std"] = cell.deviation();
      result["interval"] = cell.interval();
    } else {
      result["failure"] = failure_of(cell);
    }
    if (const std::optional<Cell> difference = difference_to_first(evaluation, cell)) {
      result["difference"] = difference->mean();
      result["difference_interval"] = difference->interval();
    }
    result["repeats"] = cell.values.size();
    result["seconds"] = cell.train_seconds + cell.score_seconds;
    result["train_seconds"] = cell.train_seconds;
    result["score_seconds"] = cell.score_seconds;
    result["values"] = cell.values;
    results.push_back(std::move(result));
  }
  Json json{{"corpus", evaluation.corpus}, {"documents", evaluation.documents}, {"links", evaluation.links},
            {"labels", evaluation.labels}, {"repeats", evaluation.repeats},     {"results", std::move(results)}};
  if (evaluation.interrupted) json["interrupted"] = true;
  return json;
}

Json branch_json(const TopicTree& tree, std::size_t at) {
  const TopicTree::Node& node = tree.nodes[at];
  Json json{{"topics", node.topics}, {"name", node.name}, {"share", node.share}};
  if (node.is_topic()) return json;
  json["similarity"] = node.similarity;
  json["children"] = {branch_json(tree, node.first), branch_json(tree, node.second)};
  return json;
}

Json to_json(std::span<const WordNorm> words) {
  Json json = Json::array();
  for (const WordNorm& word : words) {
    json.push_back({{"word", in_small_letters(word.word)}, {"norm", word.norm}, {"count", word.count}});
  }
  return json;
}

}  // namespace

std::string json_text(const Model& model, const DocumentIndex* index) {
  Json json = info_json(model);
  if (index) json["search"] = search_json(*index);
  return printed(json);
}

std::string json_text(const TopicDescriptions& topics) { return printed(to_json(topics)); }

std::string json_text(std::span<const SimilarTopics> pairs, std::span<const std::string> names) {
  Json json = Json::array();
  for (const SimilarTopics& pair : pairs) {
    json.push_back({{"topics", {pair.first, pair.second}},
                    {"names", {names[pair.first - 1], names[pair.second - 1]}},
                    {"similarity", pair.similarity},
                    {"documents", pair.documents},
                    {"words", pair.words}});
  }
  return printed(json);
}

std::string json_text(const TopicDescriptions& topics, const TopicTree& tree) {
  Json json = to_json(topics);
  json["near"] = tree.near;
  json["tree"] = branch_json(tree, tree.nodes.size() - 1);
  return printed(json);
}

std::string json_text(const TopicTimes& times) { return printed(to_json(times)); }

std::string json_text(std::span<const TopicsTried> tried) {
  Json numbers = Json::array();
  for (const TopicsTried& one : tried) {
    numbers.push_back({{"topics", one.topics},
                       {"coherence", one.coherence},
                       {"npmi", one.npmi},
                       {"diversity", one.diversity},
                       {"chosen", one.chosen}});
  }
  return printed({{"refit", numbers}});
}

std::string json_text(std::span<const MatchedTopics> matches, double stability) {
  Json list = Json::array();
  for (const MatchedTopics& match : matches) {
    list.push_back({{"topics", {match.first, match.second}}, {"overlap", match.overlap}});
  }
  return printed({{"matches", list}, {"stability", stability}});
}

std::string json_text(std::span<const WordNorm> largest, std::span<const WordNorm> smallest) {
  return printed({{"largest", to_json(largest)}, {"smallest", to_json(smallest)}});
}

std::string json_text(std::span<const Hit> hits, const Model& model) { return printed(to_json(hits, model)); }

std::string json_text(const Suggestions& suggestions, const Model& model) {
  return printed(to_json(suggestions, model, names_in(model)));
}

std::string json_text(const Explanation& explanation, const Model& model) {
  return printed(to_json(explanation, model, names_in(model)));
}

std::string json_text(const PairExplanation& pair, const Model& model) {
  return printed(to_json(pair, model, names_in(model)));
}

std::string json_line(std::string_view id, std::span<const Hit> hits, const Model& model) {
  return line_of(id, {{"similar", to_json(hits, model)}});
}

std::string json_line(std::string_view id, const Suggestions& suggestions, const Model& model,
                      std::span<const std::string> topics) {
  return line_of(id, to_json(suggestions, model, topics));
}

std::string json_line(std::string_view id, const Explanation& explanation, const Model& model,
                      std::span<const std::string> topics) {
  return line_of(id, to_json(explanation, model, topics));
}

std::string json_text(const CorpusCheck& check, const Forecast& forecast, std::span<const Finding> found) {
  return printed(to_json(check, forecast, found));
}

std::string json_text(const Evaluation& evaluation) { return printed(to_json(evaluation)); }

std::string json_text(const Updated& updated, const std::filesystem::path& file) {
  const UpdateReport& report = updated.report;
  const Foreseen& f = report.foreseen;
  Json foreseen{{"documents", f.documents}, {"unknown_words", f.unknown_words}};
  if (f.usual_unknown_words) foreseen["usual_unknown_words"] = *f.usual_unknown_words;
  foreseen["new_words"] = f.new_words;
  if (f.labelled) {
    foreseen["labels"] = {{"documents", f.labelled}, {"p@1", f.labels}, {"expected", f.expected_labels}};
  }
  if (f.linked) foreseen["links"] = {{"documents", f.linked}, {"mrr", f.links}, {"usual", f.usual_links}};
  foreseen["strange"] = f.strange;
  foreseen["strange_words"] = f.strange_words;
  Json json{{"model", file.string()},
            {"documents", updated.model.documents().size()},
            {"added", report.added},
            {"changed", report.changed},
            {"unchanged", report.unchanged},
            {"removed", report.removed},
            {"unknown_removed", report.unknown_removed},
            {"accepted", report.accepted},
            {"rejected", report.rejected},
            {"unknown_feedback", report.unknown_feedback},
            {"links", report.links},
            {"links_before", report.links_before},
            {"dropped", report.dropped.text()},
            {"new_labels", report.new_labels},
            {"gone_labels", report.gone_labels},
            {"foreseen", std::move(foreseen)},
            {"train_again", report.train_again},
            {"advice", report.advice}};
  if (!report.topics.empty()) {
    Json topics = Json::array();
    for (const TopicMoved& topic : report.topics) {
      Json one{{"topic", topic.topic}, {"former", nullptr}, {"words_kept", topic.words_kept}};
      if (topic.former) one["former"] = *topic.former;
      topics.push_back(std::move(one));
    }
    json["new_words"] = report.new_words;
    json["moved"] = report.moved;
    json["topics"] = std::move(topics);
  }
  return printed(json);
}

std::string json_text(const Model& model, const TrainSummary& summary) {
  Json json{{"model", summary.file.string()},
            {"documents", model.documents_everywhere()},
            {"links", model.info().links},
            {"words", model.words().strings.size()},
            {"dropped", model.info().dropped},
            {"seconds",
             {{"read", summary.read_seconds},
              {"train", summary.seconds.fit},
              {"labels", summary.seconds.labels},
              {"links", summary.seconds.links},
              {"write", summary.write_seconds}}}};
  if (model.info().loss) json["loss"] = *model.info().loss;
  if (summary.processes > 1) {
    json["processes"] = {
        {"count", summary.processes}, {"meetings", summary.sent.meetings}, {"bytes", summary.sent.bytes}};
  }
  return printed(json);
}

}  // namespace idne
