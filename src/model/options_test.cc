#include "idne/options.h"

#include <gtest/gtest.h>

#include "idne/error.h"

namespace idne {
namespace {

const std::vector<OptionSpec> kTable{OptionSpec::whole("size", 5, "how large").within(1, 10),
                                     OptionSpec::real("share", 0.5, "how much").within(0, 1),
                                     OptionSpec::choice("kind", {"red", "blue"}, "which")};

TEST(Options, BeginWithTheDefaults) {
  const Options options(kTable);
  EXPECT_EQ(options.integer("size"), 5);
  EXPECT_EQ(options.real("share"), 0.5);
  EXPECT_EQ(options.text("kind"), "red");
}

TEST(Options, TakeWhatIsInRange) {
  Options options(kTable);
  options.set("size", "10");
  options.set("share", "0.125");
  options.set("kind", "blue");
  EXPECT_EQ(options.integer("size"), 10);
  EXPECT_EQ(options.real("share"), 0.125);
  EXPECT_EQ(options.text("kind"), "blue");
}

TEST(Options, RefuseTheRestAndSayWhatWouldBeRight) {
  Options options(kTable);
  for (const auto& [name, text] : {std::pair{"size", "0"},
                                   {"size", "11"},
                                   {"size", "3.5"},
                                   {"size", "many"},
                                   {"size", ""},
                                   {"size", "99999999999999999999"},
                                   {"share", "nan"},
                                   {"share", "1.01"},
                                   {"share", "-0.1"},
                                   {"kind", "green"},
                                   {"no-such", "1"}}) {
    try {
      options.set(name, text);
      FAIL() << name << "=" << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("--") + name), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(options.integer("size"), 5);
}

TEST(Options, FlagsAndListsAreOptionsToo) {
  const std::vector<OptionSpec> table{
      OptionSpec::flag("strict", ""), OptionSpec::list("links", "").separated_by(','), OptionSpec::list("FILE", ""),
      OptionSpec::list("colours", "").one_of({"red", "blue"}).by_default(std::vector<std::string>{"red"})};
  Options options(table);
  EXPECT_FALSE(options.flag("strict"));
  EXPECT_EQ(options.list("colours"), std::vector<std::string>{"red"});
  options.set("strict", "");
  options.set("links", "a,b");
  options.set("links", "c");
  options.set("FILE", "x,y");
  options.set("colours", "blue");
  EXPECT_TRUE(options.flag("strict"));
  EXPECT_EQ(options.list("links"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(options.list("FILE"), std::vector<std::string>{"x,y"});
  EXPECT_EQ(options.list("colours"), std::vector<std::string>{"blue"}) << "the default makes way";
  EXPECT_TRUE(options.given("links"));
  EXPECT_THROW(options.set("strict", "perhaps"), Error);
  EXPECT_THROW(options.set("colours", "green"), Error);
  EXPECT_EQ(table[2].written(), "FILE");
  EXPECT_EQ(OptionSpec::whole("k", 1, "").written(), "-k");
}

TEST(Options, PresetChangesWhatIsNotSetByNameInAnyOrder) {
  const std::vector<OptionSpec> table{
      OptionSpec::choice("preset", {"best", "paper"}, ""),
      OptionSpec::whole("steps", 1, "").within(0, 9).in_the_paper(std::int64_t{5}),
      OptionSpec::real("rate", 0.5, "").within(0, 1).in_the_paper(0.25),
      OptionSpec::whole("same", 3, "").within(0, 9),
  };
  Options before(table), after(table);
  before.set("preset", "paper"), before.set("rate", "0.75");
  after.set("rate", "0.75"), after.set("preset", "paper");
  for (const Options& options : {before, after}) {
    EXPECT_EQ(options.integer("steps"), 5);
    EXPECT_EQ(options.real("rate"), 0.75);
    EXPECT_EQ(options.integer("same"), 3);
  }
  after.set("preset", "best");
  EXPECT_EQ(after.integer("steps"), 1);
  EXPECT_THROW(after.set("preset", "worst"), Error);
  EXPECT_TRUE(after.has("rate"));
  EXPECT_FALSE(after.has("topics"));
}

}  // namespace
}  // namespace idne
