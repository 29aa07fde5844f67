#include "idne/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "idne/output_file.h"
#include "idne/search.h"
#include "idne/topics.h"
#include "math/parallel.h"
#include "text/markup.h"

namespace idne {
namespace {

std::vector<std::string> labels_of(const Model& model, std::size_t document) {
  const auto offsets = model.numbers64("documents.labels.offsets");
  const auto values = model.numbers32("documents.labels.values");
  const StringsView names = model.strings("labels.names");
  std::vector<std::string> labels;
  for (auto k = static_cast<std::size_t>(offsets[document]); k < static_cast<std::size_t>(offsets[document + 1]); ++k) {
    labels.emplace_back(names[static_cast<std::size_t>(values[k])]);
  }
  return labels;
}

std::string topic_text(std::size_t topic) { return topic ? std::to_string(topic) : std::string(); }

ExportTable documents_table(const Model& model, int threads) {
  ExportTable table{model.documents(), {}, {"id", "title", "labels", "topic"}, {}};
  const StringsView ids = model.strings("documents.ids"), titles = model.strings("documents.titles");
  const std::vector<std::size_t> topics = main_topics(model, threads);
  for (std::size_t i = 0; i < table.rows.rows; ++i) {
    table.names.emplace_back(ids[i]);
    table.cells.push_back({std::string(ids[i]), std::string(titles[i]),
                           fmt::format("{}", fmt::join(labels_of(model, i), ", ")), topic_text(topics[i])});
  }
  return table;
}

ExportTable words_table(const Model& model) {
  if (!model.has("words.vectors")) throw Error("this model's method has no vectors of words");
  ExportTable table{model.words(), {}, {"word", "count"}, {}};
  const StringsView words = model.strings("words.strings");
  const auto counts = model.numbers64("words.counts");
  for (std::size_t w = 0; w < table.rows.rows; ++w) {
    table.names.emplace_back(words[w]);
    table.cells.push_back({std::string(words[w]), std::to_string(counts[w])});
  }
  return table;
}

ExportTable topics_table(const Model& model, int threads) {
  const TopicDescriptions topics = describe_topics(model, {5, 0, {}}, threads);
  ExportTable table{model.topics(), {}, {"topic", "share", "words"}, {}};
  for (const TopicDescription& topic : topics.topics) {
    std::string words;
    for (const RankedWord& word : topic.words) words += fmt::format("{}{}", words.empty() ? "" : " ", word.word);
    table.names.push_back(fmt::format("{} {}", topic.topic, words));
    table.cells.push_back({std::to_string(topic.topic), fmt::format("{:.4f}", topic.share), words});
  }
  return table;
}

/// A cell of a table whose cells are separated by tabs.
std::string plain_cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

using Edges = std::map<std::pair<std::size_t, std::size_t>, float>;

Edges suggested_links(const Model& model, const LinkGraphOptions& options, const Run& run) {
  const MatrixView rows = model.documents();
  std::vector<std::vector<Hit>> hits(rows.rows);
  std::atomic<std::uint64_t> done{0};
  std::mutex mutex;
  parallel_parts(run.threads, rows.rows, 64, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t i = begin; i < end; ++i) {
      for (const Hit& hit : nearest(rows, rows.row(i), options.top + 1, 1)) {
        if (hit.row != i && hit.score >= options.least && hits[i].size() < options.top) hits[i].push_back(hit);
      }
    }
    done += end - begin;
    const std::lock_guard lock(mutex);
    run.report({"linking", done, rows.rows});
  });
  Edges edges;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    for (const Hit& hit : hits[i]) edges[std::minmax(i, hit.row)] = hit.score;
  }
  return edges;
}

std::string graphml(const ExportTable& table, const Edges& edges) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    text += fmt::format("<key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"string\"/>\n", table.columns[c]);
  }
  text +=
      "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n<graph "
      "edgedefault=\"undirected\">\n";
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    text += fmt::format("<node id=\"{}\">", escape_markup(table.names[i]));
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      text += fmt::format("<data key=\"{}\">{}</data>", table.columns[c], escape_markup(table.cells[i][c]));
    }
    text += "</node>\n";
  }
  for (const auto& [pair, weight] : edges) {
    text += fmt::format("<edge source=\"{}\" target=\"{}\"><data key=\"weight\">{}</data></edge>\n",
                        escape_markup(table.names[pair.first]), escape_markup(table.names[pair.second]), weight);
  }
  return text + "</graph>\n</graphml>\n";
}

std::string gexf(const ExportTable& table, const Edges& edges) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n"
      "<graph defaultedgetype=\"undirected\">\n<attributes class=\"node\">\n";
  for (std::size_t c = 2; c < table.columns.size(); ++c) {
    text += fmt::format("<attribute id=\"{0}\" title=\"{0}\" type=\"string\"/>\n", table.columns[c]);
  }
  text += "</attributes>\n<nodes>\n";
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    text += fmt::format("<node id=\"{}\" label=\"{}\"><attvalues>", escape_markup(table.names[i]),
                        escape_markup(table.cells[i][1]));
    for (std::size_t c = 2; c < table.columns.size(); ++c) {
      text += fmt::format("<attvalue for=\"{}\" value=\"{}\"/>", table.columns[c], escape_markup(table.cells[i][c]));
    }
    text += "</attvalues></node>\n";
  }
  text += "</nodes>\n<edges>\n";
  for (const auto& [pair, weight] : edges) {
    text += fmt::format("<edge source=\"{}\" target=\"{}\" weight=\"{}\"/>\n", escape_markup(table.names[pair.first]),
                        escape_markup(table.names[pair.second]), weight);
  }
  return text + "</edges>\n</graph>\n</gexf>\n";
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

ExportTable export_table(const Model& model, std::string_view what, int threads) {
  if (what == "words") return words_table(model);
  if (what == "topics") return topics_table(model, threads);
  return documents_table(model, threads);
}

void write_projector(const ExportTable& table, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: {}", folder.string(), error.message()));
  std::string vectors, metadata = fmt::format("{}\n", fmt::join(table.columns, "\t"));
  for (std::size_t i = 0; i < table.rows.rows; ++i) {
    vectors += fmt::format("{}\n", fmt::join(table.rows.row(i), "\t"));
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      metadata += fmt::format("{}{}", c ? "\t" : "", plain_cell(table.cells[i][c]));
    }
    metadata += '\n';
  }
  write_file(folder / "vectors.tsv", vectors);
  write_file(folder / "metadata.tsv", metadata);
}

std::uint64_t write_link_graph(const Model& model, const LinkGraphOptions& options, const std::filesystem::path& file,
                               GraphFormat format, const Run& run) {
  const Edges edges = suggested_links(model, options, run);
  const ExportTable table = documents_table(model, run.threads);
  write_file(file, format == GraphFormat::GraphMl ? graphml(table, edges) : gexf(table, edges));
  return edges.size();
}

}  // namespace idne
