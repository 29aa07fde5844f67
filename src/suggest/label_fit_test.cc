#include "suggest/label_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"
#include "suggest/label_rows.h"

namespace idne {
namespace {

/// Outcomes that come as often as log odds of slope · x + shift say, where x was said.
std::vector<Forecasted> outcomes(double slope, double shift, std::size_t count) {
  Random random(3, Purpose::HeldOut, 0);
  std::vector<Forecasted> result;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 6 * random.uniform() - 3;
    result.push_back({static_cast<float>(x), random.uniform() < 1 / (1 + std::exp(-(slope * x + shift)))});
  }
  return result;
}

TEST(PlattScaling, FindsWhatMakesProbabilitiesRight) {
  const LabelFit fit = platt_scaling(outcomes(1.7, 0.6, 20000), {});
  EXPECT_NEAR(fit.slope, 1.7, 0.1);
  EXPECT_NEAR(fit.shift, 0.6, 0.1);
}

TEST(PlattScaling, FewOutcomesSayLittleAndNoneNothing) {
  const LabelFit none = platt_scaling({}, {}), few = platt_scaling(outcomes(3, 2, 5), {});
  EXPECT_EQ(none.slope, 1);
  EXPECT_EQ(none.shift, 0);
  EXPECT_NEAR(few.slope, 1, 0.5);
}

/// Documents in five dimensions; the first label goes by the first of them, or by nothing.
LabelFit chosen(bool by_vector) {
  Random random(5, Purpose::HeldOut, 0);
  std::vector<float> rows;
  Lists labels;
  for (int i = 0; i < 600; ++i) {
    for (int d = 0; d < 5; ++d) rows.push_back(random.truncated_normal());
    const bool first = by_vector ? rows[rows.size() - 5] > 0 : random.uniform() < 0.5;
    labels.values.push_back(first ? 0 : 1);
    labels.end_row();
  }
  const LabelledDocuments documents{
      .labels = {labels.offsets, labels.values}, .label_count = 2, .vectors = {rows.data(), 600, 5}};
  return choose_fit(documents, documents_to_learn_from(documents), {});
}

TEST(ChooseFit, FollowsDocumentsCloselyWhereThatHolds) {
  const LabelFit sure = chosen(true), unsure = chosen(false);
  EXPECT_EQ(sure.c, 30);
  EXPECT_EQ(unsure.c, 3);
  EXPECT_LT(unsure.slope, 1) << "what was found in noise does not hold";
}

}  // namespace
}  // namespace idne
