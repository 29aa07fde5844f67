#include "import/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/error.h"
#include "idne/import.h"
#include "import/pieces.h"
#include "packed.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Row = std::vector<std::string>;
using Json = nlohmann::json;

std::vector<Row> rows(const TempFolder& folder, std::string_view text, char separator = ',') {
  CsvReader reader(folder.write("rows.csv", text), separator);
  std::vector<Row> all;
  for (Row row; reader.next(row);) all.push_back(row);
  return all;
}

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

std::vector<Json> documents(const TempFolder& folder, std::string_view text, const CsvOptions& options,
                            Counts* counted = nullptr) {
  ImportCounts counts;
  CorpusWriter out(folder.path("corpus"));
  import_csv(folder.write("table.csv", text), options, out, counts, idne::Run{});
  out.commit();
  if (counted) *counted = counts.all();
  std::vector<Json> result;
  std::istringstream lines(folder.read("corpus/documents.jsonl"));
  for (std::string line; std::getline(lines, line);) result.push_back(Json::parse(line));
  return result;
}

/// What an import of the table says is wrong with it.
std::string csv_fault(std::string_view text, const CsvOptions& options) {
  const TempFolder folder;
  try {
    documents(folder, text, options);
  } catch (const Error& error) {
    const std::string what = error.what(), place = folder.path().string() + "/";
    return what.starts_with(place) ? what.substr(place.size()) : what;
  }
  return "no error";
}

