#include "idne/search_index.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <atomic>
#include <cstring>

#include "math/test_ranks.h"
#include "search/search_test_models.h"
#include "targets.h"
#include "temp_folder.h"
#include "with_threads.h"

namespace idne {
namespace {

constexpr std::size_t kRows = 4200, kColumns = 8;

const Model& large_model() {
  static const Model model = model_of(clustered_vectors(kRows, kColumns, 30, 0.6f), kColumns);
  return model;
}
/// The file of that model's index.
const std::string& large_file() {
  static const std::string bytes = [] {
    const TempFolder folder;
    open_search_index(large_model(), folder.path("m.idne"), {});
    return folder.read("m.idne.index");
  }();
  return bytes;
}
Model small_model() { return model_of(clustered_vectors(12, 4, 3, 0.6f), 4); }

/// Writes bytes with a right checksum, as somebody would who means harm.
void write_signed(const TempFolder& folder, std::string bytes) {
  const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size() - sizeof(sum));
  std::memcpy(bytes.data() + bytes.size() - sizeof(sum), &sum, sizeof(sum));
  folder.write("m.idne.index", bytes);
}

TEST(SearchIndex, IsKeptBesideTheModel) {
  const TempFolder folder;
  const Model& model = large_model();
  const SearchIndex built = open_search_index(model, folder.path("m.idne"), with_threads(2));
  EXPECT_FALSE(built.loaded);
  EXPECT_EQ(built.note, "");
  EXPECT_EQ(folder.entries(), 1u);
  EXPECT_EQ(index_path(folder.path("m.idne")), folder.path("m.idne.index"));
  const SearchIndex loaded = open_search_index(model, folder.path("m.idne"), {});
  EXPECT_TRUE(loaded.loaded);
  EXPECT_EQ(loaded.note, "");
  EXPECT_FALSE(loaded.documents.exact());
  EXPECT_EQ(loaded.documents.recall(), built.documents.recall());
  EXPECT_EQ(loaded.map, built.map);
  for (std::size_t row = 0; row < kRows; row += 100) {
    const auto a = built.documents.neighbours(row, 10), b = loaded.documents.neighbours(row, 10);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t n = 0; n < a.size(); ++n) EXPECT_EQ(a[n].row, b[n].row);
  }
}

TEST(SearchIndex, TheSameBytesAtAnyNumberOfThreads) {
  const TempFolder folder;
  open_search_index(large_model(), folder.path("one"), {});
  open_search_index(large_model(), folder.path("three"), with_threads(3));
  EXPECT_TRUE(folder.read("one.index") == large_file());
  EXPECT_TRUE(folder.read("three.index") == large_file());
}

TEST(SearchIndex, TheSameBytesFromAnyNumberOfProcesses) {
  for (const std::size_t size : {2, 3}) {
    const TempFolder folder;
    for (const bool there : {false, true}) {
      run_ranks(size, [&](Ranks& ranks) {
        idne::Run run = with_threads(2);
        run.ranks = &ranks;
        const SearchIndex index = open_search_index(large_model(), folder.path("m.idne"), run);
        EXPECT_EQ(index.loaded, there && ranks.first());
      });
      EXPECT_TRUE(folder.read("m.idne.index") == large_file());
    }
  }
}

TEST(SearchIndex, ProcessesThatWereStoppedGoOnFromTheDraft) {
  const TempFolder folder;
  std::atomic<int> stopped{0};
  run_ranks(3, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    std::atomic<int> asked{0};
    if (ranks.number() == 1) run.stopped = [&] { return ++asked > 700; };
    try {
      open_search_index(large_model(), folder.path("m.idne"), run);
    } catch (const Interrupted&) {
      ++stopped;
    }
  });
  EXPECT_EQ(stopped, 3);
  EXPECT_GT(folder.read("m.idne.index.part").size(), 1000u);
  run_ranks(2, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    open_search_index(large_model(), folder.path("m.idne"), run);
  });
  EXPECT_TRUE(folder.read("m.idne.index") == large_file());
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(SearchIndex, EveryDamagedByteIsNoticed) {
  const TempFolder folder;
  const Model model = small_model();
  open_search_index(model, folder.path("m.idne"), {});
  const std::string good = folder.read("m.idne.index");
  ASSERT_TRUE(load_search_index(model, folder.path("m.idne"), 1));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      folder.write("m.idne.index", bad);
      EXPECT_FALSE(load_search_index(model, folder.path("m.idne"), 1)) << at;
    }
  }
}

