#include "corpus/blocks.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <vector>

#include "idne/error.h"
#include "temp_folder.h"

namespace idne {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::vector<Block> blocks_of(const std::filesystem::path& file, std::size_t block_bytes = 8) {
  BlockReader reader(file, block_bytes);
  std::vector<Block> blocks;
  for (Block block; reader.next(block);) blocks.push_back(block);
  return blocks;
}

std::string joined(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) text += block.text;
  return text;
}

/// The error that reading the whole file gives.
std::string error_of(const std::filesystem::path& file) {
  try {
    blocks_of(file, 1 << 16);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(BlockReader, Utf16IsAnError) {
  const TempFolder folder;
  for (const std::string_view mark : {"\xFF\xFE", "\xFE\xFF"}) {
    const auto file = folder.write("wide.jsonl", std::string(mark) + "{}");
    EXPECT_EQ(error_of(file), file.string() + ": the file is UTF-16; save it as UTF-8");
  }
}

TEST(BlockReader, BlocksAreWholeLines) {
  const TempFolder folder;
  const std::string text = "one\ntwo\nthree\nfour\nfive\nsix\n";
  const auto blocks = blocks_of(folder.write("a", text));
  EXPECT_GT(blocks.size(), 2u);
  for (const Block& block : blocks) EXPECT_TRUE(block.text.ends_with('\n'));
  EXPECT_EQ(joined(blocks), text);
}

TEST(BlockReader, BlocksKnowTheirFirstLine) {
  const TempFolder folder;
  std::string text;
  for (int k = 1; k <= 100; ++k) text += std::to_string(k) + "\n";
  for (const std::size_t bytes : {3u, 8u, 64u, 100000u}) {
    for (const Block& block : blocks_of(folder.write("a", text), bytes)) {
      EXPECT_EQ(block.text.substr(0, block.text.find('\n')), std::to_string(block.first_line));
    }
  }
}

TEST(BlockReader, LastLineNeedsNoEnd) {
  const TempFolder folder;
  EXPECT_EQ(joined(blocks_of(folder.write("a", "one\ntwo"))), "one\ntwo");
}

TEST(BlockReader, LineLongerThanABlockIsNotCut) {
  const TempFolder folder;
  const std::string line = std::string(1000, 'x') + "\n", rest = "b\nc\nd\ne\nf\ng\nh\n";
  const auto blocks = blocks_of(folder.write("a", line + rest));
  ASSERT_GT(blocks.size(), 1u);
  EXPECT_TRUE(blocks[0].text.starts_with(line));
  EXPECT_EQ(joined(blocks), line + rest);
  EXPECT_EQ(blocks[1].text[0], "?abcdefgh"[blocks[1].first_line]);
}

TEST(BlockReader, EmptyFileHasNoBlocks) {
  const TempFolder folder;
  EXPECT_TRUE(blocks_of(folder.write("a", "")).empty());
  EXPECT_TRUE(blocks_of(folder.write("b", "\xEF\xBB\xBF")).empty());
  EXPECT_TRUE(blocks_of(folder.write("c.gz", gzip(""))).empty());
  EXPECT_TRUE(blocks_of(folder.write("d.zst", zstd(""))).empty());
}

TEST(BlockReader, ByteOrderMarkIsPassedOver) {
  const TempFolder folder;
  EXPECT_EQ(joined(blocks_of(folder.write("a", "\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n"))), "one\n\xEF\xBB\xBFtwo\n");
}

TEST(BlockReader, CompressedFilesGiveTheirText) {
  const TempFolder folder;
  std::string text;
  for (int k = 0; k < 100000; ++k) text += "line " + std::to_string(k) + "\n";
  EXPECT_EQ(joined(blocks_of(folder.write("a.gz", gzip(text)), 1000)), text);
  EXPECT_EQ(joined(blocks_of(folder.write("a.zst", zstd(text)), 1000)), text);
}

TEST(BlockReader, JoinedCompressedFilesAreOneText) {
  const TempFolder folder;
  EXPECT_EQ(joined(blocks_of(folder.write("a.gz", gzip("one\ntw") + gzip("o\n")))), "one\ntwo\n");
  EXPECT_EQ(joined(blocks_of(folder.write("a.zst", zstd("one\ntw") + zstd("o\n")))), "one\ntwo\n");
}

TEST(BlockReader, CutOffGzipIsAnErrorWhereverItIsCut) {
  const TempFolder folder;
  const std::string whole = gzip("{\"id\": \"a\", \"text\": \"some text\"}\n");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const auto file = folder.write("cut.gz", whole.substr(0, size));
    EXPECT_TRUE(error_of(file).starts_with(file.string() + ": cannot read: ")) << size << ": " << error_of(file);
  }
}

TEST(BlockReader, CutOffZstdIsAnErrorWhereverItIsCut) {
  const TempFolder folder;
  const std::string whole = zstd("{\"id\": \"a\", \"text\": \"some text\"}\n");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const auto file = folder.write("cut.zst", whole.substr(0, size));
    EXPECT_TRUE(error_of(file).starts_with(file.string() + ": cannot read: ")) << size << ": " << error_of(file);
  }
}

