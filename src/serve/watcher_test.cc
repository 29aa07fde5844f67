#include "serve/watcher.h"

#include <gtest/gtest.h>

#include <atomic>

#include "idne/error.h"
#include "idne/output_file.h"
#include "serve/file_states.h"
#include "serve/serve_test_clients.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kShort{100};

/// A watcher that counts.
struct Watched {
  explicit Watched(const std::vector<fs::path>& files)
      : watcher(files, kShort, {[this] { ++signals; }, [this] { ++changes; }, [this](const fs::path&) { ++losses; }}) {}
  bool changes_come(int count) {
    const bool came = eventually([&] { return changes >= count; });
    std::this_thread::sleep_for(2 * kShort);  // and no more of them
    return came && changes == count;
  }

  std::atomic<int> signals{0}, changes{0}, losses{0};
  Watcher watcher;
};

TEST(Watcher, NoticesWhatIsReplacedRewrittenOrLinked) {
  const TempFolder folder;
  Watched watched({folder.path("model"), folder.path("model.index")});
  EXPECT_TRUE(watched.changes_come(0));
  folder.write("other", "nobody's business");
  fs::remove(folder.path("other"));
  EXPECT_TRUE(watched.changes_come(0));
  folder.write("model", "new");
  EXPECT_TRUE(watched.changes_come(1));
  folder.write("model", "written over");
  EXPECT_TRUE(watched.changes_come(2));
  fs::rename(folder.write("beside", "moved"), folder.path("model"));
  EXPECT_TRUE(watched.changes_come(3));
  fs::create_symlink("model", folder.path("model.index"));
  EXPECT_TRUE(watched.changes_come(4));
  fs::remove(folder.path("model.index"));
  OutputFile file(folder.path("model.index"));  // gets its name when it is whole
  file.write("whole");
  file.commit();
  EXPECT_TRUE(watched.changes_come(5));
}

TEST(Watcher, WaitsUntilAFileIsLeftAlone) {
  const TempFolder folder;
  Watched watched({folder.path("model"), folder.path("model.index")});
  {
    std::ofstream file(folder.path("model"));
    file << "half" << std::flush;
    std::this_thread::sleep_for(3 * kShort);
    EXPECT_EQ(watched.changes, 0) << "it is not closed";
  }
  EXPECT_TRUE(watched.changes_come(1));
  for (int n = 0; n < 50; ++n) folder.write(n % 2 ? "model" : "model.index", "again");
  EXPECT_TRUE(eventually([&] { return watched.changes > 1; }));
  EXPECT_LT(watched.changes, 25) << "what comes together is one";
}

TEST(Watcher, TellsOfSignalsAndOfAFolderThatIsGone) {
  const TempFolder folder;
  fs::create_directory(folder.path("models"));
  Watched watched({folder.path("models/model")});
  watched.watcher.signal();
  EXPECT_TRUE(eventually([&] { return watched.signals == 1; }));
  fs::remove(folder.path("models"));
  EXPECT_TRUE(eventually([&] { return watched.losses == 1; }));
  watched.watcher.signal();
  EXPECT_TRUE(eventually([&] { return watched.signals == 2; }));
  EXPECT_EQ(watched.changes, 0);
  EXPECT_THROW(Watched({folder.path("models/model")}), Error);
}

TEST(FileStates, TellFilesApart) {
  const TempFolder folder;
  const fs::path file = folder.write("a", "text");
  const FileState before = state_of(file);
  EXPECT_EQ(before, state_of(file));
  fs::rename(folder.write("b", "text"), file);
  EXPECT_NE(before, state_of(file));
  EXPECT_EQ(state_of(folder.path("none")), FileState{});
}

}  // namespace
}  // namespace idne
