#include "import/xml_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "import/xml_file.h"

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
  parse_xml_excerpt({"rows.xml", {}, "<rows>", rows + "</rows>"}, handler);
  return handler.rows.texts;
}

TEST(XmlRows, PlainRowsAreWhatExpatReads) {
  for (const std::string text :
       {R"(<row a="x" Id="7"/>)", R"(<row/>)", "", "  \r\n\t", R"(  <row Body="" a="1" />  <row
	Id="-12"   a="two" />)",
        R"(<row Body="&lt;p&gt;a &amp;amp; b&lt;/p&gt;&#xA;&#10;&quot;&apos;" Id="3x"/>)", "<row a='1'/>",
        R"(<row Body="one
two	three" a="&#x1F600;&#233;é" Id=" 7"/>)",
        "<row a=\"one\r\ntwo\rthree\"/>", R"(<row Id="&#49;2" a=">" />)", R"(<row A-b="1" a="2"/>)",
        R"(<row a="1"></row>)", R"(<!-- a row --><row a="1"/>)", "<row a = \"1\"/>"}) {
    Collect plain;
    if (read_plain_rows(text, "row", plain)) {
      EXPECT_EQ(plain.texts, by_expat(text)) << text;
    }
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

}  // namespace
}  // namespace idne
