#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "idne/error.h"
#include "idne/model.h"
#include "model/container.h"
#include "model/info_texts.h"
#include "temp_folder.h"
#include "tiny_model.h"

namespace idne {
namespace {

using Json = nlohmann::json;

/// The two parts of a file, taken apart by hand as any safetensors reader would.
struct Parts {
  explicit Parts(const std::string& file) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    header_length = length;
    header = Json::parse(file.substr(8, length));
    data = file.substr(8 + length);
  }
  std::size_t header_length;
  Json header;
  std::string data;
};

Parts saved_parts(const Model& model) {
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  return Parts(folder.read("m.idne"));
}

TEST(ModelFile, GivesBackEveryTensorAndText) {
  const TempFolder folder;
  const Model saved = tiny_model();
  saved.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));

  const auto &all = ModelTensors(saved).all(), &found = ModelTensors(loaded).all();
  ASSERT_EQ(found.size(), all.size());
  for (const auto& [name, tensor] : all) {
    ASSERT_TRUE(found.contains(name)) << name;
    const ModelTensors::Tensor& other = found.at(name);
    EXPECT_EQ(other.type, tensor.type) << name;
    EXPECT_EQ(other.shape, tensor.shape) << name;
    EXPECT_TRUE(std::ranges::equal(other.bytes, tensor.bytes)) << name;
  }
  EXPECT_EQ(loaded.info(), saved.info());
  EXPECT_EQ(loaded.info().links, 3u);
}

TEST(ModelFile, WhatNobodyCouldLoadIsNotWritten) {
  const TempFolder folder;
  const Model whole = tiny_model();
  whole.save(folder.path("m.idne"));
  const std::string before = folder.read("m.idne");
  Model nan = whole, layout = whole;
  ModelMaker(nan).set(layout::kTopicShares, std::vector<float>{0.5f, std::numeric_limits<float>::quiet_NaN()});
  ModelMaker(layout).set(layout::kTopicShares, std::vector<float>{1});
  for (const Model* broken : {&nan, &layout}) {
    EXPECT_THROW(broken->save(folder.path("m.idne")), Error);
    EXPECT_EQ(folder.read("m.idne"), before);
  }
}

TEST(ModelFile, GivesBackHowTheModelWasMade) {
  Model model = tiny_model();
  ModelInfo& info = ModelMaker(model).info();
  info.options = {{"dim", std::int64_t{2}},
                  {"rate", 1e-9},
                  {"share", 1.0},
                  {"kept", true},
                  {"words", "a \"b\" \\ é"},
                  {"list", std::vector<std::string>{"x", ""}}};
  info.groups = 7;
  info.dropped = "3 self-links";
  info.rounds = 12;
  info.loss = 0.125;
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  EXPECT_EQ(Model::load(folder.path("m.idne")).info(), info);
}

TEST(ModelFile, WhatALaterVersionAddedIsKept) {
  const layout::Entry extra{"later.entry", layout::Kind::Numbers32, {}, {}, layout::Count::One, layout::kMay, ""};
  Model model = tiny_model();
  ModelMaker maker(model);
  maker.set(extra, std::vector<std::int32_t>{3, -1});
  maker.other_texts()["later"] = "a text";
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  Model::load(folder.path("m.idne")).save(folder.path("again.idne"));
  EXPECT_EQ(folder.read("m.idne"), folder.read("again.idne"));
  EXPECT_EQ(saved_parts(model).header["__metadata__"]["later"], "a text");
}

TEST(ModelFile, ReadsTheNamesOfVersionOne) {
  // Documents that are joined with their neighbours, as 0.1 wrote them.
  Model model = tiny_model();
  ModelMaker maker(model);
  maker.info().method = "gvnrt";
  for (const auto* entry : {&layout::kTopicVectors, &layout::kTopicShares, &layout::kTopicNpmi}) maker.remove(*entry);
  maker.set(layout::kDocumentVectors, std::vector<float>(12, 0.5f), 3, 4);
  const layout::Entry levels{"documents.levels", layout::Kind::Floats, {}, {}, layout::Count::One, layout::kMay, ""};
  const layout::Entry stretch{"documents.stretch", layout::Kind::Floats, {}, {}, layout::Count::One, layout::kMay, ""};
  maker.set(levels, std::vector<float>{1, 2, 3, 4, 5, 6}, 3, 2);
  maker.set(stretch, std::vector<float>(8, 1.0f), 4, 2);
  const TempFolder folder;
  save_container(folder.path("m.idne"), kModelFile, 1, {info_texts(model.info()), maker.all()}, {});
  const Model loaded = Model::load(folder.path("m.idne"));
  EXPECT_EQ(ModelTensors(loaded).matrix(layout::kHopVectors).row(2)[1], 6);
  EXPECT_EQ(ModelTensors(loaded).matrix(layout::kSpectralScaling).rows, 4u);
  EXPECT_EQ(saved_parts(loaded).header["__metadata__"]["version"], "2") << "0.1 would not find them under these names";
}

