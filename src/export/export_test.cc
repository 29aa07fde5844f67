#include "idne/export.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "idne/vectors.h"
#include "temp_folder.h"
#include "tiny_model.h"

namespace idne {
namespace {

TEST(Export, TablesAreNamed) {
  const Model model = tiny_model();
  EXPECT_EQ(export_table(model, "documents", {}).names, (std::vector<std::string>{"a", "b", "ç"}));
  EXPECT_EQ(export_table(model, "words", {}).names, (std::vector<std::string>{"moon", "tide"}));
  EXPECT_EQ(export_table(model, "topics", {}).names.size(), 2u);
}

TEST(Export, AnUnknownTableIsAnErrorThatNamesTheOthers) {
  const Model model = tiny_model();
  for (const char* what : {"nonsense", "", "Documents"}) {
    try {
      export_table(model, what, {});
      FAIL() << what;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   fmt::format("'{}' cannot be exported; there are: documents, words, topics", what).c_str());
    }
  }
}

TEST(Export, NamesInAVecFileAreUtf8WithoutWhiteSpace) {
  const TempFolder folder;
  const std::vector<float> values{1, 2};
  write_vectors({values.data(), 2, 1}, {"a b", "caf\xe9"}, folder.path("v.vec"), VectorFormat::Vec, {}, {});
  EXPECT_EQ(folder.read("v.vec"), "2 1\na_b 1\ncaf\uFFFD 2\n");
}

TEST(ExportLinks, RowsAndRecordsHaveIdsScoreAndTitlesInTheirOrder) {
  const Model model = tiny_model();
  const TempFolder folder;
  const std::vector<MissingLink> links{{2, 0, 1.25}, {0, 1, 0.5}};
  write_links(model, links, folder.path("l.tsv"), LinkFormat::Tsv, 1);
  EXPECT_EQ(folder.read("l.tsv"), "ç\ta\t1.25\tGamma\tAlpha\na\tb\t0.5\tAlpha\t\n");
  write_links(model, links, folder.path("l.jsonl"), LinkFormat::Jsonl, 1);
  EXPECT_EQ(folder.read("l.jsonl"),
            "{\"from\":\"ç\",\"to\":\"a\",\"score\":1.25,\"from_title\":\"Gamma\",\"to_title\":\"Alpha\"}\n"
            "{\"from\":\"a\",\"to\":\"b\",\"score\":0.5,\"from_title\":\"Alpha\",\"to_title\":\"\"}\n");
}

TEST(ExportLinks, NoLinksMakeAnEmptyFile) {
  const TempFolder folder;
  write_links(tiny_model(), {}, folder.path("l.tsv"), LinkFormat::Tsv, 1);
  EXPECT_EQ(folder.read("l.tsv"), "");
}

}  // namespace
}  // namespace idne
