#include "idne/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "export/topic_fields.h"
#include "idne/output_file.h"
#include "idne/topics.h"
#include "text/coherence.h"
#include "text/strings.h"

namespace idne {
namespace {

std::vector<std::string> labels_of(const Model& model, std::size_t document) {
  std::vector<std::string> labels;
  for (const std::int32_t label : model.documents().labels[document]) {
    labels.emplace_back(model.labels().names[static_cast<std::size_t>(label)]);
  }
  return labels;
}

std::string topic_text(std::size_t topic) { return topic ? std::to_string(topic) : std::string(); }

ExportTable documents_table(const Model& model, int threads) {
  const Documents& documents = model.documents();
  ExportTable table{documents.vectors, {}, {"id", "title", "labels", "topic"}, {}};
  const std::vector<std::size_t> topics = main_topics(model, threads);
  for (std::size_t i = 0; i < table.rows.rows; ++i) {
    table.names.emplace_back(documents.ids[i]);
    table.cells.push_back({std::string(documents.ids[i]), std::string(documents.titles[i]),
                           fmt::format("{}", fmt::join(labels_of(model, i), ", ")), topic_text(topics[i])});
  }
  return table;
}

ExportTable words_table(const Model& model) {
  ExportTable table{model.word_vectors(), {}, {"word", "count"}, {}};
  const Words& words = model.words();
  for (std::size_t w = 0; w < table.rows.rows; ++w) {
    table.names.emplace_back(words.shown(w));
    table.cells.push_back({std::string(words.shown(w)), std::to_string(words.counts[w])});
  }
  return table;
}

ExportTable topics_table(const Model& model, const Run& run) {
  constexpr std::size_t kNameWords = 5;
  ExportTable table{model.topics().vectors, {}, {"topic", "name", "share", "coherence", "words"}, {}};
  for (const TopicDescription& topic : describe_topics(model, {kCoherenceWords, 0, {}}, run).topics) {
    std::vector<std::string> words, weighted;
    for (const RankedWord& word : topic.words) {
      words.push_back(word.word);
      weighted.push_back(fmt::format("{} {:.4g}", word.word, word.score));
    }
    words.resize(std::min(kNameWords, words.size()));
    table.names.push_back(
        fmt::format("{} {}", topic.topic, topic.named ? topic.name : fmt::format("{}", fmt::join(words, " "))));
    table.cells.push_back({std::to_string(topic.topic), topic.name, fmt::format("{:.4f}", topic.share),
                           fmt::format("{:.4f}", topic.coherence), fmt::format("{}", fmt::join(weighted, ", "))});
    table.json.push_back(fmt::format(",{}", topic_fields(topic)));
  }
  return table;
}

void write_whole(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

ExportTable export_table(const Model& model, std::string_view what, const Run& run) {
  if (what == "words") return words_table(model);
  if (what == "topics") return topics_table(model, run);
  if (what == "documents") return documents_table(model, run.threads);
  throw Error(fmt::format("'{}' cannot be exported; there are: documents, words, topics", what));
}

void write_projector(const ExportTable& table, const std::filesystem::path& folder, const Run& run) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: {}", folder.string(), error.message()));
  std::string vectors, metadata = fmt::format("{}\n", fmt::join(table.columns, "\t"));
  for (std::size_t i = 0; i < table.rows.rows; ++i) {
    run.check();
    vectors += fmt::format("{}\n", fmt::join(table.rows.row(i), "\t"));
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      metadata += fmt::format("{}{}", c ? "\t" : "", tsv_cell(table.cells[i][c]));
    }
    metadata += '\n';
  }
  write_whole(folder / "vectors.tsv", vectors);
  write_whole(folder / "metadata.tsv", metadata);
}

}  // namespace idne
