#include "serve/connection.h"

#include <gtest/gtest.h>

#include <array>

#include "serve/request_reader.h"

namespace idne {
namespace {

/// A connection and the client's end of it. Nothing is read before the test says so.
class Pair {
 public:
  explicit Pair(std::size_t memory = 1'000'000) : budget(memory) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0) throw std::runtime_error("socketpair");
    connection.emplace(Descriptor(ends[0]), "a client", budget);
    client = Descriptor(ends[1]);
  }
  bool send(std::string_view bytes) const {
    return ::send(client.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }

  Budget budget;
  std::optional<Connection> connection;
  Descriptor client;
  const ConnectionLimits limits;
};

using Outcome = Connection::Outcome;

TEST(Connection, BytesThatComeOneByOneAreLookedAtLineByLine) {
  Pair pair;
  Connection& c = *pair.connection;
  const std::string request =
      "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n" +
      std::string(1000, 'a');
  int looks = 0, words = 0;
  RequestState state;
  for (const char byte : request) {
    ASSERT_NE(state.kind, RequestState::Kind::Whole);
    ASSERT_TRUE(pair.send(std::string_view(&byte, 1)));
    ASSERT_EQ(c.read(pair.limits), Outcome::Done);
    if (!c.has_news()) continue;
    ++looks;
    state = look_at_request(c.in(), pair.limits.header_bytes, pair.limits.body_bytes);
    c.looked(state.size);
    words += state.kind == RequestState::Kind::Incomplete && state.expects_continue;
  }
  EXPECT_EQ(state.kind, RequestState::Kind::Whole);
  EXPECT_EQ(looks, 7) << "the first byte, five lines and the end";
  EXPECT_EQ(words, 1) << "the client is told once to go on";
}

TEST(Connection, ARequestTakesItsMemoryWithIt) {
  Pair pair;
  Connection& c = *pair.connection;
  std::string request;
  Charge charge;
  ASSERT_TRUE(pair.send(std::string(20'000, 'a') + "behind"));
  ASSERT_EQ(c.read(pair.limits), Outcome::Done);
  EXPECT_GE(pair.budget.used(), 20'006u);
  ASSERT_TRUE(c.take(20'000, request, charge));
  EXPECT_EQ(request, std::string(20'000, 'a'));
  EXPECT_EQ(c.in(), "behind");
  EXPECT_TRUE(c.has_news()) << "it may be another request";
  EXPECT_GE(pair.budget.used(), 40'000u) << "there are two of them now";
  std::string rest;
  Charge rest_charge;
  ASSERT_TRUE(c.take(6, rest, rest_charge));
  EXPECT_EQ(pair.budget.used(), 20'000u);
  pair.connection.reset();
  EXPECT_EQ(pair.budget.used(), 20'000u) << "whoever holds it";
  charge.clear();
  EXPECT_EQ(pair.budget.used(), 0u);
}

TEST(Connection, WhatDoesNotFitIsNotRead) {
  Pair pair(10'000);
  ASSERT_TRUE(pair.send(std::string(20'000, 'a')));
  EXPECT_EQ(pair.connection->read(pair.limits), Outcome::Full);
  EXPECT_EQ(pair.connection->in(), "");
  EXPECT_EQ(pair.budget.used(), 0u);
}

TEST(Connection, AnAnswerCountsUntilAllOfItIsOnItsWay) {
  Pair pair(10'000'000);
  Connection& c = *pair.connection;
  const std::string all(5'000'000, 'a');
  Charge charge(pair.budget);
  ASSERT_TRUE(charge.set(all.size()));
  c.set_out(all, std::move(charge));
  std::string piece(all.size(), '\0');
  std::size_t taken = 0;
  const auto take = [&] {
    const ssize_t size = ::recv(pair.client.get(), piece.data(), piece.size(), 0);
    taken += size > 0 ? static_cast<std::size_t>(size) : 0;
    return size > 0;
  };
  while (c.write() == Outcome::Blocked) {
    ASSERT_EQ(pair.budget.used(), all.size());
    ASSERT_TRUE(take());
  }
  EXPECT_EQ(pair.budget.used(), 0u);
  while (take()) {
  }
  EXPECT_EQ(taken, all.size());
  pair.client = Descriptor();
  c.set_out("more", Charge(pair.budget));
  EXPECT_EQ(c.write(), Outcome::Ended);
}

TEST(Connection, TellsThatTheClientHasEnded) {
  Pair pair;
  ASSERT_TRUE(pair.send("half a request"));
  pair.client = Descriptor();
  EXPECT_EQ(pair.connection->read(pair.limits), Outcome::Done);
  EXPECT_EQ(pair.connection->read(pair.limits), Outcome::Done);
  EXPECT_TRUE(pair.connection->peer_closed);
  EXPECT_TRUE(pair.connection->has_news());
  EXPECT_EQ(pair.connection->in(), "half a request");
  EXPECT_EQ(pair.connection->drain(), Outcome::Ended);
}

}  // namespace
}  // namespace idne
