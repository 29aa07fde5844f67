#include "serve/sockets.h"

#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include <array>
#include <string>

#include "idne/error.h"

namespace idne {
namespace {

TEST(Sockets, NoMoreIsDiscardedAtOnceThanAllowed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  const std::string bytes(50'000, 'a');
  ASSERT_EQ(::send(writer.get(), bytes.data(), bytes.size(), 0), 50'000);
  const auto left = [&] {
    int count = 0;
    EXPECT_EQ(::ioctl(reader.get(), FIONREAD, &count), 0);
    return count;
  };
  EXPECT_TRUE(discard(reader, 20'000));
  EXPECT_EQ(left(), 30'000);
  EXPECT_TRUE(discard(reader, 1'000'000)) << "there may be more";
  EXPECT_EQ(left(), 0);
  writer = Descriptor();
  EXPECT_FALSE(discard(reader, 1'000'000)) << "there will be no more";
}

TEST(Sockets, AListenerTellsItsPort) {
  const Descriptor any = listen_on("127.0.0.1", 0);
  EXPECT_GT(port_of(any), 0);
  EXPECT_THROW(listen_on("127.0.0.1", port_of(any)), Error);
}

}  // namespace
}  // namespace idne
