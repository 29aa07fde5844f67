#include "idne/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>

#include "idne/error.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(OutputFile, AppearsWithCommit) {
  const TempFolder folder;
  OutputFile file(folder.path("out"));
  EXPECT_TRUE(file.is_regular());
  file.write("first ");
  file.write("second");
  EXPECT_FALSE(fs::exists(folder.path("out")));
  file.commit();
  EXPECT_EQ(folder.read("out"), "first second");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, NothingIsLeftWithoutCommit) {
  const TempFolder folder;
  { OutputFile(folder.path("out")).write("text"); }
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(OutputFile, OldFileStaysUntilCommit) {
  const TempFolder folder;
  folder.write("out", "old");
  { OutputFile(folder.path("out")).write("new"); }
  EXPECT_EQ(folder.read("out"), "old");
  OutputFile file(folder.path("out"));
  file.write("new");
  EXPECT_EQ(folder.read("out"), "old");
  file.commit();
  EXPECT_EQ(folder.read("out"), "new");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, EmptyFileIsWritten) {
  const TempFolder folder;
  OutputFile(folder.path("out")).commit();
  EXPECT_EQ(folder.read("out"), "");
}

TEST(OutputFile, LinkIsFollowed) {
  const TempFolder folder;
  fs::create_directory(folder.path("there"));
  folder.write("there/real", "old");
  fs::create_symlink("there/real", folder.path("link"));
  OutputFile file(folder.path("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("there/real"), "new");
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(OutputFile, StartCanBeWrittenAgain) {
  const TempFolder folder;
  OutputFile file(folder.path("out"));
  file.write("????body");
  file.write_at_start("head");
  file.commit();
  EXPECT_EQ(folder.read("out"), "headbody");
}

TEST(OutputFile, DeviceIsWrittenDirectly) {
  OutputFile file("/dev/null");
  EXPECT_FALSE(file.is_regular());
  file.write("text");
  file.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFile, FullDeviceIsAnError) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  OutputFile file("/dev/full");
  EXPECT_EQ(error_of([&] { file.write("text"); }), "/dev/full: cannot write: No space left on device");
}

TEST(OutputFile, MissingFolderIsAnErrorWithTheFileName) {
  const TempFolder folder;
  const fs::path path = folder.path("missing/out");
  const std::string expected = path.string() + ": cannot write: No such file or directory";
  EXPECT_EQ(error_of([&] { OutputFile file(path); }), expected);
  EXPECT_EQ(error_of([&] { check_writable(path); }), expected);
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(OutputFile, FolderIsNoFile) {
  const TempFolder folder;
  const std::string expected = folder.path().string() + ": cannot write: is a folder; give a file name";
  EXPECT_EQ(error_of([&] { OutputFile file(folder.path()); }), expected);
  EXPECT_EQ(error_of([&] { check_writable(folder.path()); }), expected);
}

TEST(OutputFile, FolderThatMayNotBeWrittenIsAnError) {
  // /proc refuses new files to everybody; a folder without write permission does not stop root.
  if (!fs::is_directory("/proc/self")) GTEST_SKIP() << "no /proc here";
  const std::string error = error_of([] { check_writable("/proc/out"); });
  EXPECT_TRUE(error.starts_with("/proc/out: cannot write: ")) << error;
  EXPECT_EQ(error_of([] { OutputFile file("/proc/out"); }), error);
}

TEST(OutputFile, FailedRenameLeavesNothing) {
  const TempFolder folder;
  auto file = std::make_unique<OutputFile>(folder.path("out"));
  fs::create_directory(folder.path("out"));
  EXPECT_TRUE(error_of([&] { file->commit(); }).starts_with(folder.path("out").string() + ": cannot rename"));
  file.reset();
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, TwoWritersOfOneFileDoNotMeet) {
  const TempFolder folder;
  OutputFile one(folder.path("out")), two(folder.path("out"));
  one.write("one one one");
  two.write("two");
  one.write("!");
  two.commit();
  EXPECT_EQ(folder.read("out"), "two");
  one.commit();
  EXPECT_EQ(folder.read("out"), "one one one!");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, ALinkPlantedUnderTheOldTemporaryNameIsNotFollowed) {
  const TempFolder folder;
  folder.write("victim", "precious");
  fs::create_symlink(folder.path("victim"), folder.path(fmt::format("out.part-{}", ::getpid())));
  OutputFile file(folder.path("out"));
  file.write("text");
  file.commit();
  EXPECT_EQ(folder.read("victim"), "precious");
  EXPECT_EQ(folder.read("out"), "text");
}

TEST(OutputFile, AProcessThatIsKilledLeavesNothing) {
  const TempFolder folder;
  folder.write("out", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile file(folder.path("out"));
    file.write("half of it");
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folder.read("out"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, WhatAKilledProcessLeftIsTakenAwayAndNothingElse) {
  const TempFolder folder;
  folder.write("out", "old");
  folder.write("out.part-123-7f3a-1", "left over");
  for (const char* name : {"out.part-mine", "out.part-1", "other.part-123-7f3a-1"}) folder.write(name, "");
  const fs::path live = folder.write("out.part-124-7f3a-2", "being written");
  const int writer = ::open(live.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(writer, LOCK_EX), 0);
  OutputFile file(folder.path("out"));
  file.write("new");
  file.commit();
  ::close(writer);
  EXPECT_EQ(folder.read("out"), "new");
  EXPECT_FALSE(fs::exists(folder.path("out.part-123-7f3a-1")));
  EXPECT_TRUE(fs::exists(live));
  EXPECT_EQ(folder.entries(), 5u);
}

TEST(CheckWritable, ChangesNothing) {
  const TempFolder folder;
  check_writable(folder.path("out"));
  EXPECT_EQ(folder.entries(), 0u);
  folder.write("out", "old");
  check_writable(folder.path("out"));
  EXPECT_EQ(folder.read("out"), "old");
  EXPECT_EQ(folder.entries(), 1u);
  check_writable("/dev/null");
}

}  // namespace
}  // namespace idne
