#include "serve/request_reader.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

using Kind = RequestState::Kind;

RequestState look(std::string_view bytes) { return look_at_request(bytes, 200, 50); }

int status_of(std::string_view lines) { return look("GET / HTTP/1.1\r\n" + std::string(lines) + "\r\n\r\n").status; }

TEST(RequestReader, FindsTheEndOfARequest) {
  const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t size = 0; size < get.size(); ++size)
    EXPECT_EQ(look(get.substr(0, size)).kind, Kind::Incomplete) << size;
  EXPECT_EQ(look(get).kind, Kind::Whole);
  EXPECT_EQ(look(get + get).size, get.size());

  const std::string post = "POST / HTTP/1.1\r\nCONTENT-length:  5 \r\n\r\nhello";
  for (std::size_t size = 1; size < post.size(); ++size)
    EXPECT_EQ(look(post.substr(0, size)).kind, Kind::Incomplete) << size;
  EXPECT_EQ(look(post + "GET").size, post.size());
}

TEST(RequestReader, RefusesWhatItCannotTrust) {
  EXPECT_EQ(status_of("Content-Length: 51"), 413);
  EXPECT_EQ(status_of("Content-Length: 99999999999999999999999"), 413);
  EXPECT_EQ(status_of("Content-Length: -1"), 400);
  EXPECT_EQ(status_of("Content-Length: 5 5"), 400);
  EXPECT_EQ(status_of("Content-Length: 5\r\nContent-Length: 6"), 400);
  EXPECT_EQ(status_of("Content-Length:"), 400);
  EXPECT_EQ(status_of("Transfer-Encoding: chunked"), 411);
  EXPECT_EQ(look("POST / HTTP/1.1\r\nHost: a\r\n\r\n").status, 411);
  EXPECT_EQ(status_of("no colon"), 400);
  EXPECT_EQ(status_of(": no name"), 400);
  EXPECT_EQ(look(std::string("GET / HTTP/1.1\r\na: \0b\r\n\r\n", 25)).status, 400);
  EXPECT_EQ(look("\x16\x03\x01").status, 400) << "somebody speaks TLS";
  EXPECT_EQ(look("GET / HTTP/1.1\r\n" + std::string(200, 'a')).status, 431);
}

TEST(RequestReader, RefusesWhatAProxyMightReadInAnotherWay) {
  for (const char* lines : {"Content-Length : 2",
                            "Content-Length\t: 2",
                            " Content-Length: 2",
                            "Host: a\r\n Content-Length: 2",
                            "Host: a\r\n\tfolded",
                            "Content-Length: 1\r\nContent-Length: 2",
                            "Content-Length: 2, 2",
                            "Content-Length: +2",
                            "Content-Length: 0x2",
                            "Content-Length: 2 ;",
                            "Content-Length: \v2",
                            "Content-Length: 2\f",
                            "Content\"Length: 2",
                            "Content(Length): 2",
                            "Content[Length]: 2",
                            "\xC3\xA9: 2",
                            "Host: a\nContent-Length: 2",
                            "Host: a\rContent-Length: 2",
                            "Host: a\r\r\nContent-Length: 2",
                            "Host: a\n",
                            "Host: a\x01",
                            "Host: a\x7F",
                            "Host: a\r\nHost: b",
                            "\r"}) {
    EXPECT_EQ(status_of(lines), 400) << lines;
  }
  EXPECT_EQ(status_of("Content-Length: 0\r\nContent-Length: 0"), 0) << "the same twice is no doubt";
  EXPECT_EQ(status_of("X-!#$%&'*+-.^_`|~09: \t caf\xC3\xA9 \t"), 0);
}

TEST(RequestReader, RefusesFirstLinesThatAreNotPlain) {
  for (const char* line :
       {"GET", "GET /", "GET / ", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", "GET /a b HTTP/1.1",
        "GET\t/ HTTP/1.1", "GET /\ta HTTP/1.1", "GET / HTTP/2.0", "GET / HTTP/1.2", "GET / http/1.1", "G(T / HTTP/1.1",
        "GET /\x01 HTTP/1.1", "GET /\n HTTP/1.1", "GET /\r HTTP/1.1"}) {
    EXPECT_EQ(look(std::string(line) + "\r\nHost: a\r\n\r\n").status, 400) << line;
  }
  EXPECT_EQ(look("GET /caf\xC3\xA9?q=%20 HTTP/1.0\r\n\r\n").kind, Kind::Whole);
}

TEST(RequestReader, RefusesLinesThatDoNotEndAsTheyShouldAtOnce) {
  EXPECT_EQ(look("GET / HTTP/1.1\n").status, 400);
  EXPECT_EQ(look("GET / HTTP/1.1\rH").status, 400);
  EXPECT_EQ(look("GET / HTTP/1.1\r").kind, Kind::Incomplete);
}

TEST(RequestReader, RefusesPackedBodies) {
  for (const char* value : {"gzip", "GZIP", "deflate", "br", "identity, gzip", "gzip, identity", "x"}) {
    EXPECT_EQ(status_of("Content-Encoding: " + std::string(value)), 415) << value;
  }
  EXPECT_EQ(status_of("Content-Encoding: identity\r\nContent-Encoding: gzip"), 415);
  EXPECT_EQ(status_of("Content-Encoding: Identity"), 0);
  EXPECT_EQ(status_of("Content-Encoding:"), 0);
}

TEST(RequestReader, TellsTheSizeOnceTheHeadIsThere) {
  const std::string head = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n";
  EXPECT_EQ(look(head.substr(0, head.size() - 1)).size, 0u);
  EXPECT_EQ(look(head).size, head.size() + 5);
}

TEST(RequestReader, TellsWhoWaitsForAWord) {
  const std::string head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
  EXPECT_TRUE(look(head).expects_continue);
  EXPECT_EQ(look(head).kind, Kind::Incomplete);
  EXPECT_EQ(look(head + "hello").kind, Kind::Whole);
}

}  // namespace
}  // namespace idne