TEST(ModelFile, WordsThatSpeakForLabelsAreVersionThreeAndChecked) {
  Model model = tiny_model();
  ModelMaker maker(model);
  maker.set(layout::kLabelWeights, std::vector<float>(6), 2, 3);
  maker.set(layout::kWordLabels, Lists{{0, 2, 3}, {0, 1, 1}});
  maker.set(layout::kWordLabelWeights, std::vector<float>{1, 2, 3});
  EXPECT_EQ(saved_parts(model).header["__metadata__"]["version"], "3") << "older programs would see half of the head";
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  EXPECT_EQ(ModelTensors(loaded).floats(layout::kWordLabelWeights)[2], 3);
  maker.set(layout::kWordLabelWeights, std::vector<float>{1, 2});
  EXPECT_THROW(check_layout(model), Error);
  maker.remove(layout::kWordLabelWeights);
  EXPECT_THROW(check_layout(model), Error);
  maker.set(layout::kWordLabelWeights, std::vector<float>{1, 2, 3});
  maker.set(layout::kWordLabels, Lists{{0, 2, 3}, {0, 1, 2}});
  EXPECT_THROW(check_layout(model), Error) << "there is no third label";
}

TEST(ModelFile, ACopyOutlivesItsFile) {
  const TempFolder folder;
  const Model saved = tiny_model();
  saved.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"), Model::Load::Copy);
  folder.write("m.idne", "cut, and written over");
  for (const auto& [name, tensor] : ModelTensors(saved).all()) {
    EXPECT_TRUE(std::ranges::equal(ModelTensors(loaded).all().at(name).bytes, tensor.bytes)) << name;
  }
  EXPECT_THROW(Model::load(folder.path("m.idne"), Model::Load::Copy), Error);
  EXPECT_THROW(Model::load(folder.path("none.idne"), Model::Load::Copy), Error);
  EXPECT_THROW(Model::load(folder.path(), Model::Load::Copy), Error);
}

TEST(ModelFile, KeepsExtremeNumbersToTheBit) {
  using F = std::numeric_limits<float>;
  const std::vector<float> floats{1e12f, F::min(), F::denorm_min(), -0.0f};
  const std::vector<std::int64_t> numbers{0, std::int64_t{1} << 62};
  Model model = tiny_model();
  ModelMaker maker(model);
  maker.set(layout::kWordVectors, floats, 2, 2);
  maker.set(layout::kWordCounts, numbers);
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  EXPECT_EQ(std::memcmp(loaded.words().vectors.data, floats.data(), floats.size() * sizeof(float)), 0);
  EXPECT_TRUE(std::ranges::equal(loaded.words().counts, numbers));
}

TEST(ModelFile, KeepsStringsOfAnyBytes) {
  const std::vector<std::string> strings{std::string("nul\0nul", 7), "\xFF\xFE", "深層学習"};
  Model model = tiny_model();
  ModelMaker maker(model);
  maker.set_strings(layout::kDocumentTitles, strings);
  maker.set_strings(layout::kLabelNames, std::vector<std::string>{});
  maker.set(layout::kDocumentLabels, Lists{{0, 0, 0, 0}, {}});
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  ASSERT_EQ(loaded.documents().titles.size(), strings.size());
  for (std::size_t k = 0; k < strings.size(); ++k) EXPECT_EQ(loaded.documents().titles[k], strings[k]);
  EXPECT_EQ(loaded.labels().names.size(), 0u);
}

TEST(ModelFile, KeepsMetadataThatLooksLikeItsOwnSyntax) {
  Model model = tiny_model();
  auto& texts = ModelMaker(model).other_texts();
  texts["a"] = R"("checksum":"xxh3:0123456789abcdef")";
  texts["z"] = "quotes \" and \\ and \n and \x01 and ü";
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  EXPECT_EQ(ModelTensors(loaded).other_texts(), texts);
}

TEST(ModelFile, TheSameModelGivesTheSameBytes) {
  const TempFolder folder;
  tiny_model().save(folder.path("one.idne"));
  tiny_model().save(folder.path("two.idne"));
  Model::load(folder.path("one.idne")).save(folder.path("three.idne"));
  EXPECT_EQ(folder.read("one.idne"), folder.read("two.idne"));
  EXPECT_EQ(folder.read("one.idne"), folder.read("three.idne"));
}

