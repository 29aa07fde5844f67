#include "import/folder_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "idne/error.h"
#include "temp_folder.h"

namespace idne {
namespace {

using std::chrono::milliseconds;
namespace fs = std::filesystem;

/// Whether a change is noticed within so long.
bool noticed(FolderWatch& watch, milliseconds within = milliseconds(300)) {
  const auto end = std::chrono::steady_clock::now() + within;
  return watch.wait(milliseconds(10), milliseconds(1000), [&] { return std::chrono::steady_clock::now() > end; });
}
constexpr milliseconds kLong{20000};

TEST(FolderWatch, NoticesFilesThatAreWrittenMovedAndRemoved) {
  const TempFolder folder;
  FolderWatch watch(folder.path(), {".md"});
  folder.write("a.md", "text");
  EXPECT_TRUE(noticed(watch, kLong));
  fs::rename(folder.path("a.md"), folder.path("b.md"));
  EXPECT_TRUE(noticed(watch, kLong));
  fs::remove(folder.path("b.md"));
  EXPECT_TRUE(noticed(watch, kLong));
  EXPECT_FALSE(noticed(watch));
}

TEST(FolderWatch, PassesOverOtherFilesAndHiddenOnes) {
  const TempFolder folder;
  fs::create_directory(folder.path(".obsidian"));
  FolderWatch watch(folder.path(), {".md"});
  folder.write("model.idne", "x");
  folder.write(".a.md", "x");
  folder.write(".obsidian/b.md", "x");
  EXPECT_FALSE(noticed(watch));
}

TEST(FolderWatch, NoticesWhatHappensInFoldersThatCame) {
  const TempFolder folder;
  fs::create_directories(folder.path("old/deep"));
  FolderWatch watch(folder.path(), {".md"});
  folder.write("old/deep/a.md", "x");
  EXPECT_TRUE(noticed(watch, kLong));
  fs::create_directories(folder.path("new/deep"));
  EXPECT_TRUE(noticed(watch, kLong));
  folder.write("new/deep/a.md", "x");
  EXPECT_TRUE(noticed(watch, kLong));
  fs::remove_all(folder.path("new"));
  EXPECT_TRUE(noticed(watch, kLong));
  while (noticed(watch)) continue;
  folder.write("old/deep/a.md", "y");
  EXPECT_TRUE(noticed(watch, kLong));
}

TEST(FolderWatch, NoticesLinksCapitalsAndSingleFiles) {
  const TempFolder folder;
  fs::create_directory(folder.path("vault"));
  folder.write("outside.md", "x");
  FolderWatch watch(folder.path("vault"), {".md"}, {folder.path("said.jsonl")});
  fs::create_hard_link(folder.path("outside.md"), folder.path("vault/hard.md"));
  EXPECT_TRUE(noticed(watch, kLong));
  fs::create_symlink(folder.path("outside.md"), folder.path("vault/soft.md"));
  EXPECT_TRUE(noticed(watch, kLong));
  folder.write("vault/UPPER.MD", "x");
  EXPECT_TRUE(noticed(watch, kLong));
  folder.write("said.jsonl", "{}");
  EXPECT_TRUE(noticed(watch, kLong));
  folder.write("other.jsonl", "{}");
  EXPECT_FALSE(noticed(watch));
}

TEST(FolderWatch, SaysThatTheFolderIsNotThereOrGone) {
  const TempFolder folder;
  EXPECT_THROW(FolderWatch(folder.path("none"), {".md"}), Error);
  fs::create_directory(folder.path("vault"));
  FolderWatch watch(folder.path("vault"), {".md"});
  fs::remove(folder.path("vault"));
  EXPECT_THROW(noticed(watch, kLong), Error);
}

}  // namespace
}  // namespace idne
