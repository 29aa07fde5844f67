#include "import/row_chunks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "repeated_source.h"

namespace idne {
namespace {

constexpr std::uint64_t kNoEnd = std::uint64_t{1} << 40;

std::vector<RowChunk> chunks_of(const std::string& text) {
  std::uint64_t given = 0;
  Pieces pieces("rows.xml", std::make_unique<RepeatedSource>(text, "", text.size(), given));
  RowChunks source(pieces, "row");
  std::vector<RowChunk> chunks;
  for (RowChunk chunk; source.next(chunk);) chunks.push_back(chunk);
  return chunks;
}

std::string repeated(std::string_view text, std::size_t size) {
  std::string result;
  while (result.size() < size) result += text;
  return result;
}

/// Rows of many lengths, so that pieces end anywhere.
std::string rows(std::size_t size) {
  std::string text;
  for (std::size_t n = 0; text.size() < size; ++n) {
    text += "<row Id=\"" + std::to_string(n) + "\" Body=\"" + std::string(n * 7919 % 5000, 'x') + "\"/>\n";
  }
  return text;
}

TEST(RowChunks, JoinedAreTheFileAndEachBeginsWithARow) {
  const std::string text = "<rows>\n" + rows(6 * kPiece) + "</rows>";
  const auto chunks = chunks_of(text);
  EXPECT_GE(chunks.size(), 5u);
  std::string joined;
  for (const RowChunk& chunk : chunks) {
    const bool first = joined.empty();
    EXPECT_EQ(chunk.first, first);
    EXPECT_TRUE(first || chunk.text.starts_with("<row "));
    EXPECT_EQ(chunk.start.line, 1 + static_cast<std::uint64_t>(std::count(joined.begin(), joined.end(), '\n')));
    EXPECT_EQ(chunk.start.column, 1u);
    EXPECT_TRUE(chunk.whole);
    joined += chunk.text;
    EXPECT_EQ(chunk.last, joined.size() == text.size());
  }
  EXPECT_EQ(joined, text);
}

TEST(RowChunks, NothingIsCutWithinACommentOrCdata) {
  const std::string comment = "<!-- " + repeated("<row ", 3 * kPiece / 2) + "-->";
  const std::string cdata = "<![CDATA[ --> " + repeated("<row ", 3 * kPiece / 2) + "]]>";
  const std::string text = "<rows>" + rows(kPiece) + comment + rows(kPiece) + cdata + rows(2 * kPiece) + "</rows>";
  const std::size_t comment_at = text.find(comment), cdata_at = text.find(cdata);
  std::size_t at = 0, chunks = 0;
  for (const RowChunk& chunk : chunks_of(text)) {
    EXPECT_FALSE(at > comment_at && at < comment_at + comment.size()) << at;
    EXPECT_FALSE(at > cdata_at && at < cdata_at + cdata.size()) << at;
    at += chunk.text.size();
    ++chunks;
  }
  EXPECT_EQ(at, text.size());
  EXPECT_GE(chunks, 4u);
}

TEST(RowChunks, ColumnsGoOnWhereThereAreNoLines) {
  std::string text = "<rows>" + rows(3 * kPiece) + "</rows>";
  std::erase(text, '\n');
  std::size_t at = 0;
  for (const RowChunk& chunk : chunks_of(text)) {
    EXPECT_EQ(chunk.start.line, 1u);
    EXPECT_EQ(chunk.start.column, at + 1);
    at += chunk.text.size();
  }
  EXPECT_EQ(at, text.size());
}

/// A whole wiki given in the place of posts, or a comment that never ends.
TEST(RowChunks, AFileWithoutRowsIsNotHeld) {
  for (const auto& [begins, goes_on] :
       {std::pair{"<rows>", "<other a=\"1\"/>\n"}, {"<rows><!-- ", "<row a=\"1\"/>\n"}, {"<rows><row a=\"", "x"}}) {
    std::uint64_t given = 0;
    Pieces pieces("rows.xml", std::make_unique<RepeatedSource>(begins, goes_on, kNoEnd, given));
    RowChunks chunks(pieces, "row");
    RowChunk chunk;
    do ASSERT_TRUE(chunks.next(chunk));
    while (chunk.whole);
    EXPECT_FALSE(chunk.last);
    EXPECT_LE(chunk.text.size(), kLongestChunk + kPiece);
    EXPECT_LE(given, kLongestChunk + kPiece);
    EXPECT_FALSE(chunks.next(chunk));
  }
}

}  // namespace
}  // namespace idne