TEST(CsvReader, Fields) {
  const TempFolder folder;
  EXPECT_EQ(rows(folder, "a,b\n1,2\n"), (std::vector<Row>{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows(folder, "a,b\r\n1,\"2\"\r\n"), (std::vector<Row>{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows(folder, "a,,\n,\n"), (std::vector<Row>{{"a", "", ""}, {"", ""}}));
  EXPECT_EQ(rows(folder, "a,b"), (std::vector<Row>{{"a", "b"}}));
  EXPECT_EQ(rows(folder, "a,\"b\""), (std::vector<Row>{{"a", "b"}}));
  EXPECT_EQ(rows(folder, "a,"), (std::vector<Row>{{"a", ""}}));
  EXPECT_EQ(rows(folder, "a,b\r"), (std::vector<Row>{{"a", "b"}}));
  EXPECT_EQ(rows(folder, "a\n\n \nb\n\n"), (std::vector<Row>{{"a"}, {"b"}}));
  EXPECT_EQ(rows(folder, "\xEF\xBB\xBF\"a\",b\n"), (std::vector<Row>{{"a", "b"}}));
  EXPECT_EQ(rows(folder, "a;b,c\td\n", ';'), (std::vector<Row>{{"a", "b,c\td"}}));
  EXPECT_EQ(rows(folder, ""), std::vector<Row>{});
}

TEST(CsvReader, Quotes) {
  const TempFolder folder;
  EXPECT_EQ(rows(folder, "\"a,b\",\"c \"\"d\"\"\"\n"), (std::vector<Row>{{"a,b", "c \"d\""}}));
  EXPECT_EQ(rows(folder, "\"two\nlines\",\"\"\n"), (std::vector<Row>{{"two\nlines", ""}}));
  EXPECT_EQ(rows(folder, "\"two\r\n\r\nlines\"\r\nx\r\n"), (std::vector<Row>{{"two\r\n\r\nlines"}, {"x"}}));
  EXPECT_EQ(rows(folder, "5\" disk,b\n"), (std::vector<Row>{{"5\" disk", "b"}})) << "not a quoted field";
}

TEST(CsvReader, RowsAcrossBlocks) {
  const TempFolder folder;
  std::string text, value;
  for (int k = 0; k < 40000; ++k) value += fmt::format("line \"\"{}\"\"\n", k);
  text = "id,text\nx,\"" + value + "\"\nlast,row\n";
  CsvReader reader(folder.write("rows.csv", text), ',');
  Row row;
  ASSERT_TRUE(reader.next(row) && reader.next(row));
  ASSERT_EQ(row.size(), 2u);
  EXPECT_EQ(std::count(row[1].begin(), row[1].end(), '\n'), 40000);
  EXPECT_EQ(row[1].substr(0, 9), "line \"0\"\n");
  EXPECT_EQ(reader.line(), 2u);
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(row, (Row{"last", "row"}));
  EXPECT_EQ(reader.line(), 40003u);
  EXPECT_FALSE(reader.next(row));
}

TEST(Csv, Columns) {
  const TempFolder folder;
  Counts counts;
  const CsvOptions options{
      .id = "key", .text = {"title", "4"}, .title = "title", .labels = "tags", .links = "cites", .groups = "authors"};
  const auto all = documents(folder,
                             "key,title, tags ,body,cites,authors\n"
                             "a,First,x | y|x,\"some, words\",b|c,Ann|Bob\n"
                             "b,,,,,\n",
                             options, &counts);
  EXPECT_EQ(counts, (Counts{{"rows without text", 1}}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], Json::parse(R"({"id":"a","title":"First","text":"First\nsome, words","labels":["x","y"],
                                    "links":["b","c"],"groups":["Ann","Bob"]})"));
  EXPECT_EQ(all[1], Json::parse(R"({"id":"b","text":""})"));
}

TEST(Csv, RowsAreNumberedWithoutAnId) {
  const TempFolder folder;
  const auto all = documents(folder, "t\nx\n\ny\n", {.text = {"t"}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["id"], "1");
  EXPECT_EQ(all[1]["id"], "2");
}

TEST(Csv, NamesAreBeforeNumbers) {
  const TempFolder folder;
  EXPECT_EQ(documents(folder, "2,1\nx,y\n", {.text = {"1"}})[0]["text"], "y");
}

TEST(Csv, OtherSeparators) {
  const TempFolder folder;
  CsvOptions options{.id = "i", .text = {"t"}, .labels = "l", .separator = '\t', .list_separator = ", "};
  EXPECT_EQ(documents(folder, "i\tt\tl\na\tx,y\tp, q\n", options)[0],
            Json::parse(R"({"id":"a","text":"x,y","labels":["p","q"]})"));
}

TEST(Csv, Compressed) {
  const TempFolder folder;
  for (const std::string_view ending : packed_endings()) {
    const auto file =
        folder.write("table.tsv" + std::string(ending), FilePacker::compressed("i\tt\n7\t\"a,\nb\"\n", ending));
    ImportCounts counts;
    CorpusWriter out(folder.path("corpus"));
    import_csv(file, {.id = "i", .text = {"t"}}, out, counts, idne::Run{});
    out.commit();
    EXPECT_EQ(Json::parse(folder.read("corpus/documents.jsonl")), (Json{{"id", "7"}, {"text", "a,\nb"}})) << ending;
  }
}

TEST(Csv, ACutCompressedTableIsAnError) {
  const TempFolder folder;
  std::string table = "t\n";
  for (unsigned n = 0; n < 10000; ++n) table += fmt::format("{}\n", n * 2654435761u);
  for (const std::string_view ending : {".gz", ".zst", ".bz2"}) {
    const std::string name = "table.csv" + std::string(ending), whole = FilePacker::compressed(table, ending);
    CorpusWriter out(folder.path("corpus"));
    ImportCounts counts;
    try {
      import_csv(folder.write(name, whole.substr(0, whole.size() / 2)), {.text = {"t"}}, out, counts, idne::Run{});
      ADD_FAILURE() << "took half of " << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(name + ": cannot read: "), std::string::npos) << error.what();
    }
  }
}

TEST(Csv, FaultsNameTheirLine) {
  const CsvOptions options{.id = "i", .text = {"t"}};
  EXPECT_EQ(csv_fault("i,t\na,\"x\ny\"\nb\n", options), "table.csv:4: 1 field, but the first line names 2 columns");
  EXPECT_EQ(csv_fault("i,t\na,b,c\n", options), "table.csv:2: 3 fields, but the first line names 2 columns");
  EXPECT_EQ(csv_fault("i,t\na,x\na,y\n", options), "table.csv:3: the id a was there before");
  EXPECT_EQ(csv_fault("i,t\n ,x\n", options), "table.csv:2: the id is empty");
  EXPECT_EQ(csv_fault("i,t\na,\"x\nb,y\n", options), "table.csv:2: a quote that begins here is never closed");
  EXPECT_EQ(csv_fault("i,t\n\na,\"x\"y\n", options),
            "table.csv:3: a quote ends in the middle of a field; a quote inside quotes is written twice");
  EXPECT_EQ(csv_fault("i,u\na,b\n", options), "table.csv:1: no column t; there are: i, u");
  EXPECT_EQ(csv_fault("i,u\na,b\n", {.text = {"3"}}), "table.csv:1: no column 3; there are: i, u");
  EXPECT_EQ(csv_fault("i,u\na,b\n", {.text = {"0"}}), "table.csv:1: no column 0; there are: i, u");
  EXPECT_EQ(csv_fault("t,t\na,b\n", {.text = {"t"}}), "table.csv:1: two columns are named t; give the number of one");
  EXPECT_EQ(csv_fault("", options), "table.csv: is empty; a first line with column names is needed");
  EXPECT_EQ(csv_fault(std::string_view("\xFF\xFEi\0,\0t\0\n\0", 10), options),
            "table.csv: the file is UTF-16; save it as UTF-8");
  EXPECT_EQ(csv_fault(std::string_view("i\0,\0t\0\n\0", 8), options),
            "table.csv:1: the column names are no UTF-8; save the file as UTF-8");
  EXPECT_EQ(csv_fault("i,t\n", options), "nothing to import: no document was found");
}

TEST(Csv, WhatIsNoUtf8IsTakenForWindows1252) {
  const TempFolder folder;
  Counts counts;
  const auto all =
      documents(folder, "i,caf\xE9\n\xE9,caf\xE9 5 \x80\n2,caf\xC3\xA9\n", {.id = "i", .text = {"café"}}, &counts);
  EXPECT_EQ(counts, (Counts{{"rows that are no UTF-8, taken for Windows-1252", 1}}));
  EXPECT_EQ(all[0]["id"], "é");
  EXPECT_EQ(all[0]["text"], "café 5 €");
  EXPECT_EQ(all[1]["text"], "café");
}

TEST(Csv, BadRowsArePassedOverIfWanted) {
  const TempFolder folder;
  Counts counts;
  const auto all = documents(folder, "i,t\na,x\nb,y,z\nc\na,again\n,none\nd,\"q\"q\ne,last\n",
                             {.id = "i", .text = {"t"}, .skip_bad = true}, &counts);
  EXPECT_EQ(counts, (Counts{{"rows with an error, passed over", 5}}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1]["id"], "e");
  EXPECT_EQ(all[1]["text"], "last");
}

TEST(Csv, AStrayQuoteCostsItsOwnRowAlone) {
  const TempFolder folder;
  const CsvOptions options{.id = "i", .text = {"t"}, .skip_bad = true};
  const auto ids = [&](std::string_view text) {
    std::string all;
    for (const Json& document : documents(folder, text, options)) all += document["id"].get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(ids("i,t\n1,\"a\n2,b\n3,\"c\"\n4,\"d\ne\"\n"), "2 3 4 ") << "it meets the next quote";
  EXPECT_EQ(ids("i,t\n1,a\n2,\"b\n3,\"\"\n4,d"), "1 3 4 ") << "it is never closed";
  EXPECT_EQ(ids("i,t\n1,a\n2,\"b"), "1 ");
  EXPECT_EQ(ids("i,t\n1,\"a\nb\n2,c\n"), "2 ") << "what is no row by itself is none";

  std::string many = "i,t\n1,\"stray\n";
  for (int n = 2; n < 20000; ++n) many += fmt::format("{},{:0100}\n", n, n);
  Counts counts;
  EXPECT_EQ(documents(folder, many, options, &counts).size(), 19998u) << "across blocks";
  EXPECT_EQ(counts, (Counts{{"rows with an error, passed over", 1}}));
}

TEST(Csv, AnotherSeparatorIsHintedAt) {
  EXPECT_EQ(csv_fault("i;t\na;b\n", {.text = {"t"}}), "table.csv:1: no column t; there are: i;t; try --separator ';'");
  EXPECT_EQ(csv_fault("i\tt\na\tb\n", {.text = {"t"}}),
            "table.csv:1: no column t; there are: i\tt; try --separator tab");
  EXPECT_EQ(csv_fault("i;t\na;b\n", {.text = {"1"}}),
            "table.csv:1: only one column: i;t; try --separator ';', or --separator , if it is one");
  EXPECT_EQ(csv_fault("i;t\na;b\n", {.text = {"1"}, .separator = ','}), "no error");
  EXPECT_EQ(csv_fault("i;t\na;b\n", {.text = {"i;t"}}), "no error");
  EXPECT_EQ(csv_fault("t\na;b\n", {.text = {"1"}}), "no error");
}

}  // namespace
}  // namespace idne
