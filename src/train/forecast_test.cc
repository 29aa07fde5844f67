#include <gtest/gtest.h>

#include "idne/train.h"

namespace idne {
namespace {

TEST(Forecast, NothingAtAllIsNoFault) { EXPECT_GT(forecast_training({0, 0, 0, 0}, 1).bytes, 0u); }

TEST(Forecast, MoreOfAnythingNeverTakesLessMemory) {
  const TrainingSize size{10000, 20000, 500000, 6};
  const std::uint64_t bytes = forecast_training(size, 2).bytes;
  for (std::uint64_t TrainingSize::*what :
       {&TrainingSize::documents, &TrainingSize::vocabulary, &TrainingSize::words, &TrainingSize::labels}) {
    TrainingSize more = size;
    more.*what *= 3;
    EXPECT_GE(forecast_training(more, 2).bytes, bytes);
  }
}

}  // namespace
}  // namespace idne
