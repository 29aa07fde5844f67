#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "serve/connections.h"
#include "serve/serve_test_clients.h"

namespace idne {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;

TEST(ConnectionLimits, ThereAreSoManyConnectionsAtOnce) {
  ConnectionLimits limits;
  limits.connections = 2;
  TestServer server(limits);
  server.start();
  TestClient first = server.connect(), second = server.connect();
  for (TestClient* client : {&first, &second}) {
    ASSERT_TRUE(client->send(post("hello")));
    EXPECT_EQ(client->read_to("]"), "[hello]");
  }
  EXPECT_EQ(server.connect().read_all(), "503 too many connections\n") << "and closed";
  EXPECT_EQ(server.counts().refused, 1u);
  first.close();
  ASSERT_TRUE(eventually([&] { return server.counts().open == 1; }));
  TestClient third = server.connect();
  ASSERT_TRUE(third.send(post("hello")));
  EXPECT_EQ(third.read_to("]"), "[hello]");
}

TEST(ConnectionLimits, RequestsThatComeInHaveSoMuchMemory) {
  ConnectionLimits limits;
  limits.buffered_bytes = 3 * kMegabyte;
  TestServer server(limits);
  server.handlers.answer = [](const std::string& request, const std::string&) {
    return Reply{std::to_string(TestServer::echo(request).size()) + ";", false};
  };
  server.start();
  const std::string large = post(std::string(2 * kMegabyte, 'a'));
  TestClient first = server.connect(), second = server.connect(), small = server.connect();
  ASSERT_TRUE(first.send(large.substr(0, large.size() - 1)));
  ASSERT_TRUE(eventually([&] { return server.counts().buffered >= 2 * kMegabyte; }));
  second.send(large);
  EXPECT_EQ(second.read_all(), "503 too many large requests at once\n");
  EXPECT_EQ(server.counts().refused, 1u);
  ASSERT_TRUE(small.send(post("small")));
  EXPECT_EQ(small.read_to(";"), "7;") << "what is small is always answered";
  ASSERT_TRUE(first.send("a"));
  EXPECT_EQ(first.read_to(";"), "2000002;");
  EXPECT_TRUE(eventually([&] { return server.counts().buffered == 0; }));
}

TEST(ConnectionLimits, RequestsThatWaitTakeOfTheSameMemory) {
  ConnectionLimits limits;
  limits.buffered_bytes = 3 * kMegabyte;
  Gate gate;
  TestServer server(limits);
  server.handlers.answer = [&](const std::string&, const std::string&) {
    gate.wait();
    return Reply{"done", false};
  };
  server.start();
  const std::string large = post(std::string(2 * kMegabyte, 'a'));
  TestClient first = server.connect(), second = server.connect();
  ASSERT_TRUE(first.send(large));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  first.reset();  // its request is still worked on, and still there
  ASSERT_TRUE(eventually([&] { return server.counts().open == 1; }));
  EXPECT_GE(server.counts().buffered, 2 * kMegabyte);
  second.send(large);
  EXPECT_EQ(second.read_all(), "503 too many large requests at once\n");
  gate.open();
  EXPECT_TRUE(eventually([&] { return server.counts().buffered == 0; }));
}

TEST(ConnectionLimits, AnswersThatAreNotTakenHaveSoMuchMemory) {
  ConnectionLimits limits;
  limits.buffered_bytes = 50 * kMegabyte;
  constexpr std::size_t kLarge = 20 * kMegabyte;  // more than the system takes over
  TestServer server(limits);
  std::string large(kLarge, 'a');
  large += "end";
  server.handlers.answer = [&](const std::string&, const std::string&) { return Reply{large, true}; };
  server.start();
  std::vector<TestClient> clients;
  for (std::size_t n = 1; n <= 2; ++n) {
    clients.push_back(server.connect());
    ASSERT_TRUE(clients.back().send(post("")));
    ASSERT_TRUE(eventually([&] { return server.counts().buffered >= n * kLarge; }));
  }
  TestClient third = server.connect();
  ASSERT_TRUE(third.send(post("")));
  EXPECT_EQ(third.read_all(), "503 too many large answers at once\n");
  EXPECT_LE(server.counts().buffered, limits.buffered_bytes);
  EXPECT_EQ(clients[0].read_all().size(), kLarge + 3);
  clients[1].reset();
  EXPECT_TRUE(eventually([&] { return server.counts().buffered == 0; }));
}

TEST(ConnectionLimits, SoManyRequestsMayWait) {
  ConnectionLimits limits;
  limits.waiting_requests = 2;
  Gate gate;
  TestServer server(limits);
  server.handlers.answer = [&](const std::string& request, const std::string&) {
    gate.wait();
    return Reply{TestServer::echo(request), false};
  };
  server.start();
  std::vector<TestClient> clients;
  for (std::uint64_t n = 1; n <= 3; ++n) {
    clients.push_back(server.connect());
    ASSERT_TRUE(clients.back().send(post("hello")));
    ASSERT_TRUE(eventually([&] { return server.counts().waiting == n && gate.waiting() == 1; }));
  }
  TestClient fourth = server.connect();
  ASSERT_TRUE(fourth.send(post("hello")));
  EXPECT_EQ(fourth.read_all(), "503 too many requests at once\n");
  gate.open();
  for (TestClient& client : clients) EXPECT_EQ(client.read_to("]"), "[hello]");
}

TEST(ConnectionLimits, ARequestThatWaitedTooLongIsRefused) {
  ConnectionLimits limits;
  limits.queue_time = std::chrono::milliseconds(0);
  TestServer server(limits);
  server.start();
  TestClient client = server.connect();
  ASSERT_TRUE(client.send(post("hello")));
  EXPECT_EQ(client.read_all(), "503 too busy\n");
}

TEST(ConnectionLimits, ClientsHaveSoMuchTime) {
  ConnectionLimits limits;
  limits.request_time = limits.idle_time = std::chrono::milliseconds(100);
  constexpr std::size_t kLarge = 20 * kMegabyte;
  TestServer server(limits);
  server.handlers.answer = [&](const std::string&, const std::string&) {
    return Reply{std::string(kLarge, 'a'), false};
  };
  server.start();
  TestClient sending = server.connect(), idle = server.connect(), taking = server.connect();
  ASSERT_TRUE(sending.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel"));
  ASSERT_TRUE(taking.send(post("hello")));
  EXPECT_EQ(sending.read_all(), "408 the request took too long to come in\n");
  EXPECT_EQ(idle.read_all(), "");
  sending.close();
  EXPECT_TRUE(eventually([&] { return server.counts().open == 0; }));
  EXPECT_LT(taking.read_all().size(), kLarge) << "it did not take its answer";
  EXPECT_GE(server.counts().timed_out, 2u);
}

/// Lets this process open no more files than it has.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    const Descriptor next(::dup(0));
    none.rlim_cur = static_cast<rlim_t>(next.get());
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(ConnectionLimits, WithoutFilesItPausesInsteadOfAskingAgainAndAgain) {
  ConnectionLimits limits;
  limits.accept_pause = std::chrono::hours(1);
  TestServer server(limits);
  server.start();
  TestClient first = server.connect(), second = server.connect();
  ASSERT_TRUE(eventually([&] { return server.counts().open == 2; }));
  std::optional<NoMoreFiles> no_more;
  TestClient third(server.port(), [&] { no_more.emplace(); });
  ASSERT_TRUE(eventually([&] { return server.counts().not_accepted == 1; }));
  for (int n = 0; n < 50; ++n) {  // each wakes the server up
    ASSERT_TRUE(first.send(post("hello")));
    EXPECT_EQ(first.read_to("]"), "[hello]");
  }
  EXPECT_EQ(server.counts().not_accepted, 1u);
  no_more.reset();
  second.close();  // there is a file again
  ASSERT_TRUE(third.send(post("hello")));
  EXPECT_EQ(third.read_to("]"), "[hello]");
}

TEST(ConnectionLimits, APauseEndsByItself) {
  ConnectionLimits limits;
  limits.accept_pause = std::chrono::milliseconds(1);
  TestServer server(limits);
  server.start();
  TestClient first(
      server.port());  // all threads run: a sanitizer looks at what they start with, and needs files for that
  ASSERT_TRUE(first.send(post("first")));
  EXPECT_EQ(first.read_to("]"), "[first]");
  std::optional<NoMoreFiles> no_more;
  TestClient client(server.port(), [&] { no_more.emplace(); });
  ASSERT_TRUE(eventually([&] { return server.counts().not_accepted >= 2; }));
  no_more.reset();
  ASSERT_TRUE(client.send(post("hello")));
  EXPECT_EQ(client.read_to("]"), "[hello]");
}

TEST(Connections, AClientAtItsLimitIsToldAndOthersAreNot) {
  ConnectionLimits limits;
  limits.client_work = 2;
  Gate gate;
  TestServer server(limits);
  server.handlers.answer = [&](const std::string& request, const std::string&) {
    gate.wait();
    return Reply{TestServer::echo(request), false};
  };
  server.handlers.client = [](std::string_view request, const std::string&) {
    return std::string(request.substr(request.size() - 1));  // the body's last letter
  };
  server.start();
  TestClient first = server.connect(), second = server.connect(), third = server.connect(), other = server.connect();
  ASSERT_TRUE(first.send(post("1a")) && second.send(post("2a")));
  ASSERT_TRUE(eventually([&] { return server.counts().waiting == 2; }));
  ASSERT_TRUE(third.send(post("3a")));
  EXPECT_EQ(third.read_to("\n"), "429 too many requests of one client\n");
  EXPECT_EQ(server.counts().limited, 1u);
  ASSERT_TRUE(other.send(post("1b")));
  gate.open();
  EXPECT_EQ(other.read_to("]"), "[1b]");
  EXPECT_EQ(first.read_to("]") + second.read_to("]"), "[1a][2a]");
  ASSERT_TRUE(third.send(post("4a"))) << "its connection stays";
  EXPECT_EQ(third.read_to("]"), "[4a]");
}

TEST(Connections, AClientThatAsksTooMuchHearsSoLaterAndOthersDoNotWaitForThat) {
  ConnectionLimits limits;
  limits.client_rate = 0.25;  // one at once
  limits.limited_pause = std::chrono::milliseconds(300);
  TestServer server(limits);
  server.handlers.client = [](std::string_view request, const std::string&) {
    return std::string(request.substr(request.size() - 1));
  };
  server.start();
  TestClient first = server.connect(), gone = server.connect(), other = server.connect();
  ASSERT_TRUE(first.send(post("1a")));
  EXPECT_EQ(first.read_to("]"), "[1a]");
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(first.send(post("2a") + post("3a")) && gone.send(post("4a")));
  ASSERT_TRUE(eventually([&] { return server.counts().limited == 2; }));
  gone.reset();
  EXPECT_TRUE(eventually([&] { return server.counts().open == 2; })) << "who has gone is forgotten";
  ASSERT_TRUE(other.send(post("1b")));
  EXPECT_EQ(other.read_to("]"), "[1b]");
  EXPECT_EQ(first.read_to("\n"), "429 too many requests of one client\n");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, limits.limited_pause);
  EXPECT_EQ(first.read_to("\n"), "429 too many requests of one client\n") << "and the next one is answered";
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 2 * limits.limited_pause);
  ASSERT_TRUE(first.send(post("5a", "Connection: close\r\n")));
  EXPECT_EQ(first.read_all(), "429 too many requests of one client\n") << "who waits for the end is not kept waiting";
}

TEST(Connections, ClientsTakeTurns) {
  Gate gate;
  std::mutex mutex;
  std::string order;
  TestServer server;
  server.handlers.answer = [&](const std::string& request, const std::string&) {
    gate.wait();
    const std::lock_guard lock(mutex);
    order += request.back();
    return Reply{TestServer::echo(request), false};
  };
  server.handlers.client = [](std::string_view request, const std::string&) {
    return std::string(request.substr(request.size() - 1));
  };
  server.start();
  std::vector<TestClient> clients;
  for (const char* const body : {"1a", "2a", "3a", "4a", "1b", "1c"}) {
    ASSERT_TRUE(clients.emplace_back(server.connect()).send(post(body)));
    ASSERT_TRUE(eventually([&] { return server.counts().waiting == clients.size() && gate.waiting() == 1; }));
  }
  gate.open();
  for (TestClient& client : clients) EXPECT_NE(client.read_to("]"), "");
  EXPECT_EQ(order, "aabcaa") << "one is at work when the others come";
}

}  // namespace
}  // namespace idne
