#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/import.h"
#include "packed.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;

/// What the rows of real dumps are like: a byte-order mark, line ends of Windows, tags in two styles, posts of deleted
/// users.
const std::string kPosts =
    "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>\r\n"
    R"(  <row Id="1" PostTypeId="1" AcceptedAnswerId="2" CreationDate="2011-06-21T20:19:34.730" Score="12" ViewCount="439" OwnerUserId="7" Title="Visa for Japan?" Body="&lt;p&gt;Do I need a &lt;b&gt;visa&lt;/b&gt;?&lt;/p&gt;&#xA;&lt;pre&gt;&lt;code&gt;secret&lt;/code&gt;&lt;/pre&gt;" Tags="&lt;visa&gt;&lt;japan&gt;" ContentLicense="CC BY-SA 3.0" />)"
    "\r\n"
    R"(  <row Id="2" PostTypeId="2" ParentId="1" Score="10" OwnerUserId="7" Body="&lt;p&gt;No, you don't. caf&#233; &amp;eacute;&lt;/p&gt;" />)"
    "\r\n"
    R"(  <row Id="3" PostTypeId="2" ParentId="1" Score="3" OwnerUserId="8" Body="low" />)"
    "\r\n"
    R"(  <row Id="5" PostTypeId="2" ParentId="4" Score="11" OwnerDisplayName="gone" Body="before its question" />)"
    "\r\n"
    R"(  <row Id="4" PostTypeId="1" Score="20" OwnerUserId="-1" Title="Trains" Body="x" Tags="|trains|japan|" />)"
    "\r\n"
    R"(  <row Id="6" PostTypeId="1" Score="50" OwnerUserId="9" Title="Lonely" Body="x" Tags="|alone|" />)"
    "\r\n"
    R"(  <row Id="7" PostTypeId="1" Score="9" Title="Low" Body="x" Tags="|low|" />)"
    "\r\n"
    R"(  <row Id="8" PostTypeId="2" ParentId="7" Score="30" Body="good answer to a low question" />)"
    "\r\n"
    R"(  <row Id="9" PostTypeId="2" ParentId="999" Score="30" Body="its question is nowhere" />)"
    "\r\n"
    R"(  <row Id="10" PostTypeId="5" Score="30" Body="a tag's wiki" />)"
    "\r\n"
    R"(  <row PostTypeId="1" Score="30" Body="no id" />)"
    "\r\n"
    R"(  <row Id="x1" PostTypeId="1" Score="30" Body="no number" />)"
    "\r\n"
    R"(  <row Id="1" PostTypeId="1" Score="30" Body="again" />)"
    "\r\n"
    R"(  <row Id="11" PostTypeId="2" Score="30" Body="no parent" />)"
    "\r\n"
    "</posts>";

struct ImportedPosts {
  std::map<std::string, Json> documents;
  Strings order;
  std::map<std::string, std::uint64_t> counts;
};

