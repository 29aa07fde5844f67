#include "serve/reloadable.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <vector>

#include "serve/serve_test_clients.h"

namespace idne {
namespace {

using Numbers = Reloadable<int>;

TEST(Reloadable, UsersKeepWhatTheyTook) {
  std::atomic<int> next{1};
  std::atomic<int> reports{0};
  Numbers numbers([&](const idne::Run&) { return std::make_shared<const int>(next++); },
                  [&](const Numbers::Pointer& now, const std::string& why) { reports += *now == 2 && why.empty(); },
                  {});
  Numbers::Pointer old = numbers.now();
  const std::weak_ptr<const int> watched = old;
  EXPECT_EQ(*old, 1);
  numbers.reload();
  EXPECT_TRUE(eventually([&] { return *numbers.now() == 2 && reports == 1; }));
  EXPECT_EQ(*old, 1);
  EXPECT_EQ(numbers.status().done, 1u);
  old.reset();
  EXPECT_TRUE(watched.expired()) << "what nobody uses is gone";
}

TEST(Reloadable, WhatFailsLeavesTheOldOneAndSaysWhy) {
  std::atomic<int> turn{0};
  std::mutex mutex;
  std::vector<std::string> said;
  Numbers numbers(
      [&](const idne::Run&) -> Numbers::Pointer {
        const int now = turn++;
        if (now == 1) throw std::runtime_error("broken");
        if (now == 2) throw std::bad_alloc();
        return std::make_shared<const int>(now);
      },
      [&](const Numbers::Pointer&, const std::string& why) {
        const std::lock_guard lock(mutex);
        said.push_back(why);
      },
      {});
  for (std::uint64_t n = 1; n <= 2; ++n) {
    numbers.reload();
    EXPECT_TRUE(eventually([&] { return numbers.status().failed == n; }));
    EXPECT_EQ(*numbers.now(), 0);
    EXPECT_EQ(numbers.status().why, n == 1 ? "broken" : "not enough memory");
    EXPECT_NE(numbers.status().failed_at, "");
  }
  numbers.reload();
  EXPECT_TRUE(eventually([&] { return *numbers.now() == 3; }));
  EXPECT_EQ(numbers.status().why + numbers.status().failed_at, "");
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return said == std::vector<std::string>{"broken", "not enough memory", ""};
  }));
}

TEST(Reloadable, WhoAsksMeanwhileGetsOneMore) {
  std::atomic<int> begun{0}, most{0}, at_once{0};
  std::counting_semaphore<100> go_on(1);
  Numbers numbers(
      [&](const idne::Run&) {
        most = std::max<int>(most, ++at_once);
        ++begun;
        go_on.acquire();
        --at_once;
        return std::make_shared<const int>(begun);
      },
      [](const Numbers::Pointer&, const std::string&) {}, {});
  numbers.reload();
  EXPECT_TRUE(eventually([&] { return begun == 2; }));
  for (int n = 0; n < 20; ++n) numbers.reload();
  EXPECT_EQ(*numbers.now(), 1) << "the old one is there meanwhile";
  go_on.release(50);
  EXPECT_TRUE(eventually([&] { return numbers.status().done == 2; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(most, 1);
}

TEST(Reloadable, WhatIsOfferedIsThereUntilTheFirstIsLoaded) {
  Numbers* self = nullptr;
  Numbers numbers(
      [&](const idne::Run&) {
        EXPECT_EQ(*self->now(), 1);
        return std::make_shared<const int>(2);
      },
      [](const Numbers::Pointer&, const std::string&) {});
  self = &numbers;
  EXPECT_EQ(numbers.now(), nullptr);
  numbers.offer(std::make_shared<const int>(1));
  numbers.begin({});
  EXPECT_EQ(*numbers.now(), 2);
  EXPECT_EQ(numbers.status().done, 0u) << "that is no reload";
}

TEST(Reloadable, EndsWhileItLoads) {
  std::atomic<bool> first{true}, at_work{false};
  std::atomic<int> reports{0};
  {
    Numbers numbers(
        [&](const idne::Run& run) {
          if (!first.exchange(false)) {
            at_work = true;
            for (;;) run.check();
          }
          return std::make_shared<const int>(1);
        },
        [&](const Numbers::Pointer&, const std::string&) { ++reports; }, {});
    numbers.reload();
    EXPECT_TRUE(eventually([&] { return at_work.load(); }));
  }
  EXPECT_EQ(reports, 0) << "to end is no failure";
  EXPECT_THROW(Numbers([](const idne::Run&) -> Numbers::Pointer { throw Error("no model"); },
                       [](const Numbers::Pointer&, const std::string&) {}, {}),
               Error);
}

}  // namespace
}  // namespace idne
