#include "serve/guard.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

int status_for_host(std::string_view host, const ServeOptions& options = {}) {
  return Guard(options).check({"GET", "/", host, "", ""}).status;
}

TEST(Guard, NamesAndAddressesOfThisMachineMayAsk) {
  for (const char* host : {"localhost", "localhost:8080", "LOCALHOST", "LocalHost:1", "localhost.", "localhost.:8080",
                           "127.0.0.1", "127.0.0.1:8080", "127.1.2.3", "127.255.255.255:65535", "[::1]", "[::1]:8080",
                           "::1", "[0:0:0:0:0:0:0:1]", "localhost:", ""}) {
    EXPECT_EQ(status_for_host(host), 0) << host;
  }
}

TEST(Guard, NamesThatOnlyLookLikeThisMachineMayNot) {
  for (const char* host : {"127.evil.example",
                           "127.0.0.1.evil.example",
                           "127.0.0.1.evil.example:8080",
                           "127.",
                           "127.1",
                           "127.0.0.01",
                           "127.0.0.1.1",
                           "128.0.0.1",
                           "0127.0.0.1",
                           "evil.example",
                           "localhost.evil.example",
                           "evil-localhost",
                           "localhost..",
                           "evil@localhost",
                           "localhost:80@evil.example",
                           "localhost:8080:1",
                           "127.0.0.1 evil.example",
                           "[::1].evil.example",
                           "[::1]evil",
                           "[::2]",
                           "[::1",
                           "::2",
                           "[127.0.0.1]",
                           "[localhost]",
                           "[]",
                           "[",
                           ":",
                           ":80",
                           "0.0.0.0",
                           "::",
                           "[::ffff:127.0.0.1]",
                           "localhost,evil.example"}) {
    EXPECT_EQ(status_for_host(host), 403) << host;
  }
}

TEST(Guard, OtherNamesMayBeAllowed) {
  ServeOptions options;
  options.hosts = {"docs.example"};
  EXPECT_EQ(status_for_host("docs.example", options), 0);
  EXPECT_EQ(status_for_host("Docs.Example.:443", options), 0);
  EXPECT_EQ(status_for_host("docs.example.evil.example", options), 403);
}

TEST(Guard, AServerForOthersTakesAnyName) {
  ServeOptions options;
  options.host = "0.0.0.0";
  EXPECT_EQ(status_for_host("evil.example", options), 0);
}

TEST(Guard, ATokenIsNeededForTheApiAndTheMetricsAlone) {
  ServeOptions options;
  options.tokens = {{"", "correct-horse", true}};
  const Guard guard(options);
  const auto status = [&](std::string_view path, std::string_view authorization) {
    return guard.check({"GET", path, "localhost", "", authorization}).status;
  };
  for (const char* given : {"", "Bearer ", "Bearer wrong", "Bearer correct-hors", "Bearer correct-horse-",
                            "Basic correct-horse", "correct-horse"}) {
    EXPECT_EQ(status("/api/v1/info", given), 401) << given;
    EXPECT_EQ(status("/metrics", given), 401) << given;
    EXPECT_EQ(status("/", given), 0) << given;
    EXPECT_EQ(status("/healthz", given), 0) << given;
  }
  for (const char* given :
       {"Bearer correct-horse", "bearer correct-horse", "BEARER correct-horse", "Bearer  correct-horse"}) {
    EXPECT_EQ(status("/api/v1/info", given), 0) << given;
  }
  EXPECT_EQ(status("/api/v1/info", "bearer Correct-horse"), 401);
}

TEST(Guard, TokensHaveNamesAndRights) {
  ServeOptions options;
  options.tokens = {{"reader", "correct-horse", false}, {"editor", "battery-staple", true}};
  const Guard guard(options);
  const auto verdict = [&](std::string_view path, std::string_view authorization) {
    return guard.check({"POST", path, "localhost", "", authorization});
  };
  EXPECT_EQ(verdict("/api/v1/suggest", "Bearer correct-horse").user, "reader");
  EXPECT_EQ(verdict("/api/v1/feedback", "Bearer correct-horse").status, 403);
  EXPECT_EQ(verdict("/api/v1/feedback", "Bearer battery-staple").status, 0);
  EXPECT_EQ(verdict("/api/v1/feedback", "Bearer battery-staple").user, "editor");
  EXPECT_EQ(verdict("/api/v1/feedback", "Bearer nobody-knows").status, 401);
  EXPECT_EQ(verdict("/api/v1/feedback", "").status, 401);
}

TEST(Guard, ATrustedProxyTellsWhoAsks) {
  ServeOptions options;
  options.proxies = {"127.0.0.1", "10.0.0.9"};
  const Guard guard(options);
  EXPECT_EQ(guard.client("127.0.0.1", "203.0.113.7"), "203.0.113.7");
  EXPECT_EQ(guard.client("127.0.0.1", "1.2.3.4, 203.0.113.7, 10.0.0.9"), "203.0.113.7")
      << "what a client wrote is not believed";
  EXPECT_EQ(guard.client("127.0.0.1", "2001:db8::1"), "2001:db8::1");
  EXPECT_EQ(guard.client("127.0.0.1", ""), "127.0.0.1");
  EXPECT_EQ(guard.client("127.0.0.1", "a\"b"), "127.0.0.1");
  EXPECT_EQ(guard.client("198.51.100.1", "203.0.113.7"), "198.51.100.1") << "a stranger";
  EXPECT_EQ(Guard(ServeOptions{}).client("127.0.0.1", "203.0.113.7"), "127.0.0.1");
}

TEST(Guard, OnlyPagesThatAreNamedMayReadAnswers) {
  ServeOptions options;
  options.origins = {"https://a.example"};
  options.tokens = {{"", "correct-horse", true}};
  const Guard guard(options);
  const auto verdict = [&](std::string_view method, std::string_view origin) {
    return guard.check({method, "/api/v1/similar", "localhost", origin, ""});
  };
  EXPECT_EQ(verdict("OPTIONS", "https://a.example").status, 204) << "asks before it sends the token";
  EXPECT_TRUE(verdict("OPTIONS", "https://a.example").shared);
  EXPECT_TRUE(verdict("POST", "https://a.example").shared);
  EXPECT_EQ(verdict("POST", "https://a.example").status, 401);
  EXPECT_FALSE(verdict("POST", "https://b.example").shared);
  EXPECT_EQ(verdict("OPTIONS", "https://b.example").status, 401);
  EXPECT_FALSE(verdict("POST", "").shared);
}

TEST(Guard, OtherPagesCannotLeaveFeedback) {
  ServeOptions options;
  options.origins = {"https://a.example"};
  const Guard guard(options);
  const auto status = [&](std::string_view path, std::string_view origin) {
    return guard.check({"POST", path, "localhost:8080", origin, ""}).status;
  };
  for (const char* origin : {"", "http://localhost:8080", "https://localhost:8080", "https://a.example"}) {
    EXPECT_EQ(status("/api/v1/feedback", origin), 0) << origin;
  }
  for (const char* origin : {"null", "http://localhost", "http://localhost:8081", "https://b.example", "localhost:8080",
                             "http://localhost:8080.b.example"}) {
    EXPECT_EQ(status("/api/v1/feedback", origin), 403) << origin;
    EXPECT_EQ(status("/api/v1/similar", origin), 0) << origin;
  }
}

}  // namespace
}  // namespace idne
