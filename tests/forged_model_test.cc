#include <functional>

#include "model_files.h"

/// A file whose checksum is right and whose contents are not is an Error that names it.
namespace idne {
namespace {

using Json = nlohmann::json;

TEST(ForgedModel, AnHonestForgeryLoads) {
  const TempFolder folder;
  EXPECT_EQ(Forgery().file(), tiny_file());
  Forgery again;
  again.replace("words.counts", "I64", {2}, bytes_of(std::vector<std::int64_t>{1, 2}));
  EXPECT_NO_THROW(Model::load(folder.write("m.idne", again.file())));
}

/// A file whose checksum is right and whose contents are not.
struct Lie {
  const char* name;
  std::function<std::string(Forgery)> tell;
};

/// For lies in the parts of the header or the data.
std::function<std::string(Forgery)> with(std::function<void(Forgery&)> change) {
  return [change](Forgery forgery) {
    change(forgery);
    return forgery.file();
  };
}
/// For lies in the header's text.
std::function<std::string(Forgery)> with_text(std::function<void(std::string&)> change) {
  return [change](const Forgery& forgery) {
    std::string text = forgery.header.dump();
    change(text);
    return sealed(text, forgery.data);
  };
}
std::function<std::string(Forgery)> swapped(const std::string& from, const std::string& to) {
  return with_text([=](std::string& text) { text.replace(text.find(from), from.size(), to); });
}
std::function<std::string(Forgery)> without(const std::string& tensor) {
  return with([=](Forgery& f) { f.remove(tensor); });
}

constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;

const std::vector<Lie>& lies() {
  static const std::vector<Lie> all{
      // Shapes and types
      {"ShapeOverflows", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {kHuge, kHuge};
       })},
      {"ShapeOverflowsToTheRightSize", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {kHuge + 1, 4};
       })},
      {"ShapeTooLarge", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {2, 3};
       })},
      {"ShapeTooSmall", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {2, 1};
       })},
      {"ShapeNegative", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {-2, -2};
       })},
      {"ShapeNegativeBesideZero", with([](Forgery& f) {
         f.replace("extra", "F32", {-1, 0}, "");
       })},
      {"ShapeBroken", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {2.5, 2};
       })},
      {"ShapeOfTruths", with([](Forgery& f) { f.replace("extra", "U8", {true}, "x"); })},
      {"ShapeBeyond64Bits", swapped("\"shape\":[2,2]", "\"shape\":[99999999999999999999,2]")},
      {"ShapeOfStrings", with([](Forgery& f) {
         f["words.vectors"]["shape"] = {"2", "2"};
       })},
      {"ShapeIsANumber", with([](Forgery& f) { f["words.counts"]["shape"] = 2; })},
      {"ShapeIsAnObject", with([](Forgery& f) {
         f["words.counts"]["shape"] = {{"a", 2}};
       })},
      {"ShapeIsMissing", with([](Forgery& f) { f["words.counts"].erase("shape"); })},
      {"MatrixIsAList", with([](Forgery& f) { f["words.vectors"]["shape"] = {4}; })},
      {"MatrixIsACube", with([](Forgery& f) {
         f["documents.vectors"]["shape"] = {3, 2, 1};
       })},
      {"TypeUnknown", with([](Forgery& f) { f["words.vectors"]["dtype"] = "F33"; })},
      {"TypeOfWrongCase", with([](Forgery& f) { f["words.vectors"]["dtype"] = "f32"; })},
      {"TypeEmpty", with([](Forgery& f) { f["words.vectors"]["dtype"] = ""; })},
      {"TypeIsANumber", with([](Forgery& f) { f["words.vectors"]["dtype"] = 32; })},
      {"TypeIsMissing", with([](Forgery& f) { f["words.vectors"].erase("dtype"); })},
      {"TypeWithControlCharacters", with([](Forgery& f) { f["words.vectors"]["dtype"] = "\x1b[31mF32"; })},
      {"VectorsAreIntegers", with([](Forgery& f) { f["words.vectors"]["dtype"] = "I32"; })},
      {"OffsetsAreIntegersOf32Bits",
       with([](Forgery& f) { f.replace("words.strings.offsets", "I32", {3}, std::string(12, '\0')); })},
      {"LabelsAreFloats", with([](Forgery& f) { f["documents.labels.values"]["dtype"] = "F32"; })},
      {"StringsAreIntegers",
       with([](Forgery& f) { f.replace("words.strings.bytes", "I32", {2}, std::string(8, 'x')); })},

      // Places in the file
      {"EndOutOfRange", with([](Forgery& f) {
         auto& entry = f["words.strings.bytes"];  // the last tensor
         entry["data_offsets"][1] = f.data.size() + 8;
         entry["shape"] = {16};
       })},
      {"EverythingBehindTheEnd", with([](Forgery& f) {
         for (auto& [name, entry] : f.header.items()) {
           if (name != "__metadata__") {
             for (auto& offset : entry["data_offsets"]) offset = offset.get<std::size_t>() + f.data.size();
           }
         }
       })},
      {"EndBeforeBegin", with([](Forgery& f) {
         std::swap(f["words.vectors"]["data_offsets"][0], f["words.vectors"]["data_offsets"][1]);
       })},
      {"OffsetsHuge", with([](Forgery& f) {
         f["words.vectors"]["data_offsets"] = {kHuge, kHuge + 16};
       })},
      {"OffsetsNegative", with([](Forgery& f) {
         f["documents.labels.offsets"]["data_offsets"] = {-32, 0};
       })},
      {"OffsetsBroken", with([](Forgery& f) { f["words.vectors"]["data_offsets"][0] = 0.5; })},
      {"OffsetsAreStrings", with([](Forgery& f) {
         f["words.vectors"]["data_offsets"] = {"0", "16"};
       })},
      {"OnlyOneOffset", with([](Forgery& f) { f["words.vectors"]["data_offsets"] = {0}; })},
      {"ThreeOffsets", with([](Forgery& f) { f["words.counts"]["data_offsets"].push_back(0); })},
      {"OffsetsAreMissing", with([](Forgery& f) { f["words.vectors"].erase("data_offsets"); })},
      {"OffsetsAreAnObject", with([](Forgery& f) {
         f["words.vectors"]["data_offsets"] = {{"a", 0}, {"b", 16}};
       })},
      {"TwoTensorsInOnePlace",
       with([](Forgery& f) { f["topics.vectors"]["data_offsets"] = f["words.vectors"]["data_offsets"]; })},
      {"TensorsOverlap", with([](Forgery& f) {
         for (auto& offset : f["words.vectors"]["data_offsets"]) offset = offset.get<std::size_t>() - 4;
       })},
      {"HoleAtTheEnd", with([](Forgery& f) { f.data += std::string(8, '\0'); })},
      {"HoleAtTheBeginning", with([](Forgery& f) {
         f.data = std::string(8, '\0') + f.data;
         for (auto& [name, entry] : f.header.items()) {
           if (name != "__metadata__") {
             for (auto& offset : entry["data_offsets"]) offset = offset.get<std::size_t>() + 8;
           }
         }
       })},
      {"HoleInTheMiddle", with([](Forgery& f) { f.header.erase("words.counts"); })},
      {"EverythingMisaligned", with([](Forgery& f) {
         f.data = "x" + f.data;
         for (auto& [name, entry] : f.header.items()) {
           if (name != "__metadata__") {
             for (auto& offset : entry["data_offsets"]) offset = offset.get<std::size_t>() + 1;
           }
         }
         f.header["first"] = {{"dtype", "U8"}, {"shape", {1}}, {"data_offsets", {0, 1}}};
       })},
      {"NoData", with([](Forgery& f) { f.data.clear(); })},

      // Tensors that a model needs
      {"NoDocuments", without("documents.vectors")},
      {"NoIds", without("documents.ids.bytes")},
      {"NoIdOffsets", without("documents.ids.offsets")},
      {"NoTitles", without("documents.titles.bytes")},
      {"NoTitleOffsets", without("documents.titles.offsets")},
      {"NoLabels", without("documents.labels.values")},
      {"NoLabelOffsets", without("documents.labels.offsets")},
      {"NoLabelNames", without("labels.names.bytes")},
      {"NoLabelNameOffsets", without("labels.names.offsets")},
      {"NoWords", without("words.strings.bytes")},
      {"NoWordOffsets", without("words.strings.offsets")},
      {"NoWordCounts", without("words.counts")},
      {"TopicsWithoutWordVectors", without("words.vectors")},
      {"TopicsWithoutShares", without("topics.shares")},
      {"TopicsWithoutCoherence", without("topics.npmi")},
      {"NoTensorAtAll", with([](Forgery& f) {
         f.header = {{"__metadata__", f.metadata()}};
         f.data.clear();
       })},

      // Lists of strings and numbers
      {"StringOffsetsDecrease", with([](Forgery& f) {
         f.set<std::int64_t>("documents.titles.offsets", 1, 9);
         f.set<std::int64_t>("documents.titles.offsets", 2, 2);
       })},
      {"StringOffsetBehindTheEnd", with([](Forgery& f) { f.set<std::int64_t>("words.strings.offsets", 2, 9); })},
      {"StringOffsetHuge",
       with([](Forgery& f) { f.set("words.strings.offsets", 2, std::numeric_limits<std::int64_t>::max()); })},
      {"StringOffsetNegative", with([](Forgery& f) { f.set<std::int64_t>("words.strings.offsets", 0, -4); })},
      {"StringOffsetsBeginLate", with([](Forgery& f) { f.set<std::int64_t>("words.strings.offsets", 0, 1); })},
      {"StringOffsetsEndEarly", with([](Forgery& f) { f.set<std::int64_t>("words.strings.offsets", 2, 7); })},
      {"StringOffsetsEmpty", with([](Forgery& f) { f.replace("labels.names.offsets", "I64", {0}, ""); })},
      {"LabelOffsetsDecrease", with([](Forgery& f) { f.set<std::int64_t>("documents.labels.offsets", 1, 2); })},
      {"LabelOffsetBehindTheEnd", with([](Forgery& f) { f.set<std::int64_t>("documents.labels.offsets", 3, 4); })},
      {"LabelTooLarge", with([](Forgery& f) { f.set<std::int32_t>("documents.labels.values", 2, 2); })},
      {"LabelNegative", with([](Forgery& f) { f.set<std::int32_t>("documents.labels.values", 0, -1); })},
      {"LabelOffsetsThatFitAnotherList", with([](Forgery& f) {
         f.replace("documents.labels.bytes", "U8", {100}, std::string(100, 'x'));
         f.set<std::int64_t>("documents.labels.offsets", 3, 100);
       })},

      // Numbers that must agree
      {"FewerIdsThanDocuments", with([](Forgery& f) {
         f.replace("documents.ids.offsets", "I64", {3}, bytes_of(std::vector<std::int64_t>{0, 1, 4}));
       })},
      {"MoreTitlesThanDocuments", with([](Forgery& f) {
         f.replace("documents.titles.offsets", "I64", {5}, bytes_of(std::vector<std::int64_t>{0, 5, 5, 10, 10}));
       })},
      {"FewerLabelListsThanDocuments", with([](Forgery& f) {
         f.replace("documents.labels.offsets", "I64", {3}, bytes_of(std::vector<std::int64_t>{0, 1, 3}));
       })},
      {"FewerVectorsThanWords", with([](Forgery& f) {
         f.replace("words.vectors", "F32", {1, 2}, std::string(8, '\0'));
       })},
      {"MoreVectorsThanWords", with([](Forgery& f) {
         f.replace("words.vectors", "F32", {3, 2}, std::string(24, '\0'));
       })},
      {"FewerCountsThanWords", with([](Forgery& f) { f.replace("words.counts", "I64", {1}, std::string(8, '\0')); })},
      {"WordsOfAnotherDimension", with([](Forgery& f) {
         f.replace("words.vectors", "F32", {2, 3}, std::string(24, '\0'));
       })},
      {"TopicsOfAnotherDimension", with([](Forgery& f) {
         f["topics.vectors"]["shape"] = {4, 1};
       })},
      {"DocumentsOfAnotherDimension", with([](Forgery& f) {
         f.replace("documents.vectors", "F32", {3, 4}, std::string(48, '\0'));
       })},
      {"DocumentsTransposed", with([](Forgery& f) {
         f["documents.vectors"]["shape"] = {2, 3};
       })},
      {"FewerSharesThanTopics", with([](Forgery& f) { f.replace("topics.shares", "F32", {1}, std::string(4, '\0')); })},
      {"MoreCoherencesThanTopics",
       with([](Forgery& f) { f.replace("topics.npmi", "F32", {3}, std::string(12, '\0')); })},
      {"NothingOfAnyDimension", with([](Forgery& f) {  // 0 rows leave the number of columns free
         f.replace("documents.vectors", "F32", {0, kHuge}, "");
         f.replace("words.vectors", "F32", {0, kHuge}, "");
         f.replace("topics.vectors", "F32", {0, kHuge}, "");
         for (const char* name : {"topics.shares", "topics.npmi"}) f.replace(name, "F32", {0}, "");
         f.replace("words.counts", "I64", {0}, "");
         f.replace("documents.labels.values", "I32", {0}, "");
         for (const char* name : {"documents.ids", "documents.titles", "words.strings"}) {
           f.replace(std::string(name) + ".bytes", "U8", {0}, "");
           f.replace(std::string(name) + ".offsets", "I64", {1}, std::string(8, '\0'));
         }
         f.replace("documents.labels.offsets", "I64", {1}, std::string(8, '\0'));
       })},

      // The header
      {"OtherVersion", with([](Forgery& f) { f.metadata()["version"] = "5"; })},
      {"NoVersion", with([](Forgery& f) { f.metadata().erase("version"); })},
      {"VersionIsANumber", with([](Forgery& f) { f.metadata()["version"] = 1; })},
      {"OtherFormat", with([](Forgery& f) { f.metadata()["format"] = "pt"; })},
      {"NoFormat", with([](Forgery& f) { f.metadata().erase("format"); })},
      {"NoChecksum", with([](Forgery& f) { f.metadata().erase("checksum"); })},
      {"ChecksumOfAnotherKind", swapped("\"xxh3:", "\"md5:")},
      {"ChecksumOutsideTheMetadata", with([](Forgery& f) {
         f.header["Z"] = {{"checksum", f.metadata()["checksum"]}};
         f.metadata().erase("checksum");
       })},
      {"ChecksumTwice", swapped("\"checksum\":", "\"checksum\":\"xxh3:0000000000000000\",\"checksum\":")},
      {"MetadataIsANumber", with([](Forgery& f) { f.metadata()["links"] = 3; })},
      {"MetadataIsNull", with([](Forgery& f) { f.metadata()["links"] = nullptr; })},
      {"MetadataIsAnObject", with([](Forgery& f) {
         f.metadata()["options"] = {{"dim", 2}};
       })},
      {"MetadataIsAList", with([](Forgery& f) {
         f.header["__metadata__"] = {"format", "idne"};
       })},
      {"MetadataIsAString", with([](Forgery& f) { f.header["__metadata__"] = "idne"; })},
      {"NoMetadata", with([](Forgery& f) { f.header.erase("__metadata__"); })},
      {"TensorIsANumber", with([](Forgery& f) { f.header["words.vectors"] = 7; })},
      {"TensorIsAList", with([](Forgery& f) {
         f.header["words.vectors"] = {1, 2};
       })},
      {"TensorIsNull", with([](Forgery& f) { f.header["words.vectors"] = nullptr; })},
      {"HeaderIsAList", with_text([](std::string& text) { text = "[" + text + "]"; })},
      {"HeaderIsEmpty", with_text([](std::string& text) { text.clear(); })},
      {"HeaderIsCutOff", with_text([](std::string& text) { text.pop_back(); })},
      {"HeaderHasTwoEnds", with_text([](std::string& text) { text += "}"; })},
      {"HeaderIsNoUtf8", swapped("\"words.counts\"", "\"words.\xFF\xFE\"")},
      {"HeaderHoldsNul", swapped("\"words.counts\"", std::string("\"words.\0\"", 9))},
      {"HugeExponent", swapped("\"shape\":[2,2]", "\"shape\":[1e999,2]")},
      {"DeepNesting", with_text([](std::string& text) {
         text.insert(text.size() - 1, ",\"deep\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']'));
       })},
      {"DeepNestingWithoutEnd",
       with_text([](std::string& text) { text.insert(text.size() - 1, ",\"deep\":" + std::string(1'000'000, '[')); })},
      {"DeepObjects", with_text([](std::string& text) {
         std::string deep;
         for (int k = 0; k < 200'000; ++k) deep += "{\"a\":";
         text.insert(text.size() - 1, ",\"deep\":" + deep + "1" + std::string(200'000, '}'));
       })},
  };
  return all;
}

class ForgedModelTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ForgedModelTest, IsFound) {
  const TempFolder folder;
  EXPECT_NE(complaint(folder.write("m.idne", lies()[GetParam()].tell(Forgery()))), "");
}

INSTANTIATE_TEST_SUITE_P(Lies, ForgedModelTest, testing::Range<std::size_t>(0, lies().size()),
                         [](const auto& info) { return std::string(lies()[info.param].name); });

TEST(ForgedModel, HeaderOfOddLengthIsFound) {
  const TempFolder folder;
  std::string file = tiny_file();
  ++file[0];
  file.insert(8, " ");
  EXPECT_NE(complaint(folder.write("m.idne", file)), "");
}

TEST(ForgedModel, AFormatOfTheFutureIsToldFromDamage) {
  const TempFolder folder;
  Forgery forgery;
  forgery.metadata()["version"] = "5";
  EXPECT_NE(complaint(folder.write("m.idne", forgery.file())).find("version 5"), std::string::npos);
}

}  // namespace
}  // namespace idne
