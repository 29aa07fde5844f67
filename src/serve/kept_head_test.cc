#include "serve/kept_head.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(KeptHead, HasWhatHandlersUse) {
  const std::string head =
      "POST /a?b=c HTTP/1.1\r\nHost: localhost\r\nORIGIN: d\r\nauthorization: Bearer e\r\nConnection: close\r\n"
      "Content-Length: 5\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n";
  EXPECT_EQ(kept_head(head), head);
  EXPECT_EQ(kept_head("GET / HTTP/1.1\r\n\r\n"), "GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(kept_head("GET / HTTP/1.1\r\nHost:\r\nOrigin:\t a \r\n\r\n"),
            "GET / HTTP/1.1\r\nHost: \r\nOrigin: a\r\n\r\n");
}

TEST(KeptHead, HasNothingThatHttplibWouldActOnByItself) {
  for (const char* line : {"Range: bytes=0-,0-", "range: bytes=99999999999999999999999-", "Expect: 100-continue",
                           "Content-Encoding: identity", "Content-Type: multipart/form-data; boundary=x",
                           "Content-Type: application/x-www-form-urlencoded", "If-Range: a", "REMOTE_ADDR: forged",
                           "Idne-Accept-Encoding: forged", "Cookie: a"}) {
    EXPECT_EQ(kept_head("GET / HTTP/1.1\r\n" + std::string(line) + "\r\nHost: a\r\n\r\n"),
              "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        << line;
  }
  EXPECT_EQ(kept_head("GET / HTTP/1.1\r\nAccept-Encoding: gzip, br\r\n\r\n"),
            "GET / HTTP/1.1\r\nIdne-Accept-Encoding: gzip, br\r\n\r\n")
      << "it would pack every answer, and slowly";
}

TEST(KeptHead, TellsWhoSendsNoOtherRequest) {
  for (const char* head : {"GET / HTTP/1.1\r\nHost: a\r\nconnection: Close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
    EXPECT_TRUE(is_last_request(head)) << head;
  }
  for (const char* head : {"GET / HTTP/1.1\r\nHost: close\r\n\r\nConnection: close\r\n\r\n",
                           "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"}) {
    EXPECT_FALSE(is_last_request(head)) << head;
  }
}

}  // namespace
}  // namespace idne
