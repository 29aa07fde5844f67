#include "import/xml_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "import/row_chunks.h"
#include "import/xml_file.h"
#include "repeated_source.h"

namespace idne {
namespace {

/// What is in the attributes a, Body and Id of each row.
class Collect : public XmlRowHandler {
 public:
  void row(const XmlRow& row) override {
    texts.push_back(row.text("a"));
    texts.push_back(row.text("Body"));
    texts.push_back(row.number("Id") ? std::to_string(*row.number("Id")) : "none");
  }
  std::vector<std::string> texts;
};

/// The same by Expat.
class CollectXml : public XmlHandler {
 public:
  void start(std::string_view name, const char** attributes) override {
    if (name != "row") return;
    std::vector<XmlRow::Attribute> list;
    for (; *attributes; attributes += 2) list.push_back({attributes[0], attributes[1]});
    rows.row(XmlRow(list, false));
  }
  Collect rows;
};

std::vector<std::string> by_expat(const std::string& rows) {
  CollectXml handler;
  XmlParser parser("rows.xml", handler, "UTF-8");
  parser.parse("<rows>" + rows + "</rows>", true);
  return handler.rows.texts;
}

/// Three texts per row.
std::size_t rows_in(const std::vector<std::string>& texts) { return texts.size() / 3; }

TEST(XmlRows, PlainRowsAreWhatExpatReads) {
  struct Plain {
    std::string text;
    std::size_t rows;
  };
  for (const Plain& plain :
       {Plain{R"(<row a="x" Id="7"/>)", 1}, Plain{R"(<row/>)", 1}, Plain{"", 0}, Plain{"  \r\n\t", 0},
        Plain{R"(  <row Body="" a="1" />  <row
	Id="-12"   a="two" />)",
              2},
        Plain{R"(<row Body="&lt;p&gt;a &amp;amp; b&lt;/p&gt;&#xA;&#10;&quot;&apos;" Id="3x"/>)", 1},
        Plain{R"(<row Body="one
two	three" a="&#x1F600;&#233;é" Id=" 7"/>)",
              1},
        Plain{"<row a=\"one\r\ntwo\rthree\"/>", 1}, Plain{R"(<row Id="&#49;2" a=">" />)", 1}}) {
    Collect rows;
    EXPECT_TRUE(read_plain_rows(plain.text, "row", rows)) << plain.text;
    EXPECT_EQ(rows_in(rows.texts), plain.rows) << plain.text;
    EXPECT_EQ(rows.texts, by_expat(plain.text)) << plain.text;
  }
}

TEST(XmlRows, OtherWaysToWriteRowsAreLeftToExpat) {
  for (const char* text : {"<row a='1'/>", R"(<row A-b="1" a="1"/>)", R"(<row a="1"></row>)",
                           R"(<!-- a row --><row a="1"/>)", "<row a = \"1\"/>"}) {
    Collect rows;
    EXPECT_FALSE(read_plain_rows(text, "row", rows)) << text;
    EXPECT_EQ(by_expat(text), (std::vector<std::string>{"1", "", "none"})) << text;
  }
}

TEST(XmlRows, RowsOfDumpsNeedNoExpat) {
  Collect rows;
  EXPECT_TRUE(read_plain_rows(
      "  <row Id=\"1\" Score=\"5\" Body=\"&lt;p&gt;caf\xC3\xA9&#xA;&lt;/p&gt;\" />\r\n  <row Id=\"2\" />\r\n", "row",
      rows));
  EXPECT_EQ(rows.texts, (std::vector<std::string>{"", "<p>caf\xC3\xA9\n</p>", "1", "", "", "2"}));
}

TEST(XmlRows, WhatIsNotWellFormedIsLeftToExpat) {
  for (const std::string text : {"<row a=\"1\" a=\"2\"/>",
                                 "<row a=\"<\"/>",
                                 "<row a=\"&nbsp;\"/>",
                                 "<row a=\"&\"/>",
                                 "<row a=\"&#0;\"/>",
                                 "<row a=\"&#xD800;\"/>",
                                 "<row a=\"&#xFFFF;\"/>",
                                 "<row a=\"&#x110000;\"/>",
                                 "<row a=\"\x01\"/>",
                                 "<row a=\"\xFF\"/>",
                                 "<row a=\"\xED\xA0\x80\"/>",
                                 "<row a=\"\xEF\xBF\xBF\"/>",
                                 "<row a=\"1\"b=\"2\"/>",
                                 "<row a=\"1",
                                 "<row a=\"1\"",
                                 "<row",
                                 "<",
                                 "text",
                                 "<row a=\"1\"/>&",
                                 "<row a/>",
                                 "<row a=\"&#;\"/>",
                                 "<row a=\"&#-5;\"/>",
                                 "<row a=\"&#x;\"/>",
                                 "<row a=\"&amp\"/>",
                                 "<row a=\"&#38\"/>"}) {
    Collect rows;
    EXPECT_FALSE(read_plain_rows(text, "row", rows)) << text;
    if (text != "text") {
      EXPECT_THROW(by_expat(text), Error) << text;
    }
  }
}

struct RowsRead {
  std::vector<std::string> ids;
  std::string fault;
  std::uint64_t given = 0;                ///< bytes of the file that were read
  std::uint64_t given_at_first_join = 0;  ///< when the first rows came
  std::size_t handlers = 0;               ///< that were made: a second one for a chunk that is left to Expat
};

RowsRead read_all(const std::string& begins, const std::string& goes_on, std::uint64_t size, int threads = 2) {
  RowsRead read;
  Pieces pieces("rows.xml", std::make_unique<RepeatedSource>(begins, goes_on, size, read.given));
  idne::Run run;  // gtest has a Run of its own
  run.threads = threads;
  std::atomic<std::size_t> handlers = 0;
  const auto make = [&] {
    ++handlers;
    return std::make_unique<Collect>();
  };
  try {
    read_xml_rows(pieces, {"rows", "row", "a list of rows"}, "reading", run, make, [&](XmlRowHandler& rows) {
      if (read.given_at_first_join == 0) read.given_at_first_join = read.given;
      const auto& texts = static_cast<Collect&>(rows).texts;
      for (std::size_t n = 2; n < texts.size(); n += 3) read.ids.push_back(texts[n]);
    });
  } catch (const Error& error) {
    read.fault = error.what();
  }
  read.handlers = handlers;
  return read;
}

RowsRead read_all(const std::string& text, int threads = 2) { return read_all(text, "", text.size(), threads); }

TEST(XmlRows, LongFilesComeInTheirOrderInEitherForm) {
  std::vector<std::string> expected;
  std::string text = "<rows>\n";
  for (int id = 0; text.size() < 5 * kPiece; ++id) {
    expected.push_back(std::to_string(id));
    text += "<row Id=\"" + expected.back() + "\" Body=\"" + std::string(1000, 'w') + "\"/>\n";
  }
  text += "</rows>";
  std::string other = text;
  std::replace(other.begin(), other.end(), '"', '\'');
  for (const int threads : {1, 2}) {
    const RowsRead plain = read_all(text, threads), by_expat_alone = read_all(other, threads);
    EXPECT_EQ(plain.ids, expected);
    EXPECT_EQ(by_expat_alone.ids, expected);
    const std::size_t chunks = by_expat_alone.handlers / 2;
    EXPECT_GE(chunks, 5u);
    EXPECT_EQ(plain.handlers, chunks + 2) << "only the first and the last chunk are left to Expat";
  }
}

TEST(XmlRows, RowsFarApartAreReadWithoutHoldingWhatIsBetween) {
  std::string between;
  while (between.size() < kLongestChunk + 3 * kPiece) between += "<other a=\"1\"/>\n";
  const std::string text = "<rows><row Id=\"1\"/>" + between + "<row Id=\"2\"/>" + between + "<row Id=\"3\"/></rows>";
  const RowsRead read = read_all(text);
  EXPECT_EQ(read.fault, "");
  EXPECT_EQ(read.ids, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_LE(read.given_at_first_join, kLongestChunk + 2 * kPiece);
}

TEST(XmlRows, FaultsHaveTheirPlaceFarFromRowsToo) {
  std::string text = "<rows>\n";
  while (text.size() < kLongestChunk + 3 * kPiece) text += "<other a=\"1\"/>\n";
  const auto line = std::to_string(1 + std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(read_all(text + "</row>").fault, "rows.xml:" + line + ":3: is not well-formed XML: mismatched tag");
}

/// Files of a terabyte, as far as a reader can tell.
TEST(XmlRows, AFileThatIsNoneIsGivenUpEarly) {
  constexpr std::uint64_t kLongestToken = std::uint64_t{64} << 20, kTerabyte = std::uint64_t{1} << 40;
  RowsRead read = read_all("<mediawiki>", "<page/>\n", kTerabyte);
  EXPECT_EQ(read.fault, "rows.xml: begins with <mediawiki>; a list of rows begins with <rows>");
  EXPECT_LE(read.given, kLongestChunk + 2 * kPiece);
  read = read_all("<rows>\n<!-- ", "<row a=\"1\"/>", kTerabyte);
  EXPECT_EQ(read.fault, "rows.xml:2:1: has a tag or comment of more than 64 MiB");
  EXPECT_LE(read.given, kLongestToken + 3 * kPiece);
  read = read_all("<rows>\n<row a=\"", "x", kTerabyte);
  EXPECT_EQ(read.fault, "rows.xml:2:1: has a tag or comment of more than 64 MiB");
  EXPECT_LE(read.given, kLongestToken + 3 * kPiece);
}

}  // namespace
}  // namespace idne
