#include "serve/connections.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "serve/serve_test_clients.h"

namespace idne {
namespace {

TEST(Connections, ARequestThatComesInSingleBytesIsAnswered) {
  TestServer server;
  server.start();
  TestClient client = server.connect();
  for (const char c : post("hello")) ASSERT_TRUE(client.send(std::string_view(&c, 1)));
  EXPECT_EQ(client.read_to("]"), "[hello]");
  for (const char c : post("again")) ASSERT_TRUE(client.send(std::string_view(&c, 1)));
  EXPECT_EQ(client.read_to("]"), "[again]");
  EXPECT_EQ(server.counts().accepted, 1u);
}

TEST(Connections, RequestsThatComeTogetherAreAnsweredInTheirOrder) {
  TestServer server;
  server.handlers.is_quick = [](std::string_view request) { return request.ends_with('0'); };
  server.start(2);
  TestClient client = server.connect();
  std::string all, expected;
  for (int n = 0; n < 200; ++n) {
    all += post(std::to_string(n));
    expected += "[" + std::to_string(n) + "]";
  }
  ASSERT_TRUE(client.send(all));
  EXPECT_EQ(client.read_to("[199]"), expected);
}

TEST(Connections, MoreRequestsAtOnceThanAStackIsDeep) {
  TestServer server;
  server.handlers.is_quick = [](std::string_view) { return true; };
  server.start();
  TestClient client = server.connect();
  constexpr int kMany = 20'000;
  const std::string request = "GET / HTTP/1.1\r\n\r\n";
  std::jthread sender([&] {
    std::string all;
    for (int n = 0; n < kMany; ++n) all += request;
    client.send(all);
    client.send(post("end"));
  });
  EXPECT_EQ(client.read_to("[end]").size(), 2u * kMany + 5);
}

TEST(Connections, AClientThatEndsSendingStillGetsItsAnswer) {
  TestServer server;
  server.start();
  TestClient client = server.connect();
  ASSERT_TRUE(client.send(post("one") + post("two")));
  client.end_sending();
  EXPECT_EQ(client.read_all(), "[one][two]");
}

TEST(Connections, ClientsThatGoEarlyLeaveNothingBehind) {
  TestServer server;
  server.start();
  const std::string whole = post(std::string(10'000, 'a'));
  for (const std::size_t sent : {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size()}) {
    TestClient closing = server.connect(), resetting = server.connect();
    ASSERT_TRUE(closing.send(whole.substr(0, sent)));
    ASSERT_TRUE(resetting.send(whole.substr(0, sent)));
    closing.close();
    resetting.reset();
  }
  EXPECT_TRUE(eventually([&] { return server.counts().accepted == 8 && server.counts().open == 0; }));
  EXPECT_TRUE(eventually([&] { return server.counts().waiting == 0; }));
  EXPECT_EQ(server.counts().buffered, 0u);
  EXPECT_GE(server.counts().broken, 2u);
}

TEST(Connections, ARequestWhoseClientIsGoneIsNotAnswered) {
  Gate gate;
  std::atomic<int> answered = 0;
  TestServer server;
  server.handlers.answer = [&](const std::string&, const std::string&) {
    gate.wait();
    ++answered;
    return Reply{"done", false};
  };
  server.start();
  TestClient first = server.connect(), second = server.connect();
  ASSERT_TRUE(first.send(post("first")));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  ASSERT_TRUE(second.send(post(std::string(1'000'000, 'a'))));
  ASSERT_TRUE(eventually([&] { return server.counts().waiting == 2; }));
  EXPECT_GE(server.counts().buffered, 1'000'000u);
  second.reset();
  EXPECT_TRUE(eventually([&] { return server.counts().waiting == 1 && server.counts().buffered == 0; }));
  gate.open();
  EXPECT_EQ(first.read_to("done"), "done");
  ASSERT_TRUE(first.send(post("again")));
  EXPECT_EQ(first.read_to("done"), "done");
  EXPECT_EQ(answered, 2);
}

TEST(Connections, SlowClientsHinderNobody) {
  TestServer server;
  server.start();
  std::vector<TestClient> slow;
  for (int n = 0; n < 100; ++n) {
    slow.push_back(server.connect());
    ASSERT_TRUE(slow.back().send(n % 2 ? "POST / HT" : "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel"));
  }
  TestClient quick = server.connect();
  ASSERT_TRUE(quick.send(post("quick")));
  EXPECT_EQ(quick.read_to("]"), "[quick]");
  ASSERT_TRUE(slow[0].send("lo"));
  EXPECT_EQ(slow[0].read_to("]"), "[hello]");
}

TEST(Connections, ARefusedClientSeesWhyThoughItGoesOnSending) {
  TestServer server;
  server.start();
  TestClient client = server.connect();
  std::jthread sender(
      [&] { client.send("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n" + std::string(4'000'000, 'a')); });
  EXPECT_EQ(client.read_all(), "400 Content-Length is no number\n");
  EXPECT_EQ(server.counts().broken, 1u);
}

TEST(Connections, ARefusedClientThatSendsForEverHindersNobodyAndIsClosed) {
  ConnectionLimits limits;
  limits.request_time = std::chrono::milliseconds(500);
  TestServer server(limits);
  server.start();
  TestClient endless = server.connect();
  std::jthread sender([&] {
    std::string piece(1'000'000, 'a');
    piece[0] = '\n';
    while (endless.send(piece)) {
    }
  });
  TestClient other = server.connect();
  for (int n = 0; n < 20; ++n) {
    ASSERT_TRUE(other.send(post("hello")));
    EXPECT_EQ(other.read_to("]"), "[hello]");
  }
  sender.join();  // it ends when the server closes
  EXPECT_EQ(server.counts().broken, 1u);
}

TEST(Connections, AClientThatWaitsForAWordGetsOnePerRequest) {
  TestServer server;
  server.start();
  TestClient client = server.connect();
  const std::string request = post("hello", "Expect: 100-continue\r\n");
  for (int n = 0; n < 2; ++n) {
    ASSERT_TRUE(client.send(std::string_view(request).substr(0, request.size() - 5)));
    EXPECT_EQ(client.read_to("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    for (const char c : std::string_view("hello")) ASSERT_TRUE(client.send(std::string_view(&c, 1)));
    EXPECT_EQ(client.read_to("]"), "[hello]");
  }
  ASSERT_TRUE(client.send(request));
  EXPECT_EQ(client.read_to("]"), "[hello]") << "nobody waits who has sent it all";
}

TEST(Connections, AQuickRequestDoesNotWaitForOthers) {
  Gate gate;
  TestServer server;
  server.handlers.is_quick = [](std::string_view request) { return request.ends_with("quick"); };
  server.handlers.answer = [&](const std::string& request, const std::string&) {
    if (!request.ends_with("quick")) gate.wait();
    return Reply{TestServer::echo(request), false};
  };
  server.start();
  TestClient slow = server.connect(), quick = server.connect();
  ASSERT_TRUE(slow.send(post("slow")));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  ASSERT_TRUE(quick.send(post("quick")));
  EXPECT_EQ(quick.read_to("]"), "[quick]");
  gate.open();
  EXPECT_EQ(slow.read_to("]"), "[slow]");
}

}  // namespace
}  // namespace idne
