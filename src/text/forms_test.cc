#include "text/forms.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

/// The form of the word that is matched as `word`.
std::string form_in(std::string_view text, std::string_view word) {
  Tokenizer tokenizer;
  Token token;
  std::string scratch;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    if (token.word == word) return std::string(written_form(text, token, scratch));
  }
  return "(not there)";
}

TEST(Forms, AWordIsAsItIsWritten) {
  EXPECT_EQ(form_in("ein Gerät mit Kabel", "gerat"), "Gerät");
  EXPECT_EQ(form_in("a Bayesian network", "bayesian"), "Bayesian");
  EXPECT_EQ(form_in("a Bayesian network", "network"), "") << "its normal form";
}

TEST(Forms, TheBeginningOfASentenceIsSmall) {
  EXPECT_EQ(form_in("Networks learn.", "networks"), "");
  EXPECT_EQ(form_in("They learn. Networks do.", "networks"), "");
  EXPECT_EQ(form_in("Why? “Networks do.”", "networks"), "");
  EXPECT_EQ(form_in("Über alles", "uber"), "über");
  EXPECT_EQ(form_in("a list\n- Networks", "networks"), "");
  EXPECT_EQ(form_in("a paragraph\n\nNetworks", "networks"), "");
}

TEST(Forms, WhatIsWrittenSoEverywhereStays) {
  EXPECT_EQ(form_in("DNA is long.", "dna"), "DNA");
  EXPECT_EQ(form_in("by J. Smith", "smith"), "Smith") << "an initial's period ends no sentence";
  EXPECT_EQ(form_in("a line that\nParis breaks", "paris"), "Paris");
}

TEST(Forms, AreCountedByWord) {
  FormCounts counts;
  counts.add(3, "Gerät");
  counts.add(3, "Gerät", 2);
  counts.add(3, "GERÄT");
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.form(0), "Gerät");
  EXPECT_EQ(counts.count(0), 3u);
  EXPECT_EQ(counts.word(1), 3u);
}

TEST(Forms, ShownOnesFallBackOnTheNormalForm) {
  ShownForms forms;
  EXPECT_EQ(forms.of(7, "gerat"), "gerat");
  forms.set(7, "Gerät");
  EXPECT_EQ(forms.of(7, "gerat"), "Gerät");
  EXPECT_FALSE(forms.has(3));
  EXPECT_EQ(capitalised("élan"), "Élan");
  EXPECT_EQ(capitalised(""), "");
}

}  // namespace
}  // namespace idne
