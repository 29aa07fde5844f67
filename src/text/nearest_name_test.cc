#include "text/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace idne {
namespace {

TEST(NearestName, FindsWhatWasMeant) {
  const std::vector<std::string> verbs{"train", "topics", "suggest", "similar", "import", "export", "info", "index"};
  EXPECT_EQ(nearest_name("trian", verbs), "train");
  EXPECT_EQ(nearest_name("sugest", verbs), "suggest");
  EXPECT_EQ(nearest_name("topcs", verbs), "topics");
  EXPECT_EQ(nearest_name("Train", verbs), "train");
  EXPECT_EQ(nearest_name("imprt", verbs), "import");
  EXPECT_EQ(nearest_name("inof", verbs), "info");
}

TEST(NearestName, DoesNotGuessWildly) {
  const std::vector<std::string> names{"train", "k", "html"};
  EXPECT_EQ(nearest_name("classify", names), "");
  EXPECT_EQ(nearest_name("x", names), "") << "one letter tells nothing";
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(1000, 't'), names), "");
}

TEST(NearestName, AHintIsPartOfAnErrorsLine) {
  const std::vector<std::string> formats{"text", "json", "html"};
  EXPECT_EQ(hint_at("htlm", formats), "; did you mean html?");
  EXPECT_EQ(hint_at("yaml", std::vector<std::string>{"text"}), "");
}

}  // namespace
}  // namespace idne
