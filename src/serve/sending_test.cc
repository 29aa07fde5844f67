#include "serve/sending.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(Sending, PacksForThoseWhoTakeThat) {
  for (const char* accepted :
       {"gzip", "GZIP", "x-gzip", "br, gzip;q=0.5", "deflate,gzip ; q=0.001", "*", "identity;q=0, *;q=0.1"}) {
    EXPECT_TRUE(takes_gzip(accepted)) << accepted;
  }
}

TEST(Sending, DoesNotPackForThoseWhoRefuseIt) {
  for (const char* accepted :
       {"", "br", "identity", "gzip;q=0", "gzip; Q=0.000", "*, gzip ; q=0", "*;q=0", "gzipped", ",;=,"}) {
    EXPECT_FALSE(takes_gzip(accepted)) << accepted;
  }
}

}  // namespace
}  // namespace idne