TEST(SearchIndex, EveryCutIsNoticed) {
  const TempFolder folder;
  const Model model = small_model();
  open_search_index(model, folder.path("m.idne"), {});
  const std::string good = folder.read("m.idne.index");
  for (std::size_t size = 0; size < good.size(); ++size) {
    folder.write("m.idne.index", good.substr(0, size));
    EXPECT_FALSE(load_search_index(model, folder.path("m.idne"), 1)) << size;
  }
  folder.write("m.idne.index", good + "more");
  EXPECT_FALSE(load_search_index(model, folder.path("m.idne"), 1));
}

TEST(SearchIndex, DamagedFilesAreBuiltAnewWithANote) {
  const TempFolder folder;
  const Model model = small_model();
  open_search_index(model, folder.path("m.idne"), {});
  const std::string good = folder.read("m.idne.index");
  folder.write("m.idne.index", good.substr(0, 100));
  const SearchIndex index = open_search_index(model, folder.path("m.idne"), {});
  EXPECT_FALSE(index.loaded);
  EXPECT_NE(index.note.find("m.idne.index"), std::string::npos);
  EXPECT_EQ(folder.read("m.idne.index"), good);
}

template <class Value>
std::string with(std::string bytes, std::size_t at, Value value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
  return bytes;
}

TEST(SearchIndex, SignedHeadersThatMeanHarmAreRefused) {
  constexpr std::size_t kRowsField = 3, kColumnsField = 4, kLayersField = 5, kEntryField = 6;
  const TempFolder folder;
  for (const std::uint64_t value : {std::uint64_t{kRows}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    for (const std::size_t field : {kRowsField, kColumnsField, kLayersField, kEntryField}) {
      if (field == kRowsField && value == kRows) continue;
      write_signed(folder, with(large_file(), 8 * field, value));
      EXPECT_FALSE(load_search_index(large_model(), folder.path("m.idne"), 1)) << field << " " << value;
    }
  }
  write_signed(folder, with(large_file(), 8 * kLayersField, std::uint64_t{0}));
  EXPECT_FALSE(load_search_index(large_model(), folder.path("m.idne"), 1)) << "a large model without a graph";
}

TEST(SearchIndex, SignedLinksThatMeanHarmAreRefusedOrHarmless) {
  const TempFolder folder;
  Random random(1, Purpose::Generate, 0);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t at = 64 + random.below(static_cast<std::uint32_t>((large_file().size() - 80) / 4)) * 4;
    write_signed(folder, with(large_file(), at, trial % 2 ? random.bits32() : random.below(kRows + 2)));
    if (const auto loaded = load_search_index(large_model(), folder.path("m.idne"), 1)) {
      EXPECT_LE(loaded->documents.neighbours(0, 10).size(), 10u);
    }
  }
}

TEST(SearchIndex, OfAnotherModelIsNotUsed) {
  const TempFolder folder;
  open_search_index(small_model(), folder.path("m.idne"), {});
  auto other = clustered_vectors(12, 4, 3, 0.6f);
  other[5] += 1;
  EXPECT_FALSE(load_search_index(model_of(other, 4), folder.path("m.idne"), 1));
  EXPECT_FALSE(load_search_index(model_of(clustered_vectors(13, 4, 3, 0.6f), 4), folder.path("m.idne"), 1));
  const SearchIndex index = open_search_index(model_of(other, 4), folder.path("m.idne"), {});
  EXPECT_NE(index.note.find("another model"), std::string::npos);
  EXPECT_FALSE(load_search_index(small_model(), folder.path("m.idne"), 1));
}

TEST(SearchIndex, AFolderThatCannotBeWrittenToIsNoError) {
  const TempFolder folder;
  const SearchIndex index = open_search_index(small_model(), folder.path("none") / "m.idne", {});
  EXPECT_NE(index.note.find("not kept"), std::string::npos);
  EXPECT_EQ(index.documents.neighbours(0, 3).size(), 3u);
  EXPECT_EQ(index.map.size(), 24u);
}

TEST(SearchIndex, AFolderInItsPlaceIsNoError) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path("m.idne.index"));
  const SearchIndex index = open_search_index(small_model(), folder.path("m.idne"), {});
  EXPECT_FALSE(index.loaded);
  EXPECT_NE(index.note, "");
}

TEST(SearchIndex, StoppedLeavesNothing) {
  const TempFolder folder;
  idne::Run run;
  run.stopped = [] { return true; };
  EXPECT_THROW(open_search_index(large_model(), folder.path("m.idne"), run), Interrupted);
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(SearchIndex, NoDocuments) {
  const TempFolder folder;
  open_search_index(model_of({}, 4), folder.path("m.idne"), {});
  const auto loaded = load_search_index(model_of({}, 4), folder.path("m.idne"), 1);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->map.empty());
  EXPECT_TRUE(loaded->documents.search(noise(4, 1), 10).empty());
}

}  // namespace
}  // namespace idne
