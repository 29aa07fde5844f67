#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "serve/connections.h"
#include "serve/serve_test_clients.h"

namespace idne {
namespace {

TEST(ConnectionTrouble, WhateverAnAnswerThrowsIsAnswered) {
  TestServer server;
  server.handlers.answer = [](const std::string& request, const std::string&) -> Reply {
    if (request.ends_with("memory")) throw std::bad_alloc();
    if (request.ends_with("error")) throw std::runtime_error("a secret");
    if (request.ends_with("number")) throw 7;
    return {TestServer::echo(request), false};
  };
  server.handlers.is_quick = [](std::string_view request) {
    return request.find("\r\n\r\nquick") != std::string::npos;
  };
  server.start();
  const auto answer_to = [&](std::string_view body) {
    TestClient client = server.connect();
    EXPECT_TRUE(client.send(post(body)));
    client.end_sending();
    return client.read_all();
  };
  for (const std::string how : {"", "quick "}) {
    EXPECT_EQ(answer_to(how + "memory"), "503 not enough memory\n");
    EXPECT_EQ(answer_to(how + "error"), "500 the server could not answer this\n");
    EXPECT_EQ(answer_to(how + "number"), "500 the server could not answer this\n");
    EXPECT_EQ(answer_to(how + "good"), "[" + how + "good]");
  }
  EXPECT_EQ(server.counts().failed, 6u);
}

TEST(ConnectionTrouble, WithoutMemoryForARefusalTheConnectionEnds) {
  TestServer server;
  server.handlers.refuse = [](int, const std::string&, int, const std::string&) -> std::string {
    throw std::bad_alloc();
  };
  server.handlers.answer = [](const std::string& request, const std::string&) -> Reply {
    if (request.ends_with("memory")) throw std::bad_alloc();
    return {TestServer::echo(request), false};
  };
  server.start();
  TestClient broken = server.connect(), failing = server.connect(), good = server.connect();
  ASSERT_TRUE(broken.send("no request\r\n\r\n"));
  EXPECT_EQ(broken.read_all(), "");
  ASSERT_TRUE(failing.send(post("memory")));
  EXPECT_EQ(failing.read_all(), "");
  ASSERT_TRUE(good.send(post("good")));
  EXPECT_EQ(good.read_to("]"), "[good]");
}

TEST(ConnectionTrouble, WithoutMemoryInItsLoopTheServerGoesOnAndCanBeStopped) {
  TestServer server;
  server.handlers.is_quick = [](std::string_view request) -> bool {
    if (request.ends_with("memory")) throw std::bad_alloc();
    return false;
  };
  server.start();
  TestClient asking = server.connect(), good = server.connect();
  ASSERT_TRUE(asking.send(post("memory")));
  EXPECT_EQ(asking.read_all(), "");
  ASSERT_TRUE(good.send(post("good")));
  EXPECT_EQ(good.read_to("]"), "[good]");
  EXPECT_EQ(server.counts().failed, 1u);
  EXPECT_EQ(server.counts().buffered, 0u);
  EXPECT_TRUE(server.stop());
}

TEST(ConnectionEnd, AQuietServerEndsThoughClientsAreThere) {
  TestServer server;
  server.start();
  TestClient never = server.connect(), once = server.connect();
  ASSERT_TRUE(once.send(post("hello")));
  EXPECT_EQ(once.read_to("]"), "[hello]");
  EXPECT_TRUE(server.stop());
  EXPECT_EQ(never.read_all(), "");
  EXPECT_EQ(once.read_all(), "");
  EXPECT_THROW(server.connect(), std::runtime_error);
}

TEST(ConnectionEnd, RequestsThatHaveBegunAreAnswered) {
  Gate gate;
  TestServer server;
  server.handlers.answer = [&](const std::string& request, const std::string&) {
    gate.wait();
    return Reply{TestServer::echo(request), false};
  };
  server.start();
  TestClient first = server.connect(), second = server.connect(), third = server.connect();
  ASSERT_TRUE(first.send(post("first")));
  ASSERT_TRUE(second.send(post("second")));
  ASSERT_TRUE(third.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nth"));
  ASSERT_TRUE(eventually([&] { return server.counts().waiting == 2 && gate.waiting() == 1; }));
  server.ask_to_stop();
  ASSERT_TRUE(eventually([&] {
    try {
      (void)server.connect();
      return false;
    } catch (const std::runtime_error&) {
      return true;
    }
  })) << "nobody new is taken in";
  gate.open();
  EXPECT_EQ(first.read_all(), "[first]");
  EXPECT_EQ(second.read_all(), "[second]");
  ASSERT_TRUE(third.send("ird"));
  EXPECT_EQ(third.read_all(), "[third]");
  EXPECT_TRUE(server.stop());
}

TEST(ConnectionEnd, AnAnswerThatTakesTooLongKeepsNobody) {
  ConnectionLimits limits;
  limits.grace = std::chrono::milliseconds(50);
  Gate gate;
  TestServer server(limits);
  server.handlers.answer = [&](const std::string&, const std::string&) {
    gate.wait();
    return Reply{"done", false};
  };
  server.start();
  TestClient first = server.connect(), second = server.connect();
  ASSERT_TRUE(first.send(post("first")));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  ASSERT_TRUE(second.send(post("second")));
  ASSERT_TRUE(eventually([&] { return server.counts().waiting == 2; }));
  EXPECT_FALSE(server.stop());
  EXPECT_EQ(gate.waiting(), 1) << "it is still at work";
  EXPECT_EQ(first.read_all(), "");
  EXPECT_EQ(second.read_all(), "");
  gate.open();
}

TEST(ConnectionEnd, AClientThatIsGoneIsNotWaitedFor) {
  ConnectionLimits limits;
  limits.grace = std::chrono::hours(1);
  Gate gate;
  TestServer server(limits);
  server.handlers.answer = [&](const std::string&, const std::string&) {
    gate.wait();
    return Reply{"done", false};
  };
  server.start();
  TestClient client = server.connect();
  ASSERT_TRUE(client.send(post("hello")));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  client.reset();
  ASSERT_TRUE(eventually([&] { return server.counts().open == 0; }));
  EXPECT_FALSE(server.stop());
  gate.open();
}

}  // namespace
}  // namespace idne