TEST(ModelFile, IsValidSafetensors) {
  Model model = tiny_model();
  const layout::Entry odd{"odd", layout::Kind::Numbers32, {}, {}, layout::Count::One, layout::kMay, ""};
  ModelMaker(model).set(odd, std::vector<std::int32_t>{1, 2, 3});
  const Parts parts = saved_parts(model);
  EXPECT_EQ(parts.header_length % 8, 0u);
  for (const auto& [key, value] : parts.header.at("__metadata__").items()) EXPECT_TRUE(value.is_string()) << key;
  EXPECT_EQ(parts.header.at("__metadata__").at("format"), "idne");

  const std::map<std::string, std::size_t> sizes{{"I64", 8}, {"F32", 4}, {"I32", 4}, {"U8", 1}};
  std::map<std::pair<std::size_t, std::size_t>, std::string> by_place;
  for (const auto& [name, entry] : parts.header.items()) {
    if (name == "__metadata__") continue;
    ASSERT_EQ(entry.size(), 3u) << name;
    const std::size_t begin = entry.at("data_offsets").at(0), end = entry.at("data_offsets").at(1);
    const std::size_t item = sizes.at(entry.at("dtype"));
    std::size_t size = item;
    for (const std::size_t dimension : entry.at("shape")) size *= dimension;
    EXPECT_EQ(end - begin, size) << name;
    EXPECT_EQ(begin % item, 0u) << name;
    EXPECT_TRUE(by_place.emplace(std::pair(begin, end), name).second) << name;
  }
  EXPECT_EQ(by_place.size(), ModelTensors(model).all().size());
  std::size_t at = 0;
  for (const auto& [place, name] : by_place) {
    EXPECT_EQ(place.first, at) << "a hole before " << name;
    at = place.second;
  }
  EXPECT_EQ(at, parts.data.size());
}

TEST(ModelFile, LoadedModelOutlivesItsFileAndItsCopies) {
  const TempFolder folder;
  tiny_model().save(folder.path("m.idne"));
  Model copy;
  {
    const Model loaded = Model::load(folder.path("m.idne"));
    copy = loaded;
  }
  std::filesystem::remove(folder.path("m.idne"));
  EXPECT_EQ(copy.words().strings[1], "tide");
  EXPECT_EQ(copy.words().vectors.row(1)[1], 2.0f);
}

TEST(ModelFile, SavingOverAModelThatIsLoadedLeavesItWhole) {
  const TempFolder folder;
  tiny_model().save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  loaded.save(folder.path("m.idne"));
  EXPECT_EQ(loaded.words().strings[0], "moon");
  EXPECT_EQ(Model::load(folder.path("m.idne")).words().strings[0], "moon");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(ModelFile, StoppedSaveLeavesTheOldFileAndNothingElse) {
  const TempFolder folder;
  folder.write("m.idne", "old");
  idne::Run run;
  run.stopped = [] { return true; };
  EXPECT_THROW(tiny_model().save(folder.path("m.idne"), run), Interrupted);
  EXPECT_EQ(folder.read("m.idne"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(ModelFile, SaveIntoAMissingFolderNamesTheFile) {
  const TempFolder folder;
  try {
    tiny_model().save(folder.path("none") / "m.idne");
    FAIL() << "saved into a folder that is not there";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find((folder.path("none") / "m.idne").string()), std::string::npos);
  }
}

TEST(Model, SaysWhatItLacks) {
  Model model = tiny_model();
  EXPECT_THROW(model.document_words(), Error);
  EXPECT_NO_THROW(model.topics());
  ModelMaker maker(model);
  maker.remove(layout::kTopicVectors);
  EXPECT_FALSE(model.has_topics());
  EXPECT_THROW(model.topics(), Error);
  maker.remove(layout::kWordVectors);
  EXPECT_THROW(model.word_vectors(), Error);
  EXPECT_THROW(ModelTensors(model).matrix(layout::kTopicShares), Error) << "one dimension is no matrix";
}

TEST(Model, FindsDocumentsById) {
  const Model model = tiny_model();
  EXPECT_EQ(model.document("ç"), 2u);
  EXPECT_THROW(model.document("d"), Error);
  EXPECT_THROW(model.document(""), Error);
}

TEST(Model, GivesBackBagsOfWords) {
  Model model = tiny_model();
  CountMatrix counts;
  counts.add_row(std::vector<WordCount>{{0, 2}, {1, 1}});
  counts.add_row({});
  counts.add_row(std::vector<WordCount>{{1, 5}});
  ModelMaker(model).set(layout::kDocumentWords, counts);
  const CountMatrix found = model.document_words().counts();
  ASSERT_EQ(found.rows(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::ranges::equal(found.row(i), counts.row(i))) << i;
}

}  // namespace
}  // namespace idne
