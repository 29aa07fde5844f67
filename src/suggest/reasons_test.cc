#include "suggest/reasons.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(Reasons, FormsOfAWordAreOneIdea) {
  EXPECT_TRUE(same_idea("volcano", "volcano"));
  EXPECT_TRUE(same_idea("volcano", "volcanoes"));
  EXPECT_TRUE(same_idea("studies", "studied"));
  EXPECT_TRUE(same_idea("network", "networks"));
  EXPECT_FALSE(same_idea("lava", "volcano"));
  EXPECT_FALSE(same_idea("cat", "cats")) << "too short to tell";
  EXPECT_FALSE(same_idea("inter", "international"));
}

TEST(Reasons, AnIdeaIsToldOnceAsItsStrongestForm) {
  const std::string bytes = "lavavolcanovolcanoescratersea";
  const std::vector<std::int64_t> offsets{0, 4, 11, 20, 26, 29};
  const Words words{
      .strings = {bytes, offsets}, .counts = {}, .vectors = {}, .forms = {}, .late = {}, .late_forms = {}};
  const std::vector<WordPart> shared{{0, 0.2}, {3, 0.1}};
  const std::vector<WordPair> pairs{{0, 1, 0.3}, {2, 1, 0.25}, {4, 3, 0.05}, {4, 4, -0.1}};
  const auto reasons = one_idea_once(shared, pairs, words, 5);
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].a, 0u);
  EXPECT_EQ(reasons[0].b, 1u);
  EXPECT_EQ(reasons[1].a, 3u);
  EXPECT_EQ(reasons[1].b, 3u);
  EXPECT_EQ(one_idea_once(shared, pairs, words, 1).size(), 1u);
  EXPECT_EQ(one_idea_once(shared, pairs, words, 5, 0.15).size(), 1u) << "the other adds 0.1";
}

TEST(Reasons, AWordThatBothHaveAndThatIsAPairWithItselfIsOne) {
  const std::string bytes = "lava";
  const std::vector<std::int64_t> offsets{0, 4};
  const Words words{
      .strings = {bytes, offsets}, .counts = {}, .vectors = {}, .forms = {}, .late = {}, .late_forms = {}};
  const std::vector<WordPart> shared{{0, 0.25}};
  const std::vector<WordPair> pairs{{0, 0, 0.5}};
  const auto reasons = one_idea_once(shared, pairs, words, 5);
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_DOUBLE_EQ(reasons[0].part, 0.75);
}

}  // namespace
}  // namespace idne
