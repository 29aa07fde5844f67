#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "idne/error.h"
#include "idne/model.h"
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

  ASSERT_EQ(loaded.tensors().size(), saved.tensors().size());
  for (const auto& [name, tensor] : saved.tensors()) {
    ASSERT_TRUE(loaded.has(name)) << name;
    const Model::Tensor& other = loaded.tensors().at(name);
    EXPECT_EQ(other.type, tensor.type) << name;
    EXPECT_EQ(other.shape, tensor.shape) << name;
    EXPECT_TRUE(std::ranges::equal(other.bytes, tensor.bytes)) << name;
  }
  for (const auto& [key, text] : saved.metadata) EXPECT_EQ(loaded.text(key), text) << key;
  EXPECT_EQ(loaded.count("links"), 3u);
  EXPECT_EQ(loaded.text("no such key"), "");
  EXPECT_EQ(loaded.count("no such key"), 0u);
}

TEST(ModelFile, KeepsExtremeNumbersToTheBit) {
  using F = std::numeric_limits<float>;
  const std::vector<float> floats{F::max(), F::lowest(), F::denorm_min(), -0.0f, F::infinity(), F::quiet_NaN()};
  const std::vector<std::int32_t> numbers32{std::numeric_limits<std::int32_t>::min(), -1, 0, 1};
  const std::vector<std::int64_t> numbers64{std::numeric_limits<std::int64_t>::min(), -1, 0,
                                            std::numeric_limits<std::int64_t>::max()};
  Model model = tiny_model();
  model.add("extra.floats", floats, {2, 3});
  model.add("extra.numbers32", numbers32);
  model.add("extra.numbers64", numbers64);
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));

  const auto same_bits = [&](std::span<const float> other) {
    return other.size() == floats.size() && std::memcmp(other.data(), floats.data(), other.size_bytes()) == 0;
  };
  EXPECT_TRUE(same_bits(loaded.floats("extra.floats")));
  EXPECT_EQ(loaded.matrix("extra.floats").rows, 2u);
  EXPECT_EQ(loaded.matrix("extra.floats").columns, 3u);
  EXPECT_TRUE(std::ranges::equal(loaded.numbers32("extra.numbers32"), numbers32));
  EXPECT_TRUE(std::ranges::equal(loaded.numbers64("extra.numbers64"), numbers64));
}

TEST(ModelFile, KeepsStringsOfAnyBytes) {
  const std::vector<std::string> strings{"", "plain", std::string("nul\0nul", 7), "\xFF\xFE", "深層学習", "", ""};
  Model model = tiny_model();
  model.add_strings("extra", strings);
  model.add_strings("none", std::vector<std::string>{});
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  ASSERT_EQ(loaded.strings("extra").size(), strings.size());
  for (std::size_t k = 0; k < strings.size(); ++k) EXPECT_EQ(loaded.strings("extra")[k], strings[k]);
  EXPECT_EQ(loaded.strings("none").size(), 0u);
}

TEST(ModelFile, KeepsMetadataThatLooksLikeItsOwnSyntax) {
  Model model = tiny_model();
  model.metadata["a"] = R"("checksum":"xxh3:0123456789abcdef")";
  model.metadata["z"] = "quotes \" and \\ and \n and \x01 and ü";
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  EXPECT_EQ(loaded.text("a"), model.text("a"));
  EXPECT_EQ(loaded.text("z"), model.text("z"));
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
  model.add("odd", std::vector<std::int32_t>{1, 2, 3});
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
  EXPECT_EQ(by_place.size(), model.tensors().size());
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
  EXPECT_EQ(copy.strings("words.strings")[1], "tide");
  EXPECT_EQ(copy.words().row(1)[1], 2.0f);
}

TEST(ModelFile, SavingOverAModelThatIsLoadedLeavesItWhole) {
  const TempFolder folder;
  tiny_model().save(folder.path("m.idne"));
  const Model loaded = Model::load(folder.path("m.idne"));
  loaded.save(folder.path("m.idne"));
  EXPECT_EQ(loaded.strings("words.strings")[0], "moon");
  EXPECT_EQ(Model::load(folder.path("m.idne")).strings("words.strings")[0], "moon");
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

TEST(Model, AsksForTensorsByNameAndType) {
  const Model model = tiny_model();
  EXPECT_THROW(model.matrix("no.such"), Error);
  EXPECT_THROW(model.matrix("topics.shares"), Error) << "one dimension is no matrix";
  EXPECT_THROW(model.floats("words.counts"), Error);
  EXPECT_THROW(model.numbers64("documents.labels.values"), Error);
  EXPECT_THROW(model.strings("words"), Error);
}

TEST(Model, FindsDocumentsById) {
  const Model model = tiny_model();
  EXPECT_EQ(model.find_document("ç"), 2u);
  EXPECT_EQ(model.find_document("d"), std::nullopt);
  EXPECT_EQ(model.find_document(""), std::nullopt);
}

}  // namespace
}  // namespace idne
