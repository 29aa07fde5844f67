#include "methods/method.h"

#include <gtest/gtest.h>

#include "idne/error.h"

namespace idne {
namespace {

TEST(Methods, EveryOptionHasHelpAndADefaultInItsRange) {
  for (const Method* method : methods()) {
    Options options(training_options(*method));
    EXPECT_TRUE(options.has("neighbours")) << method->name();
    for (const OptionSpec& spec : options.table()) {
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

}  // namespace
}  // namespace idne
