#include "idne/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contains.h"
#include "idne/model.h"
#include "model/saved_state.h"
#include "temp_folder.h"

namespace idne {
namespace {

using namespace std::chrono_literals;

const RunKey kKey{{"--method", "idne"}, {"--steps", "5000"}, {"links", "0123", true}};

SavedState some_state() {
  SavedState state("steps", "2 of 5,000 steps");
  state.set("floats", std::vector<float>{1, -0.0f, std::numeric_limits<float>::denorm_min()});
  state.set("whole", std::vector<std::int32_t>{-1, 7});
  state.set("reals", std::vector<double>{0.1, std::nan(""), -0.0});
  state.set_number("done", 2);
  return state;
}

void write_checkpoint(const std::filesystem::path& file, const RunKey& key = kKey) {
  Checkpoint checkpoint(file, 1h);
  checkpoint.begin(key);
  checkpoint.save(some_state());
}

/// What the error says that this throws.
std::string said(const std::function<void()>& task) {
  try {
    task();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

std::string said_on_resuming(const std::filesystem::path& file, const RunKey& key = kKey) {
  return said([&] {
    Checkpoint checkpoint(file, 1h);
    checkpoint.resume_from(file);
    checkpoint.begin(key);
  });
}

TEST(Checkpoint, GivesBackWhatWasSavedBitByBit) {
  const TempFolder folder;
  const auto file = folder.path("r.ck");
  write_checkpoint(file);
  Checkpoint checkpoint(file, 1h);
  EXPECT_TRUE(checkpoint.empty());
  EXPECT_EQ(checkpoint.saved("steps"), nullptr);
  checkpoint.resume_from(file);
  checkpoint.begin(kKey);
  EXPECT_EQ(checkpoint.kept_in(), file);
  EXPECT_EQ(checkpoint.how_far(), "2 of 5,000 steps");
  EXPECT_EQ(checkpoint.saved("fitted"), nullptr);
  const SavedState* state = checkpoint.saved("steps");
  ASSERT_NE(state, nullptr);
  const auto floats = state->floats("floats", 3);
  EXPECT_EQ(floats[0], 1);
  EXPECT_TRUE(floats[1] == 0 && std::signbit(floats[1]));
  EXPECT_EQ(floats[2], std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(state->whole("whole", 2)[0], -1);
  const std::vector<double> reals = state->reals("reals");
  EXPECT_EQ(reals[0], 0.1);
  EXPECT_TRUE(std::isnan(reals[1]) && std::signbit(reals[2]));
  EXPECT_EQ(state->number("done"), 2u);
  EXPECT_THROW(state->floats("floats", 4), Error);
  EXPECT_THROW(state->floats("whole", 2), Error);
  EXPECT_THROW(state->real("nosuch"), Error);
  EXPECT_THROW(state->real("reals"), Error);
}

TEST(Checkpoint, IsDueAfterItsTimeAndNotAtOnce) {
  const TempFolder folder;
  EXPECT_FALSE(Checkpoint(folder.path("a"), 1h).due());
  Checkpoint often(folder.path("b"), 0s);
  EXPECT_TRUE(often.due());
}

TEST(Checkpoint, OfAnotherRunIsRefusedByItsFirstDifference) {
  const TempFolder folder;
  const auto file = folder.path("r.ck");
  write_checkpoint(file);
  EXPECT_EQ(said_on_resuming(file), "nothing");
  RunKey key = kKey;
  key[1].value = "4000";
  key[2].value = "4567";
  EXPECT_EQ(said_on_resuming(file, key),
            file.string() + ": the checkpoint was made with --steps 5000, this run has 4000");
  key[1].value = "5000";
  EXPECT_EQ(said_on_resuming(file, key),
            file.string() + ": the checkpoint was made of another corpus: the links differ");
  key = kKey;
  key.insert(key.begin() + 1, {"--dim", "8"});
  EXPECT_EQ(said_on_resuming(file, key), file.string() + ": the checkpoint was made without --dim");
  key = kKey;
  key.erase(key.begin() + 1);
  EXPECT_EQ(said_on_resuming(file, key),
            file.string() + ": the checkpoint was made with --steps 5000, this run has none");
}

TEST(Checkpoint, ThatIsDamagedCutOffForeignOrNotThereIsAnError) {
  const TempFolder folder;
  const auto file = folder.path("r.ck");
  write_checkpoint(file);
  const std::string whole = folder.read("r.ck");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_TRUE(contains(said_on_resuming(folder.write("damaged", damaged)), "not a usable checkpoint")) << at;
    EXPECT_NE(said_on_resuming(folder.write("cut", whole.substr(0, at))), "nothing") << at;
  }
  EXPECT_TRUE(
      contains(said_on_resuming(folder.write("text", "a text of somebody's own, and not short")), "not a usable"));
  EXPECT_TRUE(contains(said_on_resuming(folder.path("nosuch")), "cannot open the checkpoint"));
  EXPECT_TRUE(contains(said([&] { Model::load(file); }), "it is a checkpoint"));
}

TEST(Checkpoint, IsReplacedAsAWhole) {
  const TempFolder folder;
  const auto file = folder.path("r.ck");
  write_checkpoint(file);
  Checkpoint checkpoint(file, 1h);
  checkpoint.resume_from(file);
  checkpoint.begin(kKey);
  checkpoint.save(SavedState("fitted", "all steps"));
  EXPECT_EQ(checkpoint.saved("steps"), nullptr);
  Checkpoint later(file, 1h);
  later.resume_from(file);
  later.begin(kKey);
  EXPECT_NE(later.saved("fitted"), nullptr);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Checkpoint, ResumingTakesAwayWhatAKilledRunLeftBesideIt) {
  const TempFolder folder;
  write_checkpoint(folder.path("r.ck"));
  const std::string dead = "r.ck.part-2147483600-5f-1", alive = "r.ck.part-" + std::to_string(::getpid()) + "-5f-1";
  const std::vector<std::string> kept{alive, "r.ck.part-of-mine", "r.ck.part-12", "s.ck.part-2147483600-5f-1"};
  folder.write(dead, "");
  for (const std::string& name : kept) folder.write(name, "");
  EXPECT_EQ(said_on_resuming(folder.path("r.ck")), "nothing");
  EXPECT_FALSE(std::filesystem::exists(folder.path(dead)));
  for (const std::string& name : kept) EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
}

}  // namespace
}  // namespace idne
