#include <gtest/gtest.h>

#include "evaluate/test_evaluations.h"
#include "idne/generate.h"
#include "math/test_ranks.h"
#include "methods/idne.h"
#include "temp_folder.h"
#include "train/train.h"

namespace idne {
namespace {

/// Documents, links, groups and labels in files, so that ranks can read parts of them.
void write_corpus(const TempFolder& folder, std::size_t count) {
  std::string documents, links, groups;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t field = k % 3;
    std::string text;
    for (std::size_t w = 0; w < 12; ++w) {
      text += " word" + std::to_string(field * 20 + (k * 5 + w * w * 3) % 20) + " all" + std::to_string((k + w) % 7);
    }
    documents += "{\"id\": \"d" + std::to_string(k) + "\", \"text\": \"" + text + "\", \"labels\": [\"field" +
                 std::to_string(field) + "\"], \"links\": [\"d" + std::to_string((k + 3) % count) + "\"]}\n";
    if (k % 4 == 0) links += "d" + std::to_string(k) + "\td" + std::to_string((k + 9) % count) + "\t2\n";
    if (k % 5 == 0) groups += "d" + std::to_string(k) + "\tg" + std::to_string(k % 15) + "\n";
  }
  folder.write("documents.jsonl", documents);
  folder.write("links.tsv", links);
  folder.write("groups.tsv", groups);
}

std::string trained(const TempFolder& folder, const Options& options, Ranks* ranks, int threads) {
  idne::Run run;
  run.ranks = ranks;
  run.threads = threads;
  ReadOptions reading;
  reading.spread_beyond = 0;
  const Collection collection = read_collection(folder.path(), reading, run);
  EXPECT_EQ(collection.spread != nullptr, ranks != nullptr);
  const Model model = train(collection, "idne", options, {2, 0.9}, run);
  EXPECT_EQ(model.documents_everywhere(), 120u);
  const std::string name = ranks ? "spread.idne" : "whole.idne";
  model.save(folder.path(name), run);
  if (ranks && !ranks->first()) return "";
  return folder.read(name);
}

/// What is found from a sample of documents is another sample where there are few: these options need none.
Options options_without_samples() {
  Options options(training_options(idne_method()));
  options.set("start", "random");
  options.set("topic-fit", "none");
  options.set("steps", "60");
  options.set("dim", "130");
  return options;
}

TEST(SpreadTraining, GivesTheBytesOfOneProcess) {
  const TempFolder folder;
  write_corpus(folder, 120);
  for (const char* sampling : {"near", "node", "path"}) {
    Options options = options_without_samples();
    options.set("sampling", sampling);
    const std::string expected = trained(folder, options, nullptr, 2);
    for (const std::size_t size : {2u, 3u, 5u}) {
      std::string found;
      run_ranks(size, [&](Ranks& ranks) {
        std::string own = trained(folder, options, &ranks, size == 2 ? 2 : 1);
        if (ranks.first()) found = std::move(own);
      });
      EXPECT_TRUE(found == expected) << sampling << ", " << size << " ranks";
    }
  }
}

TEST(SpreadTraining, SamplesGiveTheSameOnAllRanks) {
  const TempFolder folder;
  write_corpus(folder, 120);
  Options options(training_options(idne_method()));
  options.set("steps", "20");
  std::string of_two, of_three;
  run_ranks(2, [&](Ranks& ranks) {
    std::string own = trained(folder, options, &ranks, 1);
    if (ranks.first()) of_two = std::move(own);
  });
  run_ranks(3, [&](Ranks& ranks) {
    std::string own = trained(folder, options, &ranks, 1);
    if (ranks.first()) of_three = std::move(own);
  });
  EXPECT_FALSE(of_two.empty());
  EXPECT_TRUE(of_two == of_three);
}

TEST(SpreadTraining, ACheckpointIsGoneOnFromToTheSameBytes) {
  const TempFolder folder;
  write_corpus(folder, 120);
  const Options options = options_without_samples();
  const std::string expected = trained(folder, options, nullptr, 1);
  std::string found;
  run_ranks(2, [&](Ranks& ranks) {
    ReadOptions reading;
    reading.spread_beyond = 0;
    idne::Run run;
    run.ranks = &ranks;
    const Collection collection = read_collection(folder.path(), reading, run);
    Checkpoint first(folder.path("a.ck"), std::chrono::seconds(0));
    run.checkpoint = &first;
    // A signal reaches one of them first, when steps are taken: all leave at the same step.
    run.stopped = [&] { return ranks.number() == 1 && std::filesystem::exists(folder.path("a.ck")); };
    EXPECT_THROW(train(collection, "idne", options, {2, 0.9}, run), Interrupted);
    any_of(ranks, false);  // rank 0 has written
    Checkpoint second(folder.path("a.ck"), std::chrono::hours(1));
    second.resume_from(folder.path("a.ck"));
    run.checkpoint = &second;
    run.stopped = {};
    const Model model = train(collection, "idne", options, {2, 0.9}, run);
    model.save(folder.path("m.idne"), run);
    if (ranks.first()) found = folder.read("m.idne");
  });
  EXPECT_TRUE(found == expected);
}

}  // namespace
}  // namespace idne
