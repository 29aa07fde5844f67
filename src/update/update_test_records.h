#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "idne/encode.h"
#include "idne/train.h"
#include "idne/update.h"
#include "temp_folder.h"

/// Small corpora that change.
namespace idne::changing {

struct Record {
  std::string id, text;
  std::vector<std::string> labels = {}, links = {}, groups = {};
};

inline std::string quoted_list(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += fmt::format("{}\"{}\"", text.empty() ? "" : ",", one);
  return "[" + text + "]";
}

inline std::string lines_of(const std::vector<Record>& records) {
  std::string text;
  for (const Record& r : records) {
    text += fmt::format("{{\"id\":\"{}\",\"text\":\"{}\",\"labels\":{},\"links\":{},\"groups\":{}}}\n", r.id, r.text,
                        quoted_list(r.labels), quoted_list(r.links), quoted_list(r.groups));
  }
  return text;
}

/// Sixty documents of two fields, each linked with the next of its own, in a group by tens.
inline std::vector<Record> two_fields(std::size_t from = 0, std::size_t to = 60) {
  const std::vector<std::string> bio{"gene", "cell", "protein", "enzyme", "genome", "tissue"},
      law{"court", "judge", "law", "trial", "jury", "appeal"};
  std::vector<Record> records;
  for (std::size_t i = from; i < to; ++i) {
    const auto& words = i % 2 ? bio : law;
    Record record{fmt::format("d{}", i), "", {i % 2 ? "bio" : "law"}, {}, {fmt::format("g{}", i / 10)}};
    for (std::size_t k = 0; k < 8; ++k) record.text += words[(i + k * k) % words.size()] + " ";
    if (i >= 2) record.links.push_back(fmt::format("d{}", i - 2));
    records.push_back(record);
  }
  return records;
}

inline Model trained(const std::vector<Record>& records,
                     const std::vector<std::pair<std::string, std::string>>& more = {},
                     const std::string& method = "idne", const VocabularyRule& rule = {1, 1}) {
  const TempFolder folder;
  folder.write("documents.jsonl", lines_of(records));
  const auto methods = known_methods();
  const auto found = std::ranges::find(methods, method, &MethodInfo::name);
  Options options(found->options);
  options.set("dim", "16");
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"steps", "40"}, {"topics", "2"}}) {
    if (options.has(name)) options.set(name, value);
  }
  for (const auto& [name, value] : more) options.set(name, value);
  return train(read_collection(folder.path(), {}, {}), method, options, rule, {});
}

inline Updated updated(const Model& model, const std::vector<Record>& changes, const UpdateOptions& options = {},
                       std::string_view links = "", int threads = 1) {
  const TempFolder folder;
  folder.write("documents.jsonl", lines_of(changes));
  if (!links.empty()) folder.write("links.tsv", links);
  const Run run{.threads = threads, .progress = {}, .stopped = {}};
  return update_model(model, Changes(model, folder.path(), false, run), options, run);
}

inline std::vector<float> row(MatrixView matrix, std::size_t i) { return {matrix.row(i).begin(), matrix.row(i).end()}; }
inline std::vector<float> vector_of(const Model& model, std::string_view id) {
  return row(model.documents().vectors, model.document(id));
}
inline std::set<std::string> linked_with(const Model& model, std::string_view id) {
  std::set<std::string> ids;
  for (const std::int32_t to : model.documents().links[model.document(id)]) {
    ids.emplace(model.documents().ids[static_cast<std::size_t>(to)]);
  }
  return ids;
}
inline std::vector<float> embedded(const Model& model, std::string_view text, std::vector<std::uint32_t> links = {}) {
  const TextEncoder encoder(model);
  Tokenizer tokenizer;
  std::vector<float> vector(encoder.dimensions());
  encoder.encode(encoder.words(text, tokenizer), links, vector);
  return vector;
}
inline void expect_whole(const Model& model) {
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  EXPECT_NO_THROW(Model::load(folder.path("m.idne")));
}
inline bool same_bytes(const Model& a, const Model& b) {
  const TempFolder folder;
  a.save(folder.path("a"));
  b.save(folder.path("b"));
  return folder.read("a") == folder.read("b");
}

}  // namespace idne::changing
