#include "suggest/link_weights.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "model/tensors.h"
#include "suggest/link_scorer.h"

namespace idne {
namespace {

/// 200 documents in 20 fields of 10, which have the words of their field and one of their own. `by_field`: all are
/// linked with the first document of the next field, which shares no word with them, so that only votes find it. Else
/// each is linked with another one that has its own word, and with some at random, so that votes mislead.
Model fields(bool by_field) {
  constexpr std::uint32_t kFields = 20, kEach = 10, kWords = 3;
  const std::uint32_t documents = kFields * kEach;
  std::vector<std::vector<std::int32_t>> links(documents);
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    if (a == b || std::ranges::count(links[a], static_cast<std::int32_t>(b))) return;
    links[a].push_back(static_cast<std::int32_t>(b));
    links[b].push_back(static_cast<std::int32_t>(a));
  };
  CountMatrix counts;
  Random random(1, Purpose::Split, 0);
  for (std::uint32_t i = 0; i < documents; ++i) {
    const std::uint32_t field = i / kEach;
    std::vector<std::uint32_t> words{kFields * kWords + i / 2};
    for (std::uint32_t w = 0; w < kWords; ++w) words.push_back(field * kWords + w);
    counts.add_row(count_words(words));
    if (by_field) {
      link(i, (field + 1) % kFields * kEach);
    } else {
      link(i, i ^ 1u);
      for (int n = 0; n < 3; ++n) link(i, static_cast<std::uint32_t>(random.below(documents)));
    }
  }
  Model model;
  ModelMaker maker(model);
  maker.set(layout::kDocumentVectors, std::vector<float>(documents, 1), documents, 1);
  maker.set(layout::kDocumentWords, counts);
  std::vector<std::string> ids;
  for (std::uint32_t i = 0; i < documents; ++i) ids.push_back(std::to_string(i));
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kWordStrings, std::vector<std::string>(kFields * kWords + documents / 2, "w"));
  Lists lists;
  for (auto& list : links) {
    std::ranges::sort(list);
    lists.values.insert(lists.values.end(), list.begin(), list.end());
    lists.end_row();
  }
  maker.set(layout::kDocumentLinks, std::move(lists));
  return model;
}

double learned_votes(Model model, int threads) {
  learn_link_weights(model, {.threads = threads, .progress = {}, .stopped = {}});
  return link_weights(model).votes;
}

TEST(LinkWeights, VotesWeighMuchWhereTheyTellAndLittleWhereTheyMislead) {
  const double tell = learned_votes(fields(true), 1), mislead = learned_votes(fields(false), 1);
  EXPECT_GE(tell, 1);
  EXPECT_LE(mislead, 1);
  EXPECT_GT(tell, mislead);
  EXPECT_EQ(learned_votes(fields(true), 3), tell);
}

TEST(LinkWeights, FewDocumentsKeepTheFixedOnes) {
  Model model = fields(true);
  ModelMaker(model).set(layout::kDocumentLinks, Lists{std::vector<std::int64_t>(201), {}});
  EXPECT_EQ(learned_votes(model, 1), LinkWeights{}.votes);
}

}  // namespace
}  // namespace idne
