#include "serve/request_reader.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

using Kind = RequestState::Kind;

RequestState look(std::string_view bytes) { return look_at_request(bytes, 200, 50); }

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
  const auto status = [](std::string_view lines) {
    return look("POST / HTTP/1.1\r\n" + std::string(lines) + "\r\n\r\n").status;
  };
  EXPECT_EQ(status("Content-Length: 51"), 413);
  EXPECT_EQ(status("Content-Length: 99999999999999999999999"), 413);
  EXPECT_EQ(status("Content-Length: -1"), 400);
  EXPECT_EQ(status("Content-Length: 5 5"), 400);
  EXPECT_EQ(status("Content-Length: 5\r\nContent-Length: 6"), 400);
  EXPECT_EQ(status("Content-Length:"), 400);
  EXPECT_EQ(status("Transfer-Encoding: chunked"), 411);
  EXPECT_EQ(status("no colon"), 400);
  EXPECT_EQ(status(": no name"), 400);
  EXPECT_EQ(look(std::string("GET / HTTP/1.1\r\na: \0b\r\n\r\n", 25)).status, 400);
  EXPECT_EQ(look("\x16\x03\x01").status, 400) << "somebody speaks TLS";
  EXPECT_EQ(look("GET / HTTP/1.1\r\n" + std::string(200, 'a')).status, 431);
}

TEST(RequestReader, TellsWhoWaitsForAWord) {
  const std::string head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
  EXPECT_TRUE(look(head).expects_continue);
  EXPECT_EQ(look(head).kind, Kind::Incomplete);
  EXPECT_EQ(look(head + "hello").kind, Kind::Whole);
}

}  // namespace
}  // namespace idne
