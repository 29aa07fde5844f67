#include "idne/options.h"

#include <gtest/gtest.h>

#include "idne/error.h"
#include "idne/method.h"

namespace idne {
namespace {

const std::vector<OptionSpec> kTable{{"size", std::int64_t{5}, "how large", 1, 10, {}},
                                     {"share", 0.5, "how much", 0, 1, {}},
                                     {"kind", std::string("red"), "which", 0, 0, {"red", "blue"}}};

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

TEST(Methods, EveryOptionHasHelpAndADefaultInItsRange) {
  for (const Method* method : methods()) {
    Options options(method->options());
    for (const OptionSpec& spec : method->options()) {
      EXPECT_FALSE(spec.help.empty()) << spec.name;
      EXPECT_NO_THROW(options.set(spec.name, to_text(spec.fallback))) << spec.name;
    }
  }
}

TEST(Methods, AnUnknownOneIsAnErrorThatNamesTheKnown) {
  try {
    find_method("nosuch");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("idne"), std::string::npos);
  }
}

TEST(Options, PresetChangesWhatIsNotSetByNameInAnyOrder) {
  const std::vector<OptionSpec> table{
      {"preset", std::string("best"), "", 0, 0, {"best", "paper"}},
      {"steps", std::int64_t{1}, "", 0, 9, {}, std::int64_t{5}},
      {"rate", 0.5, "", 0, 1, {}, 0.25},
      {"same", std::int64_t{3}, "", 0, 9, {}},
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
