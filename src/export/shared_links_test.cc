#include "export/shared_links.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "evaluate/test_evaluations.h"
#include "idne/train.h"
#include "math/test_ranks.h"

namespace idne {
namespace {

TEST(SharedLinks, AreThoseOfOneProcessOnRankZero) {
  const Collection collection = three_fields();
  const auto methods = known_methods();
  const auto lsa = std::ranges::find(methods, "lsa", &MethodInfo::name);
  Options options(lsa->options);
  options.set("dim", "8");
  const Model model = train(collection, "lsa", options, {}, {});
  const TextEncoder encoder(model);
  const Suggester suggester(encoder);
  const std::vector<MissingLink> one = missing_links(suggester, 300, 3, {});
  ASSERT_GT(one.size(), 300u);
  for (const std::size_t size : {2, 3}) {
    run_ranks(size, [&](Ranks& ranks) {
      idne::Run run;
      run.ranks = &ranks;
      const std::vector<MissingLink> many = shared_missing_links(suggester, 300, 3, run);
      ASSERT_EQ(many.size(), ranks.first() ? one.size() : 0u);
      for (std::size_t n = 0; n < many.size(); ++n) {
        EXPECT_EQ(many[n].from, one[n].from);
        EXPECT_EQ(many[n].to, one[n].to);
        EXPECT_EQ(many[n].score, one[n].score);
      }
    });
  }
}

}  // namespace
}  // namespace idne