ImportedPosts import_posts(const std::filesystem::path& from, const StackExchangeOptions& options = {},
                           int threads = 2) {
  const TempFolder folder;
  ImportCounts counts;
  CorpusWriter out(folder.path("corpus"));
  Run run;
  run.threads = threads;
  import_stackexchange(from, options, out, counts, run);
  out.commit();
  ImportedPosts result;
  std::istringstream lines(folder.read("corpus/documents.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json document = Json::parse(line);
    const std::string id = document["id"];
    result.order.push_back(id);
    result.documents[id] = std::move(document);
  }
  result.counts.insert(counts.all().begin(), counts.all().end());
  return result;
}

ImportedPosts import_posts_text(std::string_view posts, const StackExchangeOptions& options = {}, int threads = 2) {
  const TempFolder folder;
  return import_posts(folder.write("Posts.xml", posts), options, threads);
}

std::string failure(std::string_view posts) {
  try {
    import_posts_text(posts);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(StackExchange, KeepsTheQuestionsAndAnswersOfThePaper) {
  for (const int threads : {1, 2}) {
    const ImportedPosts got = import_posts_text(kPosts, {}, threads);
    EXPECT_EQ(got.order, (Strings{"1", "2", "5", "4"}));
    EXPECT_EQ(got.documents.at("1"), Json::parse(R"({"id": "1", "title": "Visa for Japan?", "date": "2011-06-21",
        "text": "Visa for Japan?\nDo I need a visa?", "labels": ["visa", "japan"], "groups": ["user 7"]})"));
    EXPECT_EQ(got.documents.at("2"), Json::parse(R"({"id": "2", "text": "No, you don't. café é", "links": ["1"],
        "groups": ["user 7"]})"));
    EXPECT_EQ(got.documents.at("4"), Json::parse(R"({"id": "4", "title": "Trains", "text": "Trains\nx",
        "labels": ["trains", "japan"]})"));
    EXPECT_EQ(got.documents.at("5"), Json::parse(R"({"id": "5", "text": "before its question", "links": ["4"]})"));
  }
}

TEST(StackExchange, CountsWhatIsLeftOut) {
  const std::map<std::string, std::uint64_t> expected{{"answers below --min-votes", 1},
                                                      {"questions below --min-votes", 1},
                                                      {"questions without an answer that has the votes", 1},
                                                      {"answers whose question is left out or missing", 2},
                                                      {"answers that name no question", 1},
                                                      {"posts that are neither question nor answer", 1},
                                                      {"posts with the Id of an earlier post", 1},
                                                      {"rows without an Id that is a number", 2}};
  EXPECT_EQ(import_posts_text(kPosts).counts, expected);
}

TEST(StackExchange, FewerVotesKeepMore) {
  StackExchangeOptions options;
  options.min_votes = 3;
  EXPECT_EQ(import_posts_text(kPosts, options).order, (Strings{"1", "2", "3", "5", "4", "7", "8"}));
  options.min_votes = 21;
  EXPECT_THROW(import_posts_text(kPosts, options), Error);  // nothing is left
}

TEST(StackExchange, CodeIsKeptOnDemand) {
  StackExchangeOptions options;
  options.code = CodeText::Keep;
  EXPECT_EQ(import_posts_text(kPosts, options).documents.at("1")["text"], "Visa for Japan?\nDo I need a visa?\nsecret");
}

TEST(StackExchange, AnswersMayHaveTheirQuestionsTags) {
  StackExchangeOptions options;
  options.answer_labels = true;
  const ImportedPosts got = import_posts_text(kPosts, options);
  EXPECT_EQ(got.documents.at("2")["labels"], (Json{"visa", "japan"}));
  EXPECT_EQ(got.documents.at("5")["labels"], (Json{"trains", "japan"}));
}

TEST(StackExchange, OnlyTheMostFrequentLabelsOfWhatIsKept) {
  StackExchangeOptions options;
  options.top_labels = 1;
  ImportedPosts got = import_posts_text(kPosts, options);
  EXPECT_EQ(got.documents.at("1")["labels"], Json{"japan"});
  EXPECT_EQ(got.documents.at("4")["labels"], Json{"japan"});
  EXPECT_EQ(got.counts.at("labels left out by --top-labels"), 2u);  // "alone" and "low" are of no document
  options.top_labels = 2;                                           // of two that are as frequent the first by name
  got = import_posts_text(kPosts, options);
  EXPECT_EQ(got.documents.at("1")["labels"], Json{"japan"});
  EXPECT_EQ(got.documents.at("4")["labels"], (Json{"trains", "japan"}));
}

TEST(StackExchange, AnAnswerIsNoQuestionAndAQuestionNeedsNoTags) {
  const std::string posts =
      "<posts><row Id='1' PostTypeId='2' ParentId='1' Score='10'/><row Id='2' PostTypeId='1' Score='10'/>"
      "<row Id='3' PostTypeId='2' ParentId='2' Score='10'/></posts>";
  const ImportedPosts got = import_posts_text(posts);
  EXPECT_EQ(got.order, (Strings{"2", "3"}));
  EXPECT_EQ(got.documents.at("2"), Json::parse(R"({"id": "2", "text": ""})"));
}

TEST(StackExchange, ReadsAFolderAndCompressedFiles) {
  const TempFolder folder;
  EXPECT_THROW(import_posts(folder.path()), Error);
  for (const std::string_view ending : {".gz", ".zst", ".bz2", ".xz", ".lzma", ".lz4"}) {
    const auto file = folder.write("Posts.xml" + std::string(ending), FilePacker::compressed(kPosts, ending));
    EXPECT_EQ(import_posts(folder.path()).order.size(), 4u) << ending;
    EXPECT_EQ(import_posts(file).order.size(), 4u) << ending;
    std::filesystem::remove(file);
  }
}

TEST(StackExchange, ReadsADumpAsItIsPublished) {
  const TempFolder folder;
  const std::string dump =
      FilePacker::seven_zip({{"Badges.xml", "<badges/>"}, {"Posts.xml", kPosts}, {"Votes.xml", "x"}});
  EXPECT_EQ(import_posts(folder.write("travel.7z", dump)).order.size(), 4u);
  EXPECT_THROW(import_posts(folder.write("none.7z", FilePacker::seven_zip({{"Votes.xml", "x"}}))), Error);
}

TEST(StackExchange, ManyPostsComeInTheirOrderAtAnyNumberOfThreads) {
  std::string posts = "<posts>";
  Strings expected;
  const std::string body(20000, 'w');
  for (int id = 1; id <= 1000; ++id) {  // several batches
    posts += id % 2 == 1 ? "<row PostTypeId='1' Id='" + std::to_string(id)
                         : "<row PostTypeId='2' ParentId='" + std::to_string(id - 1) + "' Id='" + std::to_string(id);
    posts += "' Score='10' Body='" + body + "'/>\n";
    expected.push_back(std::to_string(id));
  }
  posts += "</posts>";
  EXPECT_EQ(import_posts_text(posts, {}, 1).order, expected);
  EXPECT_EQ(import_posts_text(posts, {}, 2).order, expected);
}

/// Of several MiB, so that it is read in several parts; `middle` stands in about their middle.
std::string long_file(const std::string& middle, const std::string& line_end) {
  std::string posts = "<posts>" + line_end;
  const std::string body(30000, 'w');
  for (int id = 100; id < 300; ++id) {
    if (id == 200) posts += middle;
    posts += "<row Id='" + std::to_string(id) + "' PostTypeId='1' Score='1' Body='" + body + "'/>" + line_end;
  }
  return posts + "</posts>";
}

TEST(StackExchange, PlacesOfErrorsAreRightInLongFiles) {
  const std::string bad = "<row Id='1' Body='&nosuch;'/>";
  EXPECT_NE(failure(long_file(bad, "\n")).find("Posts.xml:102:1: "), std::string::npos)
      << failure(long_file(bad, "\n"));
  const std::size_t column = long_file(bad, "").find(bad) + 1;
  EXPECT_NE(failure(long_file(bad, "")).find("Posts.xml:1:" + std::to_string(column) + ": "), std::string::npos)
      << failure(long_file(bad, "")) << " " << column;
  for (const char* broken : {"<row>", "</row>", "</posts>", "<posts>", "<row Id='1", "<row", "\xFF", "&", "<!-- "}) {
    EXPECT_NE(failure(long_file(broken, "\n")).find("is not well-formed XML"), std::string::npos) << broken;
  }
}

TEST(StackExchange, CommentsAndLongRowsInLongFiles) {
  const std::string pair =
      "<row Id='1' PostTypeId='1' Score='10' Body='x'/><row Id='2' PostTypeId='2' ParentId='1' Score='10' />";
  std::string comment = "<!-- ";
  while (comment.size() < 3000000) comment += "<row Id='1' PostTypeId='1' Score='50'/>\n";
  const std::string row =
      "<row Id='3' PostTypeId='2' ParentId='1' Score='10' Body='" + std::string(3000000, 'x') + "'\n>\n</row>";
  const ImportedPosts got = import_posts_text(long_file(pair + comment + "-->" + row, "\n"));
  EXPECT_EQ(got.order, (Strings{"1", "2", "3"}));
  EXPECT_EQ(got.documents.at("3")["text"].get<std::string>().size(), 3000000u);
  EXPECT_EQ(got.counts.at("questions below --min-votes"), 200u);
}

TEST(StackExchange, BrokenFilesAreErrorsWithTheirPlace) {
  EXPECT_NE(failure("<posts>\n<row Id='1'>\n</posts>").find("Posts.xml:3:3: is not well-formed XML: mismatched tag"),
            std::string::npos);
  EXPECT_NE(failure(kPosts.substr(0, 900)).find("is not well-formed XML"), std::string::npos);
  EXPECT_NE(failure("<posts><row Body='\xFF'/></posts>").find(":1:"), std::string::npos);
  EXPECT_NE(failure("").find("no element found"), std::string::npos);
  EXPECT_NE(failure("<comments/>").find("begins with <comments>"), std::string::npos);
  EXPECT_NE(failure("<!DOCTYPE posts [<!ENTITY a 'b'>]><posts/>").find("document type declaration"), std::string::npos);
  std::string deep = "<posts>";
  for (int n = 0; n < 100000; ++n) deep += "<a>";
  EXPECT_NE(failure(deep).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(failure("<posts></posts>"), "nothing to import: no document was found");
}

TEST(StackExchange, StopsWhenAsked) {
  const TempFolder folder;
  ImportCounts counts;
  CorpusWriter out(folder.path("corpus"));
  idne::Run run;  // gtest has a Run of its own
  run.stopped = [] { return true; };
  EXPECT_THROW(import_stackexchange(folder.write("Posts.xml", kPosts), {}, out, counts, run), Interrupted);
}

TEST(StackExchange, TellsHowFarItIs) {
  const TempFolder folder;
  ImportCounts counts;
  CorpusWriter out(folder.path("corpus"));
  idne::Run run;  // gtest has a Run of its own
  std::uint64_t done = 0, total = 0;
  run.progress = [&](const Progress& progress) {
    if (progress.stage == "reading") done = progress.done, total = progress.total;
  };
  import_stackexchange(folder.write("Posts.xml", kPosts), {}, out, counts, run);
  EXPECT_EQ(done, kPosts.size());
  EXPECT_EQ(total, kPosts.size());
}

}  // namespace
}  // namespace idne
