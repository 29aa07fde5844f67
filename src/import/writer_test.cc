#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/import.h"
#include "temp_folder.h"

namespace idne {
namespace {

std::vector<nlohmann::json> written(const std::vector<ImportedDocument>& documents, int threads) {
  const TempFolder folder;
  CorpusWriter out(folder.path("corpus"));
  out.add(documents, threads);
  out.commit();
  std::istringstream file(folder.read("corpus/documents.jsonl"));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

TEST(CorpusWriter, AnyTextComesBack) {
  std::string every;
  for (char c = 0; c < 127; ++c) every += c;
  every += "\x7F é 😀 \xE2\x80\xA8";
  const auto lines = written({{every, every, every, {every}, {every}, {every}}}, 1);
  ASSERT_EQ(lines.size(), 1u);
  for (const char* name : {"id", "title", "text"}) EXPECT_EQ(lines[0][name], every) << name;
  for (const char* name : {"labels", "links", "groups"}) EXPECT_EQ(lines[0][name], nlohmann::json{every}) << name;
}

TEST(CorpusWriter, BrokenBytesAreReplaced) {
  EXPECT_EQ(written({{"a", "", "x\xFFy\"", {}, {}, {}}}, 1)[0]["text"], "x\xEF\xBF\xBDy\"");
}

TEST(CorpusWriter, WhatIsEmptyIsLeftOutAndRepeatsAreWrittenOnce) {
  const auto line = written({{"a", "", "", {"x", "", "y", "x"}, {}, {""}}}, 1)[0];
  EXPECT_EQ(line, (nlohmann::json{{"id", "a"}, {"text", ""}, {"labels", {"x", "y"}}}));
}

TEST(CorpusWriter, KeepsTheOrderWithManyThreads) {
  std::vector<ImportedDocument> documents(500);
  for (std::size_t i = 0; i < documents.size(); ++i) documents[i].id = std::to_string(i);
  const auto lines = written(documents, 4);
  ASSERT_EQ(lines.size(), documents.size());
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i]["id"], std::to_string(i));
}

}  // namespace
}  // namespace idne
