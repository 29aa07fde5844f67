#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "explain/topic_shares.h"
#include "export/topic_fields.h"
#include "export/vector_file.h"
#include "idne/export.h"
#include "math/parallel.h"
#include "text/strings.h"

namespace idne {
namespace {

/// A name for each column, no two alike.
std::vector<std::string> column_names(const Model& model) {
  std::vector<std::string> columns;
  std::set<std::string> taken{"id"};  // of the first column
  const StringsView& given = model.topics().names;
  for (std::size_t k = 0; k < model.topics().size(); ++k) {
    std::string name(k < given.size() ? given[k] : "");
    if (name.empty()) name = fmt::format("topic {}", k + 1);
    while (!taken.insert(name).second) name += fmt::format(" ({})", k + 1);
    columns.push_back(std::move(name));
  }
  return columns;
}

/// One row as text, or as floats.
void add_shares(VectorFormat format, std::string_view id, std::span<const double> shares,
                const std::vector<std::string>& quoted, std::string& out) {
  if (format == VectorFormat::Npy) {
    for (const double share : shares) {
      const auto value = static_cast<float>(share);
      out.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  } else if (format == VectorFormat::Tsv) {
    out += tsv_cell(id);
    for (const double share : shares) fmt::format_to(std::back_inserter(out), "\t{:.6g}", share);
    out += '\n';
  } else {
    out += fmt::format("{{\"id\":{},\"shares\":{{", json_quoted(id));
    for (std::size_t k = 0; k < shares.size(); ++k) {
      fmt::format_to(std::back_inserter(out), "{}{}:{:.6g}", k ? "," : "", quoted[k], shares[k]);
    }
    out += "}}\n";
  }
}

}  // namespace

std::string topic_fields(const TopicDescription& topic) {
  std::string words;
  for (const RankedWord& word : topic.words) {
    words +=
        fmt::format(R"({}{{"word":{},"weight":{:.6g}}})", words.empty() ? "" : ",", json_quoted(word.word), word.score);
  }
  return fmt::format(R"("topic":{},"name":{},"share":{:.6g},"coherence":{:.6g},"words":[{}])", topic.topic,
                     json_quoted(topic.name), topic.share, topic.coherence, words);
}

void write_topics_of_documents(const Model& model, const std::filesystem::path& out, VectorFormat format,
                               const Run& run) {
  const BagsView& bags = model.document_words();
  const TopicShares shares(model, run.threads);
  const StringsView& ids = model.documents().ids;
  const std::vector<std::string> columns = column_names(model);
  std::vector<std::string> quoted;
  for (const std::string& name : columns) quoted.push_back(json_quoted(name));

  VectorFile file(out, format, columns.size());
  std::optional<OutputFile> names;
  if (format == VectorFormat::Tsv) {
    std::string header = "id";
    for (const std::string& name : columns) header.append("\t").append(tsv_cell(name));
    file.write(header + "\n", 0);
  }
  if (format == VectorFormat::Npy && file.put_names_beside()) {
    names.emplace(out.string() + ".topics.txt");
    for (const std::string& name : columns) names->write(tsv_cell(name) + "\n");
  }
  constexpr std::size_t kAtOnce = 1024;
  std::vector<std::string> rows;
  for (std::size_t begin = 0; begin < bags.size(); begin += kAtOnce) {
    run.check();
    run.report({"writing", begin, bags.size()});
    rows.assign(std::min(kAtOnce, bags.size() - begin), {});
    parallel_for(run.threads, rows.size(), [&](std::size_t n, std::size_t) {
      std::vector<double> row(columns.size());
      shares.of_bag(bags[begin + n], row);
      add_shares(format, ids[begin + n], row, quoted, rows[n]);
    });
    for (std::size_t n = 0; n < rows.size(); ++n) {
      file.write(rows[n], 1);
      file.write_name(ids[begin + n]);
    }
  }
  if (names) names->commit();
  file.commit();
}

void write_topic_words(const Model& model, std::size_t count, const std::filesystem::path& out, VectorFormat format,
                       const Run& run) {
  const TopicDescriptions topics = describe_topics(model, {count, 0, {}}, run);
  VectorFile file(out, format, 0);
  if (format == VectorFormat::Tsv) file.write("topic\tname\trank\tword\tweight\n", 0);
  for (const TopicDescription& topic : topics.topics) {
    if (format != VectorFormat::Tsv) {
      file.write(fmt::format("{{{}}}\n", topic_fields(topic)), 1);
      continue;
    }
    for (std::size_t n = 0; n < topic.words.size(); ++n) {
      file.write(fmt::format("{}\t{}\t{}\t{}\t{:.6g}\n", topic.topic, tsv_cell(topic.name), n + 1,
                             tsv_cell(topic.words[n].word), topic.words[n].score),
                 1);
    }
  }
  file.commit();
}

}  // namespace idne
