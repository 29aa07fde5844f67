#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
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

/// Whoever compares corpora compares bytes.
TEST(CorpusWriter, BytesStayTheSameFromVersionToVersion) {
  const TempFolder folder;
  CorpusWriter out(folder.path("corpus"));
  out.add({"i\t\"\\", "\b\f\r\n", "\x01\x1F\x7F/é😀\xE2\x80\xA8", {"l\t"}, {"\x02"}, {"g"}});
  out.add({"\xFF\t\"\\", "\b\f\r\n\xC0\x80", "\x01\x1F\x7F/\xE2\x82z", {"\xF0\x9F\x98"}, {"\xED\xA0\x80"}, {"\xC3"}});
  out.commit();
  EXPECT_EQ(folder.read("corpus/documents.jsonl"),
            R"({"id":"i\u0009\"\\","title":"\u0008\u000c\u000d\n","text":"\u0001\u001f)"
            "\x7F/é😀\xE2\x80\xA8"
            R"(","labels":["l\u0009"],"links":["\u0002"],"groups":["g"]})"
            "\n"
            R"({"id":"�\t\"\\","title":"\b\f\r\n��","text":"\u0001\u001f)"
            "\x7F/"
            R"(�z","labels":["�"],"links":["���"],"groups":["�"]})"
            "\n");
}

/// Why the folder is not taken for a corpus, without its name; "" if it is.
std::string failure(const TempFolder& folder) {
  try {
    CorpusWriter out(folder.path());
  } catch (const Error& error) {
    const std::string what = error.what(), place = folder.path().string() + ": ";
    EXPECT_TRUE(what.starts_with(place)) << what;
    return what.substr(std::min(place.size(), what.size()));
  }
  return "";
}

TEST(CorpusWriter, TakesAnEarlierImportButNoOtherFile) {
  const TempFolder folder;
  folder.write("documents.jsonl", "old");
  EXPECT_EQ(failure(folder), "");
  folder.write("links.tsv", "");
  EXPECT_EQ(failure(folder), "has links.tsv, which does not come from an import; name a new folder");
}

/// A process of its own, which waits to be ended.
class Process {
 public:
  Process() : id_(::fork()) {
    if (id_ == 0) {
      for (;;) ::pause();
    }
    if (id_ < 0) throw std::runtime_error("cannot fork");
  }
  ~Process() { end(); }
  pid_t id() const { return id_; }
  void end() {
    if (!ended_) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
    ended_ = true;
  }

 private:
  pid_t id_;
  bool ended_ = false;
};

TEST(CorpusWriter, WhatAKilledImportLeftIsRemoved) {
  const TempFolder folder;
  Process process;
  const std::string part = "documents.jsonl.part-" + std::to_string(process.id());
  folder.write(part, "{");
  EXPECT_EQ(failure(folder),
            fmt::format("process {} is writing {}; wait for it to end, or name a new folder", process.id(), part));
  EXPECT_EQ(folder.read(part), "{");
  process.end();
  folder.write(part + "-2", "{");
  EXPECT_EQ(failure(folder), "");
  EXPECT_EQ(folder.entries(), 0u);
}

/// In a container each run may have the same number.
TEST(CorpusWriter, WhatAProcessOfOurNumberLeftIsRemoved) {
  const TempFolder folder;
  const std::string part = "documents.jsonl.part-" + std::to_string(::getpid()) + "-7";
  std::filesystem::last_write_time(folder.write(part, "{"),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(failure(folder), "");
  EXPECT_EQ(folder.entries(), 0u);
  folder.write(part, "{");
  EXPECT_NE(failure(folder), "") << "this process is writing it";
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(CorpusWriter, PartsThatAreNobodysStay) {
  const TempFolder folder;
  for (const char* end : {"old", "12x", "0", "-5", "99999999999999999999"}) {
    folder.write(std::string("documents.jsonl.part-") + end, "{");
  }
  EXPECT_EQ(failure(folder), "");
  EXPECT_EQ(folder.entries(), 5u);
}

TEST(CorpusWriter, NothingIsRemovedFromAFolderThatIsNoneOfOurs) {
  const TempFolder folder;
  Process process;
  process.end();
  const std::string part = "documents.jsonl.part-" + std::to_string(process.id());
  folder.write(part, "{");
  folder.write("letter.txt", "Dear");
  EXPECT_NE(failure(folder).find("letter.txt"), std::string::npos);
  EXPECT_EQ(folder.entries(), 2u);
  std::filesystem::remove(folder.path("letter.txt"));
  std::filesystem::remove(folder.path(part));
  std::filesystem::create_directory(folder.path(part));
  EXPECT_NE(failure(folder).find("does not come from an import"), std::string::npos);
  EXPECT_EQ(folder.entries(), 1u);
}

}  // namespace
}  // namespace idne
