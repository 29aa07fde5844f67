#include "math/ranks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "math/dimension_team.h"
#include "math/gathered.h"
#include "math/placement.h"
#include "math/test_ranks.h"

namespace idne {
namespace {

TEST(Packer, GivesBackWhatWasPacked) {
  Packer packer;
  packer.add(std::uint32_t{7});
  packer.add_all(std::vector<double>{0.5, -1});
  packer.add_text("héllo");
  packer.add_all(std::vector<float>{});
  Unpacker unpacker(packer.bytes());
  EXPECT_EQ(unpacker.next<std::uint32_t>(), 7u);
  EXPECT_EQ(unpacker.next_all<double>(), (std::vector<double>{0.5, -1}));
  EXPECT_EQ(unpacker.next_text(), "héllo");
  EXPECT_TRUE(unpacker.next_all<float>().empty());
  EXPECT_TRUE(unpacker.done());
  EXPECT_THROW(unpacker.next<char>(), Error);
}

TEST(Unpacker, MoreThanThereIsIsAnError) {
  Packer packer;
  packer.add(std::uint64_t{1} << 61);  // a count of numbers that would be more bytes than any number can say
  EXPECT_THROW(Unpacker(packer.bytes()).next_all<double>(), Error);
  EXPECT_THROW(Unpacker(packer.bytes()).next_text(), Error);
}

TEST(Ranks, WhatEachGivesIsInTheirOrder) {
  for (const std::size_t size : {1u, 2u, 5u}) {
    run_ranks(size, [&](Ranks& ranks) {
      const auto me = static_cast<int>(ranks.number());
      const std::vector<int> own(ranks.number() + 1, me);  // each another number of them
      std::vector<int> expected;
      for (std::size_t r = 0; r < size; ++r) expected.insert(expected.end(), r + 1, static_cast<int>(r));
      EXPECT_EQ(all_of(ranks, std::span<const int>(own)), expected);
      EXPECT_EQ(any_of(ranks, false), false);
      EXPECT_EQ(any_of(ranks, ranks.number() + 1 == size), true);
      std::vector<Packer> to(size);
      for (std::size_t r = 0; r < size; ++r) to[r].add(10 * me + static_cast<int>(r));
      const std::vector<Bytes> from = exchange_packed(ranks, to);
      for (std::size_t r = 0; r < size; ++r) {
        EXPECT_EQ(Unpacker(from[r]).next<int>(), 10 * static_cast<int>(r) + me);
      }
      std::vector<std::uint64_t> numbers{1, ranks.number()};
      ranks.add_up(numbers);
      EXPECT_EQ(numbers, (std::vector<std::uint64_t>{size, size * (size - 1) / 2}));
    });
  }
}

TEST(Ranks, MuchIsGatheredInTheSameOrder) {
  for (const std::size_t size : {1u, 2u, 5u}) {
    run_ranks(size, [&](Ranks& ranks) {
      const std::vector<int> own(ranks.number() % 3, static_cast<int>(ranks.number()));  // of some there is nothing
      const std::vector<int> expected = all_of(ranks, std::span<const int>(own));
      EXPECT_EQ(gathered(ranks, std::span<const int>(own)), expected);
      Packer packed;
      for (const int value : own) packed.add(value);
      std::vector<int> visited;
      visit_gathered(ranks, packed.take(), [&](std::span<const std::byte> bytes) {
        for (Unpacker from(bytes); !from.done();) visited.push_back(from.next<int>());
      });
      EXPECT_EQ(visited, expected);
    });
  }
}

TEST(Ranks, SumsGoOnFromRankToRank) {
  const std::vector<double> values{1e16, 1, -1e16, 1, 1, 0.1, 1e-9};  // every order has another sum
  const double expected = std::accumulate(values.begin(), values.end(), 0.0);
  for (const std::size_t size : {1u, 2u, 3u}) {
    run_ranks(size, [&](Ranks& ranks) {
      const Share own = share_of(&ranks, values.size());
      double sum = 0;
      add_in_order(
          &ranks,
          [&] {
            for (std::size_t n = own.begin; n < own.end; ++n) sum += values[n];
          },
          sum);
      EXPECT_EQ(sum, expected);
    });
  }
}

TEST(AllOrNone, AllThrowWhatTheLowestThrew) {
  run_ranks(3, [](Ranks& ranks) {
    try {
      all_or_none(&ranks, [&] {
        if (ranks.number() > 0) throw Error("file:" + std::to_string(ranks.number()) + ": wrong");
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "file:1: wrong");
    }
    EXPECT_THROW(all_or_none(&ranks,
                             [&] {
                               if (ranks.number() == 2) throw Interrupted();
                             }),
                 Interrupted);
    all_or_none(&ranks, [] {});
  });
}

TEST(Placement, TellsWhoHasADocument) {
  run_ranks(3, [](Ranks& ranks) {
    const std::vector<std::size_t> counts{4, 0, 3};
    const Placement placement(ranks, counts[ranks.number()]);
    EXPECT_EQ(placement.all(), 7u);
    EXPECT_EQ(placement.own(), counts[ranks.number()]);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(placement.owner(i), i < 4 ? 0u : 2u);
      EXPECT_EQ(placement.here(i), placement.owner(i) == ranks.number());
    }
  });
}

TEST(DimensionTeam, ProcessesAndThreadsGiveTheSameSums) {
  const auto part = [](std::size_t round, std::size_t b, std::size_t i) {
    return (b % 2 ? -1.0f : 1.0f) * (1e7f / static_cast<float>(b + 1) + static_cast<float>(round + i) * 0.37f);
  };
  constexpr std::size_t kBlocks = 5;
  for (const std::size_t processes : {1u, 2u, 3u, 7u}) {  // with 7 two of them have no block
    run_ranks(processes, [&](Ranks& ranks) {
      DimensionTeam team(kBlocks * kBlock, 2, &ranks);
      team.run([&](std::size_t me) -> Work {
        for (std::size_t round = 0; round < 50; ++round) {
          const std::size_t count = round * 7 % 40;
          const auto own = team[me].contribute(count);
          for (std::size_t at = 0; at < own.size(); ++at) {
            own[at] = part(round, team[me].first_block() + at / count, at % count);
          }
          std::vector<float> sums(count, 1.5f);
          (co_await team[me].gather()).add_to(sums);
          for (std::size_t i = 0; i < count; ++i) {
            float expected = 1.5f;
            for (std::size_t b = 0; b < kBlocks; ++b) expected += part(round, b, i);
            EXPECT_EQ(sums[i], expected) << processes << " processes, gather " << round;
          }
        }
      });
    });
  }
}

}  // namespace
}  // namespace idne
