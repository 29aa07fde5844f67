#include "import/pieces.h"

#include <gtest/gtest.h>

#include "idne/error.h"
#include "packed.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

std::string all_of(const fs::path& file, std::string_view inside = {}) {
  Pieces pieces(file, inside);
  std::string text;
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) text += piece;
  EXPECT_EQ(pieces.next(), "") << "the end is the end";
  return text;
}

/// What reading it to its end says is wrong, without the folder; checks that the file's name comes first.
std::string fault_of_piece(const fs::path& file, std::string_view inside = {}) {
  try {
    all_of(file, inside);
  } catch (const Error& error) {
    const std::string what = error.what(), begins = file.string() + ": ";
    EXPECT_TRUE(what.starts_with(begins)) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what.substr(std::min(begins.size(), what.size()));
  }
  return "no fault";
}

/// Several pieces of text.
std::string long_text() {
  std::string text;
  for (unsigned n = 0; text.size() < 2 * kPiece + 100; ++n) text += std::to_string(n) + std::string(1000, 'x') + "\n";
  return text;
}

/// Text that does not compress to nothing.
std::string varied_text() {
  std::string text;
  for (unsigned n = 0; n < 10000; ++n) text += std::to_string(n * 2654435761u) + " words\n";
  return text;
}

TEST(Pieces, EveryEndingIsUnpacked) {
  const TempFolder folder;
  const std::string text = long_text();
  EXPECT_EQ(all_of(folder.write("plain", text)), text);
  for (const std::string_view ending : packed_endings()) {
    const std::string name = "packed" + std::string(ending);
    const fs::path file = folder.write(name, FilePacker::compressed(text, ending));
    EXPECT_LT(fs::file_size(file), text.size()) << ending;
    EXPECT_EQ(all_of(file), text) << ending;
  }
  for (const std::string_view ending : {".gz", ".bz2", ".xz"}) {
    EXPECT_EQ(all_of(folder.write("empty" + std::string(ending), FilePacker::compressed("", ending))), "") << ending;
  }
}

TEST(Pieces, AreAsLongAsTheyShouldBe) {
  const TempFolder folder;
  const std::string text = long_text();
  Pieces pieces(folder.write("plain", text));
  EXPECT_EQ(pieces.bytes(), text.size());
  EXPECT_EQ(pieces.next(), text.substr(0, kPiece));
  EXPECT_EQ(pieces.next().size(), kPiece);
  EXPECT_EQ(pieces.next().size(), text.size() - 2 * kPiece);
  EXPECT_EQ(pieces.bytes_read(), text.size());
}

TEST(Pieces, StreamsFollowEachOther) {
  const TempFolder folder;
  for (const std::string_view ending : {".gz", ".zst", ".bz2", ".xz", ".lz4"}) {
    const std::string file = FilePacker::compressed("one ", ending) + FilePacker::compressed("two", ending);
    EXPECT_EQ(all_of(folder.write("two" + std::string(ending), file)), "one two") << ending;
  }
}

TEST(Pieces, ACutFileIsAnErrorWhereverItIsCut) {
  const TempFolder folder;
  const std::string text = varied_text();
  for (const std::string_view ending : {".bz2", ".xz", ".lzma", ".lz4", ".7z"}) {
    const std::string whole = FilePacker::compressed(text, ending);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{3}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
      const std::string said = fault_of_piece(folder.write("cut" + std::string(ending), whole.substr(0, size)));
      EXPECT_TRUE(said.starts_with("cannot read: ")) << ending << " of " << size << " bytes: " << said;
    }
  }
}

TEST(Pieces, ABrokenFileIsAnError) {
  const TempFolder folder;
  for (const std::string_view ending : {".bz2", ".xz", ".lz4", ".7z"}) {
    std::string broken = FilePacker::compressed(varied_text(), ending);
    broken[broken.size() / 2] = static_cast<char>(~broken[broken.size() / 2]);
    const std::string name = "broken" + std::string(ending);
    EXPECT_TRUE(fault_of_piece(folder.write(name, broken)).starts_with("cannot read: ")) << ending;
    EXPECT_TRUE(fault_of_piece(folder.write(name, "text that is not packed")).starts_with("cannot read: ")) << ending;
  }
  for (const std::string_view ending : {".bz2", ".xz", ".lz4"}) {
    const std::string more = FilePacker::compressed("text", ending) + "more that is not packed";
    EXPECT_TRUE(fault_of_piece(folder.write("more" + std::string(ending), more)).starts_with("cannot read: "))
        << ending;
  }
}

TEST(Pieces, WhatIsNoFileIsAnError) {
  const TempFolder folder;
  for (const std::string_view ending : packed_endings()) {
    const std::string name = "none" + std::string(ending);
    EXPECT_NE(fault_of_piece(folder.path(name)).find("No such file"), std::string::npos) << ending;
    fs::create_directory(folder.path(name));
    EXPECT_EQ(fault_of_piece(folder.path(name)), "is a folder; a file is needed here") << ending;
  }
}

TEST(Pieces, AnArchiveHoldsOneFileOrTheOneThatIsNamed) {
  const TempFolder folder;
  const fs::path several = folder.write(
      "several.7z", FilePacker::seven_zip({{"Badges.xml", "badges"}, {"dump/Posts.xml", "posts"}, {"z", "z"}}));
  EXPECT_EQ(all_of(several, "Posts.xml"), "posts");
  EXPECT_EQ(fault_of_piece(several, "Users.xml"), "cannot read: holds no Users.xml");
  EXPECT_EQ(fault_of_piece(several), "cannot read: holds several files; unpack it, and name the one to import");
  EXPECT_EQ(all_of(folder.write("one.7z", FilePacker::seven_zip({{"Posts.xml", "posts"}}))), "posts");
  EXPECT_EQ(fault_of_piece(folder.write("empty.7z", FilePacker::seven_zip({}))), "cannot read: holds no file");
}

TEST(Pieces, AByteOrderMarkIsPassedOver) {
  const TempFolder folder;
  for (const std::string_view ending : {".gz", ".bz2"}) {
    const std::string packed = FilePacker::compressed("\xEF\xBB\xBFtext\xEF\xBB\xBF", ending);
    EXPECT_EQ(all_of(folder.write("marked" + std::string(ending), packed)), "text\xEF\xBB\xBF") << ending;
  }
}

TEST(Pieces, NamesWithoutTheirPacking) {
  EXPECT_EQ(without_packing("a/table.tsv.gz"), fs::path("a/table.tsv"));
  EXPECT_EQ(without_packing("list.lzma"), fs::path("list"));
  EXPECT_EQ(without_packing("table.tsv"), fs::path("table.tsv"));
  EXPECT_EQ(without_packing("a.bz2.csv"), fs::path("a.bz2.csv"));
}

}  // namespace
}  // namespace idne
