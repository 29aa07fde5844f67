#include "text/dates.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(Dates, AsPreciseAsTheyAreWritten) {
  EXPECT_EQ(date_number("2015"), 20150000);
  EXPECT_EQ(date_number("2015-03"), 20150300);
  EXPECT_EQ(date_number("2015-03-04"), 20150304);
  EXPECT_EQ(date_number("20150304"), 20150304);
  EXPECT_EQ(date_number("2015/03/04"), 20150304);
  EXPECT_EQ(date_number(" 2015-03-04\n"), 20150304);
}

TEST(Dates, TimesArePassedOver) {
  for (const char* text : {"2015-03-04T05:06:07", "2015-03-04T05:06:07.123Z", "2015-03-04 05:06", "20150304T050607Z",
                           "2015-03-04T05:06:07+02:00", "2015-03-04 05:06:07 UTC"}) {
    EXPECT_EQ(date_number(text), 20150304) << text;
  }
}

TEST(Dates, WhatIsNoneIsNone) {
  for (const char* text :
       {"", "15", "March 4, 2015", "2015-13", "2015-02-30", "2015-00-01", "0000", "201503", "2015-3-4", "2015-03/04",
        "2015-03-04x", "2015-03-04T", "20151", "-2015", "2015-", "2015-03-04 or so"}) {
    EXPECT_EQ(date_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(date_number("2016-02-29"), 20160229);
  EXPECT_EQ(date_number("1900-02-29"), std::nullopt);
}

TEST(Dates, AreWrittenAsTheyWereRead) {
  for (const char* text : {"2015", "2015-03", "2015-03-04", "0800-12-25"})
    EXPECT_EQ(iso_date(*date_number(text)), text);
}

}  // namespace
}  // namespace idne
