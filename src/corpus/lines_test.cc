#include "corpus/lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "repeated_source.h"

namespace idne {
namespace {

/// Reads `lines` lines of `length` bytes with eight threads; `look` is called for each block, when it is joined.
void read_lines(std::size_t lines, std::size_t length, std::uint64_t& taken, const std::function<bool()>& stopped,
                const std::function<void(std::size_t bytes)>& look) {
  const std::string line = std::string(length - 1, 'x') + "\n";
  BlockReader reader("long", std::make_unique<RepeatedSource>("", line, lines * length, taken));
  for_each_block<std::size_t>(
      reader, "reading", Run{8, {}, stopped},
      [](const Block& block, Worker&, std::size_t& bytes) { bytes = block.text.size(); },
      [&](std::size_t&& bytes) { look(bytes); });
}

TEST(ForEachBlock, LongLinesAreNotReadAheadWithoutBound) {
  constexpr std::size_t kLine = 3 << 20, kLines = 32;
  static_assert(kLines * kLine > kReadAheadBytes + 2 * kLine, "else all of it may be held");
  std::uint64_t taken = 0, joined = 0, most = 0;
  read_lines(kLines, kLine, taken, {}, [&](std::size_t bytes) {
    most = std::max(most, taken - joined);
    joined += bytes;
  });
  EXPECT_LE(most, kReadAheadBytes + kLine);
  EXPECT_EQ(joined, kLines * kLine);
}

TEST(ForEachBlock, CanBeStoppedWhileItReadsAhead) {
  constexpr std::size_t kLine = 1 << 20;
  std::uint64_t taken = 0;
  const auto stopped = [&taken] { return taken > 0; };
  EXPECT_THROW(read_lines(20, kLine, taken, stopped, [](std::size_t) {}), Interrupted);
  EXPECT_LE(taken, 2 * kLine);
}

}  // namespace
}  // namespace idne
