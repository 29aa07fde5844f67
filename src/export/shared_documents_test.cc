#include "export/shared_documents.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <mutex>

#include "contains.h"
#include "math/test_ranks.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

void add_id(const NewDocument& document, Tokenizer&, std::string& out) {
  out.append(document.id).append(" ").append(document.text).append("\n");
}

std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t n = 1; n <= count; ++n) {
    text += fmt::format("{{\"id\": \"{}\", \"text\": \"{}\"}}\n", n, std::string(n % 37, 'x'));
    if (n % 10 == 0) text += "\n";
  }
  return text;
}

/// What came of it: bytes, in how many documents, and what was thrown on each rank.
struct Came {
  std::string bytes;
  std::size_t documents = 0;
  std::vector<std::string> thrown;
};

Came came_of(std::size_t ranks, const fs::path& file, std::size_t bytes_at_once, int threads = 1) {
  Came came;
  came.thrown.resize(ranks);
  const auto take = [&](std::string_view bytes, std::size_t documents) {
    came.bytes += bytes;
    came.documents += documents;
  };
  const auto work = [&](Ranks* all) {
    idne::Run run;
    run.threads = threads;
    run.ranks = all;
    const std::size_t own = all ? all->number() : 0;
    try {
      for_each_shared_document(file, run, add_id,
                               [&](std::string_view bytes, std::size_t documents) {
                                 EXPECT_EQ(own, 0u);
                                 take(bytes, documents);
                               },
                               {"trying", bytes_at_once});
    } catch (const Error& error) {
      came.thrown[own] = error.what();
    }
  };
  if (ranks == 1) {
    work(nullptr);
  } else {
    run_ranks(ranks, [&](Ranks& all) { work(&all); });
  }
  return came;
}

void expect_as_alone(const fs::path& file) {
  const Came one = came_of(1, file, 1000);
  for (const std::size_t ranks : {2, 3, 5}) {
    for (const std::size_t bytes_at_once : {50, 1000, 1 << 18}) {
      const Came many = came_of(ranks, file, bytes_at_once, ranks == 3 ? 2 : 1);
      if (one.thrown[0].empty()) {
        EXPECT_EQ(many.bytes, one.bytes) << ranks << " ranks, " << bytes_at_once;
        EXPECT_EQ(many.documents, one.documents);
      }
      for (const std::string& thrown : many.thrown) EXPECT_EQ(thrown, one.thrown[0]) << ranks << " " << bytes_at_once;
    }
  }
}

fs::path packed(const TempFolder& folder, std::string_view name, std::string_view text) {
  const fs::path file = folder.path(name);
  const gzFile out = gzopen(file.c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  return file;
}

TEST(SharedDocuments, ComeAsFromOneProcess) {
  const TempFolder folder;
  const std::string text = lines(700);
  expect_as_alone(folder.write("a.jsonl", text));
  expect_as_alone(folder.write("no-end.jsonl", text.substr(0, text.find_last_of('}') + 1)));
  expect_as_alone(folder.write("mark.jsonl", "\xEF\xBB\xBF" + text));
  expect_as_alone(packed(folder, "a.jsonl.gz", text));
  folder.write("documents.jsonl", text);
  expect_as_alone(folder.path());
}

TEST(SharedDocuments, FewOrNoneComeToo) {
  const TempFolder folder;
  expect_as_alone(folder.write("one.jsonl", lines(1)));
  expect_as_alone(folder.write("none.jsonl", ""));
  expect_as_alone(folder.write("blank.jsonl", "\n\n \n"));
  expect_as_alone(packed(folder, "one.jsonl.gz", lines(1)));
  expect_as_alone(packed(folder, "none.jsonl.gz", ""));
}

TEST(SharedDocuments, ALineLongerThanAPartIsOneDocument) {
  const TempFolder folder;
  const std::string longest = "{\"id\": \"long\", \"text\": \"" + std::string(20000, 'y') + "\"}\n";
  expect_as_alone(folder.write("a.jsonl", lines(10) + longest + lines(10)));
}

TEST(SharedDocuments, TheFirstFaultIsToldOnAllWithItsLine) {
  const TempFolder folder;
  const std::string text = lines(300);
  for (const double place : {0.0, 0.4, 0.99}) {
    const std::size_t at = text.find('\n', static_cast<std::size_t>(place * static_cast<double>(text.size()))) + 1;
    const std::string bad = text.substr(0, at) + "{\"id\": \n" + text.substr(at) + "{\"text\": 5}\n";
    expect_as_alone(folder.write("bad.jsonl", bad));
    expect_as_alone(packed(folder, "bad.jsonl.gz", bad));
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    EXPECT_TRUE(contains(came_of(3, folder.path("bad.jsonl"), 200).thrown[2], fmt::format("bad.jsonl:{}: ", line)));
  }
}

TEST(SharedDocuments, ACutFileIsToldOnAll) {
  const TempFolder folder;
  const fs::path file = packed(folder, "cut.jsonl.gz", lines(3000));
  fs::resize_file(file, fs::file_size(file) / 2);
  expect_as_alone(file);
  expect_as_alone(folder.path("nothere.jsonl"));
}

TEST(SharedDocuments, WhatRankZeroCannotTakeIsToldOnAll) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", lines(200));
  std::mutex mutex;
  std::vector<std::string> thrown;
  run_ranks(3, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    std::size_t taken = 0;
    try {
      for_each_shared_document(file, run, add_id,
                               [&](std::string_view, std::size_t) {
                                 if (++taken == 5) throw Error("the disk is full");
                               },
                               {"trying", 100});
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      thrown.emplace_back(error.what());
    }
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3, "the disk is full"));
}

TEST(SharedDocuments, AStopOfOneStopsAll) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", lines(200));
  std::atomic<int> stopped{0};
  run_ranks(3, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    if (ranks.number() == 1) run.stopped = [] { return true; };
    try {
      for_each_shared_document(file, run, add_id, [](std::string_view, std::size_t) {}, {"trying", 100});
    } catch (const Interrupted&) {
      ++stopped;
    }
  });
  EXPECT_EQ(stopped, 3);
}

}  // namespace
}  // namespace idne
