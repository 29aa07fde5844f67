#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/error.h"
#include "idne/import.h"
#include "import/pieces.h"
#include "packed.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Json = nlohmann::json;

class OpenAlex : public testing::Test {
 protected:
  /// The documents in order; `counts` tells the rest.
  std::vector<Json> import(const std::vector<std::string>& texts, WorkLabels labels = WorkLabels::Topics,
                           int threads = 1) {
    std::vector<std::filesystem::path> files;
    for (const std::string& text : texts) {
      files.push_back(folder.write("works" + std::to_string(files.size()) + ".jsonl", text));
    }
    return import_files(files, labels, threads);
  }
  std::vector<Json> import_files(const std::vector<std::filesystem::path>& files,
                                 WorkLabels labels = WorkLabels::Topics, int threads = 1) {
    ImportCounts counted;
    idne::Run run;
    run.threads = threads;
    {
      CorpusWriter out(folder.path("corpus"));
      import_openalex(files, labels, out, counted, run);
      out.commit();
    }
    counts.clear();
    counts.insert(counted.all().begin(), counted.all().end());
    std::vector<Json> documents;
    std::istringstream lines(folder.read("corpus/documents.jsonl"));
    for (std::string line; std::getline(lines, line);) documents.push_back(Json::parse(line));
    return documents;
  }
  std::string error(const std::string& text) {
    try {
      import({text});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TempFolder folder;
  std::map<std::string, std::uint64_t> counts;
};

constexpr std::string_view kTwo =
    R"({"id":"https://openalex.org/W1","title":"Graph embedding","abstract_inverted_index":{"We":[0],"embed":[1],"graphs":[2]},"referenced_works":["https://openalex.org/W2"],"topics":[{"display_name":"Graphs"}]}
{"id":"https://openalex.org/W2","display_name":"Graphs","title":null,"abstract_inverted_index":null,"referenced_works":[],"topics":[]}
)";

TEST_F(OpenAlex, WorksBecomeDocuments) {
  const auto works = import({std::string(kTwo)});
  ASSERT_EQ(works.size(), 2u);
  EXPECT_EQ(works[0], (Json{{"id", "W1"},
                            {"title", "Graph embedding"},
                            {"text", "Graph embedding\nWe embed graphs"},
                            {"labels", {"Graphs"}},
                            {"links", {"W2"}}}));
  EXPECT_EQ(works[1], (Json{{"id", "W2"}, {"title", "Graphs"}, {"text", "Graphs"}}));
  EXPECT_EQ(counts,
            (std::map<std::string, std::uint64_t>{{"works without an abstract", 1}, {"works without labels", 1}}));
}

TEST_F(OpenAlex, TitlesAndAbstractsHaveNoMarkup) {
  const auto works =
      import({R"({"id":"W1","title":"Of <i>E.\u00a0coli</i> &amp; H<sub>2</sub>O, p &lt; 0.05 and a < b",)"
              R"("abstract_inverted_index":{"<p>We":[0],"&amp;":[1],"<b>they</b></p>":[2]}})"});
  EXPECT_EQ(works[0]["title"], "Of E. coli & H2O, p < 0.05 and a < b");
  EXPECT_EQ(works[0]["text"], "Of E. coli & H2O, p < 0.05 and a < b\nWe & they");
}

TEST_F(OpenAlex, AbstractsWithOddPlaces) {
  const auto text = [&](const std::string& index) {
    return import({R"({"id":"W1","abstract_inverted_index":)" + index + "}"})[0]["text"].get<std::string>();
  };
  EXPECT_EQ(text(R"({"c":[9,3],"a":[0],"b":[1]})"), "a b c c");
  EXPECT_EQ(text(R"({"far":[18446744073709551615],"near":[0]})"), "near far");
  EXPECT_EQ(text(R"({"a":[0,0],"b":[0]})"), "a b");
  EXPECT_EQ(counts.count("words of abstracts whose place is no number"), 0u);
  EXPECT_EQ(text(R"({"a":[null,-1,1.5,1e30,"0",[0],{}],"b":null,"c":4,"d":[7]})"), "d");
  EXPECT_EQ(counts.at("words of abstracts whose place is no number"), 9u);
  for (const char* index : {"{}", "[]", "3", "\"text\"", "{\"a\":[]}"}) EXPECT_EQ(text(index), "") << index;
}

TEST_F(OpenAlex, LabelsOfEachKind) {
  const std::string work =
      R"({"id":"W1","topics":[{"display_name":"T1","field":{"display_name":"F"}},{"display_name":"T2","field":{"display_name":"F"}},{"field":null},7,null],)"
      R"("concepts":[{"display_name":"C1","score":0.3},{"display_name":"C2","score":0.29},{"display_name":"C3","score":1},{"display_name":"C4"}],)"
      R"("keywords":[{"display_name":"K"},{"display_name":null},{"display_name":""}]})";
  const auto labels = [&](WorkLabels kind) { return import({work}, kind)[0].value("labels", Json()); };
  EXPECT_EQ(labels(WorkLabels::Topics), (Json{"T1", "T2"}));
  EXPECT_EQ(labels(WorkLabels::Fields), (Json{"F"}));
  EXPECT_EQ(labels(WorkLabels::Concepts), (Json{"C1", "C3"}));
  EXPECT_EQ(labels(WorkLabels::Keywords), (Json{"K"}));
}

TEST_F(OpenAlex, FilesFollowEachOtherAndTheFirstOfAnIdIsKept) {
  const auto works = import({R"({"id":"https://openalex.org/W1","title":"first"})", R"({"id":"W2","title":"other"})"
                                                                                    "\n\n"
                                                                                    R"({"id":"W1","title":"again"})"});
  ASSERT_EQ(works.size(), 2u);
  EXPECT_EQ(works[0]["text"], "first");
  EXPECT_EQ(works[1]["text"], "other");
  EXPECT_EQ(counts.at("works that were there already"), 1u);
}

TEST_F(OpenAlex, AnAnswerOfTheApi) {
  const auto works =
      import({R"({"meta":{"count":2},"results":[{"id":"W1","title":"a"},null,{"id":"W2","title":"b"}]})"});
  ASSERT_EQ(works.size(), 2u);
  EXPECT_EQ(works[1]["id"], "W2");
}

TEST_F(OpenAlex, CompressedFiles) {
  for (const std::string_view ending : packed_endings()) {
    const auto file = folder.write("works.jsonl" + std::string(ending), FilePacker::compressed(kTwo, ending));
    EXPECT_EQ(import_files({file}).size(), 2u) << ending;
  }
}

TEST_F(OpenAlex, TheSameAtAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += R"({"id":"W)" + std::to_string(i % 15000) + R"(","title":"work )" + std::to_string(i) + R"("})" + "\n";
  }
  const auto one = import({text});
  const auto counted = counts;
  EXPECT_EQ(one.size(), 15000u);
  EXPECT_EQ(import({text}, WorkLabels::Topics, 3), one);
  EXPECT_EQ(counts, counted);
}

