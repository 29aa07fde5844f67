#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "fuzz/targets.h"
#include "model_files.h"

/// What fuzzing begins with, and what it once found, goes through the same targets in every run of the tests.
namespace idne {
namespace {

namespace fs = std::filesystem;

TEST(FuzzSeeds, AreAnswered) {
  for (const fuzz::Target& target : fuzz::targets()) {
    const fs::path folder = fs::path(IDNE_SOURCE "/tests/fuzz/seeds") / target.name;
    ASSERT_TRUE(fs::is_directory(folder)) << folder;
    for (const auto& seed : fs::directory_iterator(folder)) {
      SCOPED_TRACE(seed.path().string());
      std::ostringstream bytes;
      bytes << std::ifstream(seed.path(), std::ios::binary).rdbuf();
      for (const std::size_t part : {1u, 2u, 3u}) target.run(bytes.str().substr(0, bytes.str().size() / part));
    }
  }
}

TEST(FuzzSeeds, AModelThatIsSealedLoads) {
  std::string file = tiny_file();
  file[file.size() - 1] ^= 1;  // a letter of a word
  fuzz::seal(file);
  const TempFolder folder;
  EXPECT_NO_THROW(Model::load(folder.write("m.idne", file)));
}

}  // namespace
}  // namespace idne
