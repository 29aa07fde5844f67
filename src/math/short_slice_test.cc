#include "math/short_slice.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <thread>

namespace idne {
namespace {

/// What the system says of this thread, as `struct sched_attr`.
std::array<char, 48> attributes() {
  std::array<char, 48> bytes{};
  EXPECT_EQ(syscall(SYS_sched_getattr, 0, bytes.data(), bytes.size(), 0), 0);
  return bytes;
}

TEST(ShortSlice, LeavesAThreadAsItWas) {
  std::jthread([] {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 3);
    const auto before = attributes();
    {
      const ShortSlice slice;
      EXPECT_EQ(getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())), 3);
      std::uint64_t nanoseconds = 0;
      std::memcpy(&nanoseconds, attributes().data() + 24, sizeof nanoseconds);
      EXPECT_LE(nanoseconds, 100'000u);  // 0 where the system knows no slices
    }
    EXPECT_EQ(attributes(), before);
  });
}

TEST(ShortSlice, LeavesThreadsOfAnotherPolicyAlone) {
  std::jthread([] {
    const sched_param none{};
    if (sched_setscheduler(0, SCHED_IDLE, &none) != 0) GTEST_SKIP() << "the policy cannot be set here";
    const auto before = attributes();
    const ShortSlice slice;
    EXPECT_EQ(attributes(), before);
  });
}

}  // namespace
}  // namespace idne
