#include "idne/feedback.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>

#include "contains.h"
#include "idne/error.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Kind = Feedback::Kind;

std::string feedback_line(std::string_view kind, std::string_view document, std::string_view target,
                          std::string_view verdict) {
  return fmt::format(R"({{"time":"t","kind":"{}","document":"{}","target":"{}","verdict":"{}"}})", kind, document,
                     target, verdict) +
         "\n";
}

std::string why_not(const std::filesystem::path& path) {
  try {
    (void)read_feedback(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Feedback, TheLastVerdictAboutAPairCounts) {
  const TempFolder folder;
  const auto file =
      folder.write("f", feedback_line("link", "a", "b", "accept") + feedback_line("label", "a", "b", "accept") + "\n" +
                            feedback_line("link", "c", "a", "reject") + feedback_line("link", "b", "a", "reject") +
                            feedback_line("label", "d", "x", "accept") + feedback_line("label", "d", "x", "undo"));
  EXPECT_EQ(read_feedback(file),
            (std::vector<Feedback>{
                {Kind::Label, "a", "b", true}, {Kind::Link, "c", "a", false}, {Kind::Link, "b", "a", false}}));
}

TEST(Feedback, ALastLineThatIsCutOffIsPassedOverAndAnyOtherIsAnError) {
  const TempFolder folder;
  const std::string good = feedback_line("link", "a", "b", "accept");
  for (std::size_t size = 0; size + 1 < good.size(); ++size) {
    EXPECT_EQ(read_feedback(folder.write("f", good + good.substr(0, size))).size(), 1u) << size;
  }
  EXPECT_EQ(read_feedback(folder.write("f", good.substr(0, good.size() - 1))).size(), 1u) << "nothing is missing";
  const auto torn = folder.write("f", good + good.substr(0, 20) + "\n" + good);
  EXPECT_TRUE(why_not(torn).starts_with(torn.string() + ":2: not a JSON object")) << why_not(torn);
  for (const char* line : {R"({"kind":"link","document":"a","target":"b"})",
                           R"({"kind":"link","document":"a","target":"b","verdict":"maybe"})",
                           R"({"kind":"word","document":"a","target":"b","verdict":"accept"})",
                           R"({"kind":"link","document":7,"target":"b","verdict":"accept"})",
                           R"({"kind":"link","document":"a","target":"","verdict":"accept"})", "[]", "7"}) {
    const auto file = folder.write("f", std::string(line) + "\n");
    EXPECT_TRUE(why_not(file).starts_with(file.string() + ":1: ")) << line << " gave " << why_not(file);
  }
  EXPECT_TRUE(contains(why_not(folder.path("none")), "cannot open"));
}

TEST(FeedbackFile, KeepsWhatIsSaidAndTellsItFromBothEnds) {
  const TempFolder folder;
  {
    FeedbackFile file(folder.path("f"));
    file.add({Kind::Link, "a", "b\n\"", true});
    file.add({Kind::Link, "b\n\"", "a", true});  // the same again
    file.add({Kind::Label, "a", "x", false});
    EXPECT_EQ(file.about("a"), (FeedbackFile::Verdicts{{{Kind::Link, "b\n\""}, true}, {{Kind::Label, "x"}, false}}));
    EXPECT_EQ(file.about("b\n\""), (FeedbackFile::Verdicts{{{Kind::Link, "a"}, true}}));
    EXPECT_TRUE(file.about("x").empty());
    EXPECT_TRUE(file.undo(Kind::Link, "b\n\"", "a"));
    EXPECT_FALSE(file.undo(Kind::Link, "b\n\"", "a"));
    EXPECT_TRUE(file.about("b\n\"").empty());
  }
  const std::string text = folder.read("f");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(read_feedback(folder.path("f")), (std::vector<Feedback>{{Kind::Label, "a", "x", false}}));
  const FeedbackFile again(folder.path("f"));
  EXPECT_EQ(again.about("a"), (FeedbackFile::Verdicts{{{Kind::Label, "x"}, false}}));
}

TEST(FeedbackFile, MendsTheEndOfAFile) {
  const TempFolder folder;
  const std::string good = feedback_line("link", "a", "b", "accept");
  folder.write("f", good + good.substr(0, 30));
  FeedbackFile(folder.path("f")).add({Kind::Link, "a", "c", true});
  EXPECT_EQ(read_feedback(folder.path("f")).size(), 2u);
  folder.write("f", good.substr(0, good.size() - 1));  // whole, but for the line's end
  FeedbackFile(folder.path("f")).add({Kind::Link, "a", "c", true});
  EXPECT_EQ(read_feedback(folder.path("f")).size(), 2u);
}

TEST(FeedbackFile, WhatCannotBeWrittenChangesNothing) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {  // a limit on the size of files holds for a whole process
    ::signal(SIGXFSZ, SIG_IGN);
    FeedbackFile file(folder.path("f"));
    file.add({Kind::Link, "a", "b", true});
    const rlim_t size = std::filesystem::file_size(folder.path("f"));
    const rlimit limit{size + 10, size + 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    bool refused = false;
    try {
      file.add({Kind::Link, "a", "c", true});
    } catch (const Error&) {
      refused = file.about("c").empty() && std::filesystem::file_size(folder.path("f")) == size;
    }
    ::_exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_feedback(folder.path("f")).size(), 1u);
  EXPECT_THROW(FeedbackFile(folder.path("nowhere/f")), Error);
  EXPECT_THROW(FeedbackFile("/dev/null"), Error);
}

TEST(FeedbackFile, ManyThreadsAndAKilledProcessLeaveWholeLines) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    FeedbackFile file(folder.path("f"));
    for (int n = 0; n < 100'000; ++n) file.add({Kind::Link, "other", fmt::format("{}", n), true});
    ::_exit(0);
  }
  {
    FeedbackFile file(folder.path("f"));
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&file, t] {
        for (int n = 0; n < 50; ++n) file.add({Kind::Link, "own", fmt::format("{}-{}", t, n), n % 2 == 0});
      });
    }
  }
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const FeedbackFile file(folder.path("f"));
  EXPECT_EQ(file.about("own").size(), 200u);
}

TEST(FeedbackFile, OpensTheNameAnew) {
  const TempFolder folder;
  FeedbackFile file(folder.path("f"));
  file.add({Kind::Link, "a", "b", true});
  std::filesystem::rename(folder.path("f"), folder.path("old"));
  file.add({Kind::Link, "a", "c", true});  // still to the old one
  file.reopen();
  EXPECT_TRUE(file.about("a").empty());
  file.add({Kind::Link, "a", "d", false});
  EXPECT_EQ(read_feedback(folder.path("old")).size(), 2u);
  EXPECT_EQ(read_feedback(folder.path("f")), (std::vector<Feedback>{{Kind::Link, "a", "d", false}}));
  folder.write("f", "no feedback\n");
  EXPECT_THROW(file.reopen(), Error);
  EXPECT_EQ(file.about("a").size(), 1u);
}

}  // namespace
}  // namespace idne