TEST_F(OpenAlex, FaultsAreNamedByFileAndLine) {
  const std::string good = R"({"id":"W1"})";
  for (const std::string bad :
       {"no JSON", "{\"id\":\"W2\"", "[1]", "7", "{\"id\":\"caf\xff\"}", "{\"id\":\"W2\"} {\"id\":\"W3\"}"}) {
    EXPECT_NE(error(good + "\n\n" + bad + "\n").find("works0.jsonl:3: "), std::string::npos) << bad;
  }
  EXPECT_NE(error(good + "\n{\"a\":" + std::string(100000, '[')).find("works0.jsonl:2: "), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.path("corpus"))) << "nothing is left of an import that failed";
}

TEST_F(OpenAlex, WorksWithoutAnIdAreCounted) {
  const auto works = import({R"({"title":"a"})"
                             "\n"
                             R"({"id":7})"
                             "\n"
                             R"({"id":"https://openalex.org/"})"
                             "\n"
                             R"({"id":"W1","referenced_works":[null,3,"https://openalex.org/W9"]})"});
  ASSERT_EQ(works.size(), 1u);
  EXPECT_EQ(works[0]["links"], (Json{"W9"}));
  EXPECT_EQ(counts.at("works without an id"), 3u);
  EXPECT_NE(error(R"({"text":"another format"})").find("no document"), std::string::npos);
}

}  // namespace
}  // namespace idne
