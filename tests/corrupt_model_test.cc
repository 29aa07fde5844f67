#include <fstream>

#include "model_files.h"

/// A model file is either as it was written, or an Error that names it: never a crash, never a wrong model.
namespace idne {
namespace {

TEST(CorruptModel, EveryFlippedBitIsFound) {
  const TempFolder folder;
  const std::string good = tiny_file();
  const auto file = folder.write("m.idne", good);
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) {
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(byte).flush();
  };
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      put(at, static_cast<char>(good[at] ^ (1 << bit)));
      ASSERT_NE(complaint(file), "") << "byte " << at << ", bit " << bit;
    }
    put(at, good[at]);
  }
  EXPECT_NO_THROW(Model::load(file));
}

TEST(CorruptModel, EveryTruncationIsFound) {
  const TempFolder folder;
  const std::string good = tiny_file();
  const auto file = folder.write("m.idne", good);
  for (std::size_t size = good.size(); size-- > 0;) {
    std::filesystem::resize_file(file, size);
    ASSERT_NE(complaint(file), "") << size << " bytes";
  }
}

TEST(CorruptModel, BytesBehindTheEndAreFound) {
  const TempFolder folder;
  const std::string good = tiny_file();
  for (const std::size_t more : {1u, 7u, 8u, 4096u}) {
    EXPECT_NE(complaint(folder.write("m.idne", good + std::string(more, '\0'))), "") << more << " bytes";
  }
}

TEST(CorruptModel, WhatIsNoModelIsNamed) {
  const TempFolder folder;
  EXPECT_NE(complaint(folder.write("empty", "")).find("empty"), std::string::npos);
  EXPECT_NE(complaint(folder.write("text", "Call me Ishmael. Some years ago, never mind how long\n")), "");
  EXPECT_NE(complaint(folder.write("length", std::string(8, '\xFF') + "{}")), "");
  EXPECT_NE(complaint(folder.write("zeros", std::string(4096, '\0'))), "");
  EXPECT_NE(complaint(folder.path("missing")), "");
  EXPECT_NE(complaint(folder.path()), "");
  EXPECT_NE(complaint("/dev/null"), "");
}
TEST(CorruptModel, WordsOfDocumentsAndTopicsMustBeWords) {
  using Offsets = std::vector<std::int64_t>;
  using Numbers = std::vector<std::int32_t>;
  const TempFolder folder;
  const auto saved = [&](const Offsets& offsets, const Numbers& values, const Numbers& counts, const Numbers& topics) {
    Forgery forgery;  // three documents, two words, two topics
    forgery.replace("documents.words.values", "I32", {values.size()}, bytes_of(values));
    forgery.replace("documents.words.counts", "I32", {counts.size()}, bytes_of(counts));
    forgery.replace("documents.words.offsets", "I64", {offsets.size()}, bytes_of(offsets));
    if (!topics.empty()) forgery.replace("topics.words", "I32", {topics.size()}, bytes_of(topics));
    return folder.write("m.idne", forgery.file());
  };
  const Offsets offsets{0, 2, 2, 3};
  EXPECT_NO_THROW(Model::load(saved(offsets, {0, 1, 1}, {1, 3, 1}, {0, 1, 1, 0})));
  const auto expect_complaint = [&](const std::filesystem::path& file, const std::string& about) {
    EXPECT_NE(complaint(file).find(about), std::string::npos);
  };
  const std::string documents = "documents.words";
  expect_complaint(saved(offsets, {0, 2, 1}, {1, 3, 1}, {}), documents);
  expect_complaint(saved(offsets, {-1, 1, 1}, {1, 3, 1}, {}), documents);
  expect_complaint(saved(offsets, {1, 0, 1}, {1, 3, 1}, {}), documents);
  expect_complaint(saved(offsets, {1, 1, 1}, {1, 3, 1}, {}), documents);
  expect_complaint(saved(offsets, {0, 1, 1}, {1, 0, 1}, {}), documents);
  expect_complaint(saved(offsets, {0, 1, 1}, {1, 3}, {}), documents);
  expect_complaint(saved({0, 2, 3}, {0, 1, 1}, {1, 3, 1}, {}), documents);
  expect_complaint(saved(offsets, {0, 1, 1}, {1, 3, 1}, {0, 1, 1}), "topics.words");
  expect_complaint(saved(offsets, {0, 1, 1}, {1, 3, 1}, {0, 1, 1, 2}), "topics.words");
}

}  // namespace
}  // namespace idne