TEST(BlockReader, CutOffLargeFilesAreErrors) {
  const TempFolder folder;
  std::string text;
  for (int k = 0; k < 200000; ++k) text += std::to_string(k * 7919) + "\n";
  const std::string zipped = gzip(text), standard = zstd(text);
  const auto gz = folder.write("cut.gz", zipped.substr(0, zipped.size() / 2));
  const auto zst = folder.write("cut.zst", standard.substr(0, standard.size() / 2));
  EXPECT_TRUE(error_of(gz).starts_with(gz.string() + ": cannot read: ")) << error_of(gz);
  EXPECT_EQ(error_of(zst), zst.string() + ": cannot read: the compressed file is cut off");
}

TEST(BlockReader, DamagedCompressionIsAnError) {
  const TempFolder folder;
  std::string zipped = gzip("some text that is damaged\n");
  zipped[zipped.size() - 6] = static_cast<char>(zipped[zipped.size() - 6] ^ 1);  // in the checksum
  const auto gz = folder.write("bad.gz", zipped), zst = folder.write("bad.zst", "no zstd file\n");
  EXPECT_TRUE(error_of(gz).starts_with(gz.string() + ": cannot read: ")) << error_of(gz);
  EXPECT_TRUE(error_of(zst).starts_with(zst.string() + ": cannot read: ")) << error_of(zst);
}

TEST(BlockReader, MissingFileOrFolderIsAnErrorWithItsName) {
  const TempFolder folder;
  for (const char* name : {"missing", "missing.gz", "missing.zst"}) {
    EXPECT_EQ(error_of(folder.path(name)), folder.path(name).string() + ": cannot open: No such file or directory");
  }
  EXPECT_TRUE(error_of(folder.path()).starts_with(folder.path().string() + ": is a folder"));
}

TEST(BlockReader, PartsHaveEachLineOnceWhereverBlocksEnd) {
  const TempFolder folder;
  std::string text;
  for (std::size_t n = 0; n < 60; ++n) text += std::string(n * n % 37, 'x') + "\n";
  const auto file = folder.write("a.txt", text);
  for (const std::size_t block_bytes : {1, 8, 50, 200}) {
    for (std::size_t count = 1; count <= 70; ++count) {
      std::string all;
      for (std::size_t number = 0; number < count; ++number) {
        BlockReader reader(file, BlockReader::Part{number, count, 1}, block_bytes);
        for (Block block; reader.next(block);) all += block.text;
      }
      EXPECT_EQ(all, text) << count << " parts in blocks of " << block_bytes;
    }
  }
}

TEST(BlockReader, BytesReadReachTheFileSize) {
  const TempFolder folder;
  const std::string text(100000, '\n');
  for (const auto& file :
       {folder.write("a", text), folder.write("a.gz", gzip(text)), folder.write("a.zst", zstd(text))}) {
    BlockReader reader(file, 1000);
    EXPECT_EQ(reader.bytes(), std::filesystem::file_size(file));
    for (Block block; reader.next(block);) EXPECT_LE(reader.bytes_read(), reader.bytes());
    EXPECT_EQ(reader.bytes_read(), reader.bytes());
  }
}

TEST(BlockReader, ALineWithoutEndIsAnErrorWithItsLine) {
  const TempFolder folder;
  for (const auto& [name, bytes] : {std::pair{"a.jsonl", std::string("first\nsecond\n") + std::string(5000, 'x')},
                                    std::pair{"a.zst", zstd("first\nsecond\n" + std::string(5000, 'x'))}}) {
    BlockReader reader(folder.write(name, bytes), 64, 4000);
    Block block;
    ASSERT_TRUE(reader.next(block));
    EXPECT_EQ(block.text, "first\nsecond\n");
    try {
      reader.next(block);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string(name) + ":3: the line has more than 4000 bytes"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace idne
