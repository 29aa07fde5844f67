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
    Model model = tiny_model();  // three documents, two words, two topics
    const auto part = [](std::string_view name, layout::Kind kind) {
      return layout::Entry{name, kind, {}, {}, layout::Count::One, layout::kMay, ""};
    };
    ModelMaker maker(model);
    maker.set(part("documents.words.values", layout::Kind::Numbers32), values);
    maker.set(part("documents.words.counts", layout::Kind::Numbers32), counts);
    maker.set(part("documents.words.offsets", layout::Kind::Numbers64), offsets);
    if (!topics.empty()) maker.set(layout::kTopicWords, topics);
    model.save(folder.path("m.idne"));
    return folder.path("m.idne");
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
