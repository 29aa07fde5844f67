#include <functional>
#include <limits>

#include "model_files.h"

/// A file whose form is right, and which would still lead astray whoever takes it at its word, is an Error that says
/// why.
namespace idne {
namespace {

struct Nonsense {
  const char* name;
  std::function<void(Forgery&)> change;
  const char* told;  ///< part of the message
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

std::function<void(Forgery&)> with_float(const std::string& tensor, float value) {
  return [=](Forgery& f) { f.set(tensor, 0, value); };
}
std::function<void(Forgery&)> with_text(const std::string& key, const std::string& text) {
  return [=](Forgery& f) { f.metadata()[key] = text; };
}
std::function<void(Forgery&)> with_options(const std::string& options) { return with_text("options", options); }
/// Each joined with itself alone, over one hop.
void join_documents(Forgery& f) {
  f.replace("documents.vectors", "F32", {3, 4}, std::string(48, '\0'));
  f.replace("documents.hop_vectors", "F32", {3, 2}, std::string(24, '\0'));
  f.replace("documents.spectral_scaling", "F32", {4, 2}, std::string(32, '\0'));
}
/// Bags of the three documents: each has both words, so often.
std::function<void(Forgery&)> with_counts(std::int32_t count) {
  return [=](Forgery& f) {
    f.replace("documents.words.offsets", "I64", {4}, bytes_of(std::vector<std::int64_t>{0, 2, 4, 6}));
    f.replace("documents.words.values", "I32", {6}, bytes_of(std::vector<std::int32_t>{0, 1, 0, 1, 0, 1}));
    f.replace("documents.words.counts", "I32", {6}, bytes_of(std::vector<std::int32_t>(6, count)));
  };
}
std::function<void(Forgery&)> with_links(std::vector<std::int64_t> offsets, std::vector<std::int32_t> values) {
  return [=](Forgery& f) {
    f.replace("documents.links.offsets", "I64", {offsets.size()}, bytes_of(offsets));
    f.replace("documents.links.values", "I32", {values.size()}, bytes_of(values));
  };
}

const std::vector<Nonsense>& nonsense() {
  static const std::vector<Nonsense> all{
      {"WordVectorsOfNan", with_float("words.vectors", kNan), "words.vectors has values that are not numbers"},
      {"WordVectorsOfInfinity", with_float("words.vectors", -kInfinity), "words.vectors has"},
      {"DocumentVectorsOfNan", with_float("documents.vectors", kNan), "documents.vectors has"},
      {"TopicVectorsOfInfinity", with_float("topics.vectors", kInfinity), "topics.vectors has"},
      {"SharesOfNan", with_float("topics.shares", kNan), "topics.shares has"},
      {"SharesBelowNothing", with_float("topics.shares", -0.5f), "topics.shares has negative"},
      {"LabelWeightsOfNan",
       [](Forgery& f) {
         f.replace("labels.weights", "F32", {2, 3}, bytes_of(std::vector<float>(6, kNan)));
       },
       "labels.weights has"},
      {"WordVectorsTooLong", with_float("words.vectors", -3e38f), "words.vectors has values beyond ±1e+12"},
      {"DocumentVectorsTooLong", with_float("documents.vectors", 1e30f), "documents.vectors has values beyond"},
      {"TopicVectorsTooLong", with_float("topics.vectors", 1.1e12f), "topics.vectors has values beyond"},
      {"LabelWeightsTooLarge",
       [](Forgery& f) {
         f.replace("labels.weights", "F32", {2, 3}, bytes_of(std::vector<float>(6, 3e38f)));
       },
       "labels.weights has values beyond"},
      {"LayersTooLarge",
       [](Forgery& f) {
         f.replace("hidden.weights", "F32", {2, 1}, bytes_of(std::vector<float>(2, 2e6f)));
         f.replace("hidden.bias", "F32", {1}, std::string(4, '\0'));
         f.replace("mean.weights", "F32", {1, 2}, std::string(8, '\0'));
         f.replace("mean.bias", "F32", {2}, std::string(8, '\0'));
       },
       "hidden.weights has values beyond ±1e+06"},
      {"LinkWeightsTooLarge",
       [](Forgery& f) {
         with_links({0, 1, 2, 2}, {1, 0})(f);
         f.replace("documents.link_weights", "F32", {2}, bytes_of(std::vector<float>(2, 1e30f)));
       },
       "documents.link_weights has values beyond"},
      {"NoTopics",
       [](Forgery& f) {
         f.replace("topics.vectors", "F32", {0, 2}, "");
         for (const char* name : {"topics.shares", "topics.npmi"}) f.replace(name, "F32", {0}, "");
       },
       "there are no topics"},
      {"TopicsWithoutEnd",
       [](Forgery& f) {
         f.replace("topics.vectors", "F32", {4097, 2}, std::string(8 * 4097, '\0'));
         for (const char* name : {"topics.shares", "topics.npmi"}) {
           f.replace(name, "F32", {4097}, std::string(4 * 4097, '\0'));
         }
       },
       "there are 4097 topics, and 4096 at most"},
      {"UnknownMethod", with_text("method", "x"), "its method is 'x'"},
      {"NoMethod", with_text("method", ""), "its method is ''"},
      {"MethodWithoutItsIdf", with_text("method", "lsa"), "words.idf is missing, which the method lsa needs"},
      {"MethodWithoutItsLayers",
       [](Forgery& f) {
         f.metadata()["method"] = "graph2gauss";
         f.replace("words.idf", "F32", {2}, std::string(8, '\0'));
       },
       "hidden.weights is missing"},
      {"MethodWithoutItsTopics",
       [](Forgery& f) {
         for (const char* name : {"topics.vectors", "topics.shares", "topics.npmi"}) f.remove(name);
       },
       "topics.vectors is missing"},
      {"UnknownAttention", with_text("attention", "hard"), "its attention is 'hard'"},
      {"LevelsOfAnotherWidth",
       [](Forgery& f) {
         f.replace("documents.levels", "F32", {3, 2}, std::string(24, '\0'));
         f.replace("documents.stretch", "F32", {4, 2}, std::string(32, '\0'));
       },
       "not twice as wide"},
      {"OptionsNestedDeep", with_text("options", std::string(100'000, '[') + std::string(100'000, ']')), "its options"},
      {"OptionsOfObjectsNestedDeep",
       [](Forgery& f) {
         std::string deep;
         for (int k = 0; k < 100'000; ++k) deep += "{\"a\":";
         f.metadata()["options"] = deep + "1" + std::string(100'000, '}');
       },
       "its options"},
      {"OptionsOfAnotherWidth", with_options(R"({"dim":128})"), "its options say dim 128, and its tensors 2"},
      {"OptionsOfAWidthThatIsNone", with_options(R"({"dim":-2})"), "its options say dim -2"},
      {"OptionsOfAWidthInLetters", with_options(R"({"dim":"2"})"), "its options say dim"},
      {"OptionsOfABrokenWidth", with_options(R"({"dim":2.0})"), "its options say dim"},
      {"OptionsOfAHugeWidth", with_options(R"({"dim":1e30})"), "its options say dim"},
      {"OptionsOfOtherTopics", with_options(R"({"topics":3})"), "its options say topics 3, and its tensors 2"},
      {"OptionsOfNeighboursThatAreNotThere", with_options(R"({"neighbours":1})"),
       "its options say neighbours 1, and its tensors 0"},
      {"OptionsOfTheJoinedWidth",
       [](Forgery& f) {
         join_documents(f);
         f.metadata()["options"] = R"({"dim":4})";
       },
       "its options say dim 4, and its tensors 2"},
      {"OptionsOfMoreHops",
       [](Forgery& f) {
         join_documents(f);
         f.metadata()["options"] = R"({"dim":2,"neighbours":100})";
       },
       "its options say neighbours 100, and its tensors 1"},
      {"LanguageOfNobody", with_options(R"({"language":"klingon"})"), "'klingon' is no known language"},
      {"DocumentTwice", [](Forgery& f) { f.set("documents.ids.bytes", 1, 'a'); }, "documents.ids has \"a\" twice"},
      {"WordTwice", [](Forgery& f) { f.replace("words.strings.bytes", "U8", {8}, "moonmoon"); },
       "words.strings has \"moon\" twice"},
      {"RareWordThatIsNone",
       [](Forgery& f) {
         f.replace("words.rare.offsets", "I64", {2}, bytes_of(std::vector<std::int64_t>{0, 4}));
         f.replace("words.rare.bytes", "U8", {4}, "tide");
         f.replace("documents.rare_words.offsets", "I64", {4}, std::string(32, '\0'));
         for (const char* name : {"documents.rare_words.values", "documents.rare_words.counts"}) {
           f.replace(name, "I32", {0}, "");
         }
       },
       "words.rare has \"tide\" twice"},
      {"LabelTwice", [](Forgery& f) { f.replace("labels.names.bytes", "U8", {6}, "skysky"); },
       "labels.names has \"sky\" twice"},
      {"GroupsWithoutAny",
       [](Forgery& f) {
         with_links({0, 1, 2, 2}, {1, 0})(f);
         f.metadata()["groups"] = "2000000000";
       },
       "fewer members than groups"},
      {"LossOfLetters", with_text("loss", "abc"), "\"loss\" is no number: 'abc'"},
      {"ShareThatIsNoNumber", with_text("unknown", "nan"), "\"unknown\" is no share"},
      {"DocumentsOfAllWordsThereAre", with_counts(std::numeric_limits<std::int32_t>::max()), "longer than any can be"},
      {"WordsLessThanNever", [](Forgery& f) { f.set<std::int64_t>("words.counts", 1, -1); },
       "words.counts has a number that cannot be right"},
      {"WordsThatAddUpToTooMany",
       [](Forgery& f) { f.set("words.counts", 1, std::numeric_limits<std::int64_t>::max()); },
       "words.counts has a number that cannot be right"},
      {"DatesBeyondAllCalendars",
       [](Forgery& f) {
         f.replace("documents.dates", "I64", {3}, bytes_of(std::vector<std::int64_t>{0, 20240101, 1LL << 60}));
       },
       "no date"},
      {"GroupsWithoutEnd",
       [](Forgery& f) {
         f.metadata()["groups"] = "2000000000";
         f.replace("documents.groups.offsets", "I64", {4}, bytes_of(std::vector<std::int64_t>{0, 0, 0, 1}));
         f.replace("documents.groups.values", "I32", {1}, bytes_of(std::vector<std::int32_t>{1'999'999'999}));
       },
       "fewer members than groups"},
      {"LinksOutOfOrder", with_links({0, 2, 3, 4}, {2, 1, 0, 0}), "documents.links do not rise"},
      {"LinksWithItself", with_links({0, 1, 1, 1}, {0}), "with itself"},
  };
  return all;
}

class ForgedMeaningTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ForgedMeaningTest, IsFoundAndNamed) {
  const TempFolder folder;
  Forgery forgery;
  nonsense()[GetParam()].change(forgery);
  const std::string told = complaint(folder.write("m.idne", forgery.file()));
  EXPECT_NE(told.find(nonsense()[GetParam()].told), std::string::npos) << told.substr(0, 500);
}

INSTANTIATE_TEST_SUITE_P(Nonsense, ForgedMeaningTest, testing::Range<std::size_t>(0, nonsense().size()),
                         [](const auto& info) { return std::string(nonsense()[info.param].name); });

TEST(ForgedMeaning, WhatIsWrongIsToldBrieflyHoweverLongItIs) {
  const TempFolder folder;
  for (const char* key : {"method", "loss", "attention"}) {
    Forgery forgery;
    forgery.metadata()[key] = std::string(100'000, 'x');
    EXPECT_LT(complaint(folder.write("m.idne", forgery.file())).size(), 600u) << key;
  }
}

TEST(ForgedMeaning, JoinedDocumentsLoad) {
  const TempFolder folder;
  Forgery forgery;
  join_documents(forgery);
  forgery.metadata()["options"] = R"({"dim":2,"neighbours":1,"topics":2,"language":"english,german"})";
  EXPECT_NO_THROW(Model::load(folder.write("m.idne", forgery.file())));
}

TEST(ForgedMeaning, WhatMakesSenseLoads) {
  const TempFolder folder;
  Forgery forgery;
  with_counts(1000)(forgery);
  with_links({0, 2, 3, 4}, {1, 2, 0, 0})(forgery);
  with_float("words.vectors", -1e12f)(forgery);
  with_float("documents.vectors", 0)(forgery);
  forgery.replace("documents.dates", "I64", {3}, bytes_of(std::vector<std::int64_t>{0, 20240000, 99991231}));
  EXPECT_NO_THROW(Model::load(folder.write("m.idne", forgery.file())));
}

}  // namespace
}  // namespace idne
