#include "serve/input_buffer.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(InputBuffer, GivesBackWhatCameIn) {
  InputBuffer buffer;
  std::string all;
  for (int n = 0; n < 1000; ++n) {
    buffer.add("request " + std::to_string(n) + ";");
    buffer.add("another;");
    const std::size_t size = buffer.view().find(';') + 1;
    all += buffer.take(size);
  }
  all += buffer.take(buffer.size());
  std::string expected;
  for (int n = 0; n < 1000; ++n) expected += "request " + std::to_string(n) + ";another;";
  EXPECT_EQ(all, expected);
  EXPECT_TRUE(buffer.empty());
}

TEST(InputBuffer, TakingARequestDoesNotMoveThoseBehindIt) {
  InputBuffer buffer;
  buffer.add(std::string(1'000'000, 'a'));
  const char* const begin = buffer.view().data();
  for (std::size_t taken = 40; taken < 1'000'000; taken += 40) {
    buffer.take(40);
    ASSERT_EQ(buffer.view().data(), begin + taken);
  }
}

TEST(InputBuffer, MovesNoMoreThanWasTaken) {
  InputBuffer buffer;
  std::size_t added = 0, moved = 0;
  for (int n = 0; n < 100'000; ++n) {
    const char* const before = buffer.view().data();
    const std::size_t size = buffer.size();
    buffer.add("0123456789");
    added += 10;
    if (buffer.view().data() != before) moved += size;
    if (n % 3 != 0) buffer.take(14);
  }
  EXPECT_LE(moved, 3 * added);
}

TEST(InputBuffer, HoldsLittleMoreMemoryThanItNeeds) {
  InputBuffer buffer;
  for (int n = 0; n < 100; ++n) {
    const std::string piece(100'000, 'a');
    const std::size_t told = buffer.memory_with(piece.size());
    buffer.add(piece);
    EXPECT_EQ(buffer.memory(), told);
    EXPECT_LE(buffer.memory(), buffer.size() + (std::size_t{1} << 20));
  }
  const std::size_t most = buffer.memory();
  for (int n = 0; n < 50; ++n) {
    buffer.take(100'000);
    buffer.add(std::string(100'000, 'b'));
    EXPECT_LE(buffer.memory(), 2 * most);
  }
  buffer.take(buffer.size() - 1);
  buffer.take(1);
  EXPECT_LT(buffer.memory(), 100u) << "nothing is kept for nothing";
}

}  // namespace
}  // namespace idne
