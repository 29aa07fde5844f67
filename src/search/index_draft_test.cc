#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "idne/projection.h"
#include "idne/search_index.h"
#include "search/index_file.h"
#include "search/search_test_models.h"
#include "targets.h"
#include "temp_folder.h"
#include "with_threads.h"

namespace idne {
namespace {

constexpr std::size_t kDrafted = 4200, kDraftedColumns = 8;

const Model& drafted_model() {
  static const Model model = model_of(clustered_vectors(kDrafted, kDraftedColumns, 30, 0.6f), kDraftedColumns);
  return model;
}
const std::string& whole_file() {
  static const std::string bytes = [] {
    const TempFolder folder;
    open_search_index(drafted_model(), folder.path("m.idne"), {});
    return folder.read("m.idne.index");
  }();
  return bytes;
}
/// Stops when it has been asked so often.
idne::Run stopping_after(int checks, int threads = 1) {
  idne::Run run = with_threads(threads);
  run.stopped = [left = std::make_shared<std::atomic<int>>(checks)] { return --*left < 0; };
  return run;
}
/// A part that is about half of the graph.
const std::string& half_part() {
  static const std::string bytes = [] {
    const TempFolder folder;
    EXPECT_THROW(open_search_index(drafted_model(), folder.path("m.idne"), stopping_after(2200)), Interrupted);
    return folder.read("m.idne.index.part");
  }();
  return bytes;
}

TEST(IndexDraft, StoppedAgainAndAgainIsTheSameIndexInTheEnd) {
  for (const int threads : {1, 3}) {
    const TempFolder folder;
    int stops = 0;
    std::size_t parts = 0;
    for (bool done = false; !done;) {
      try {
        const SearchIndex index =
            open_search_index(drafted_model(), folder.path("m.idne"), stopping_after(600 + 53 * stops, threads));
        EXPECT_EQ(index.note, "");
        done = true;
      } catch (const Interrupted& interrupted) {
        ++stops;
        const bool part = std::filesystem::exists(folder.path("m.idne.index.part"));
        parts += part;
        EXPECT_EQ(std::string_view(interrupted.what()).ends_with("m.idne.index.part"), part);
        EXPECT_FALSE(std::filesystem::exists(folder.path("m.idne.index")));
        ASSERT_LT(stops, 100);
      }
    }
    EXPECT_GE(stops, 4);
    EXPECT_GE(parts, 4u);
    EXPECT_EQ(folder.entries(), 1u);
    EXPECT_TRUE(folder.read("m.idne.index") == whole_file());
  }
}

TEST(IndexDraft, EveryDraftOfAGraphLeadsToTheSameGraph) {
  const IndexState state(drafted_model(), 1);
  std::vector<GraphDraft> drafts;
  const Graph graph = build_graph(state.graph_rows(), state.findable_rows(), {}, {},
                                  {[&](const GraphDraft& draft) { drafts.push_back(draft); }, {}});
  ASSERT_GE(drafts.size(), 8u);
  for (const GraphDraft& draft : drafts) {
    EXPECT_EQ(build_graph(state.graph_rows(), state.findable_rows(), with_threads(2), draft), graph) << draft.done;
  }
}

TEST(IndexDraft, EveryDraftOfAMapLeadsToTheSameMap) {
  const Model model = model_of(clustered_vectors(300, kDraftedColumns, 5, 0.6f), kDraftedColumns);
  const DocumentIndex index = DocumentIndex::build(model, {});
  std::vector<MapDraft> drafts;
  const auto map = project(model, index, {}, {}, {[&](const MapDraft& draft) { drafts.push_back(draft); }, {}});
  EXPECT_EQ(map, project(model, index, {}));
  ASSERT_GE(drafts.size(), 100u);
  for (std::size_t n = 0; n < drafts.size(); n += 60) EXPECT_EQ(project(model, index, {}, drafts[n], {}), map);
}

TEST(IndexDraft, DamagedPartsAreNotUsed) {
  const TempFolder folder;
  const IndexState state(drafted_model(), 1);
  ASSERT_NO_THROW(draft_from(half_part(), state));
  Random random(1, Purpose::Generate, 0);
  for (int trial = 0; trial < 300; ++trial) {
    std::string bad = half_part();
    const std::size_t at =
        trial < 64 ? static_cast<std::size_t>(trial) : random.below(static_cast<std::uint32_t>(bad.size()));
    bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
    EXPECT_THROW(draft_from(bad, state), Unusable) << at;
    EXPECT_THROW(draft_from(half_part().substr(0, random.below(static_cast<std::uint32_t>(bad.size()))), state),
                 Unusable);
  }
  EXPECT_THROW(draft_from(half_part() + "more", state), Unusable);
  EXPECT_THROW(draft_from(whole_file(), state), Unusable);
  folder.write("m.idne.index.part", half_part().substr(0, 1000));
  const SearchIndex index = open_search_index(drafted_model(), folder.path("m.idne"), {});
  EXPECT_EQ(index.note, "");
  EXPECT_TRUE(folder.read("m.idne.index") == whole_file());
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(IndexDraft, APartIsNoIndex) {
  const TempFolder folder;
  folder.write("m.idne.index", half_part());
  EXPECT_FALSE(load_search_index(drafted_model(), folder.path("m.idne"), 1));
}

TEST(IndexDraft, OfAnotherModelIsNotUsed) {
  auto vectors = clustered_vectors(kDrafted, kDraftedColumns, 30, 0.6f);
  vectors[5] += 1;
  const IndexState other(model_of(vectors, kDraftedColumns), 1);
  EXPECT_THROW(draft_from(half_part(), other), Unusable);
}

TEST(IndexDraft, SignedPartsThatMeanHarmAreRefusedOrHarmless) {
  Random random(1, Purpose::Generate, 0);
  const IndexState state(drafted_model(), 1);
  int taken = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const TempFolder folder;
    std::string bad = half_part();
    const std::size_t at = 48 + random.below(static_cast<std::uint32_t>((bad.size() - 60) / 4)) * 4;
    const std::uint32_t value = trial % 3 ? random.below(kDrafted) : random.bits32();
    std::memcpy(bad.data() + at, &value, sizeof(value));
    const std::uint64_t sum = XXH3_64bits(bad.data(), bad.size() - sizeof(std::uint64_t));
    std::memcpy(bad.data() + bad.size() - sizeof(sum), &sum, sizeof(sum));
    try {
      GraphDraft draft = draft_from(bad, state).graph;
      const Graph graph = build_graph(state.graph_rows(), state.findable_rows(), {}, std::move(draft));
      EXPECT_LE(walk(graph, state.codes, state.codes[0], 10).size(), 10u);
      ++taken;
    } catch (const Unusable&) {
    }
  }
  EXPECT_GT(taken, 0);
  for (const std::uint64_t linked : {std::uint64_t{kDrafted + 1}, ~std::uint64_t{0}}) {
    std::string bad = half_part();
    std::memcpy(bad.data() + 56, &linked, sizeof(linked));
    const std::uint64_t sum = XXH3_64bits(bad.data(), bad.size() - sizeof(std::uint64_t));
    std::memcpy(bad.data() + bad.size() - sizeof(sum), &sum, sizeof(sum));
    EXPECT_THROW(draft_from(bad, state), Unusable);
  }
}

TEST(IndexDraft, SavingAnIndexRemovesThePart) {
  const TempFolder folder;
  folder.write("m.idne.index.part", half_part());
  folder.write("other.index.part", "of somebody else");
  const Model small = model_of(clustered_vectors(12, 4, 3, 0.6f), 4);
  const SearchIndex index = open_search_index(small, folder.path("m.idne"), {});
  EXPECT_EQ(folder.entries(), 2u);
  save_search_index(index, folder.path("copy.idne"));
  EXPECT_EQ(folder.read("copy.idne.index"), folder.read("m.idne.index"));
  EXPECT_THROW(save_search_index(index, folder.path("none") / "m.idne"), Error);
}

TEST(IndexDraft, AFolderThatCannotBeWrittenToIsStoppedAsEver) {
  const TempFolder folder;
  EXPECT_THROW(open_search_index(drafted_model(), folder.path("none") / "m.idne", stopping_after(2200)), Interrupted);
  EXPECT_EQ(folder.entries(), 0u);
}

}  // namespace
}  // namespace idne
