#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

#include "idne/error.h"
#include "idne/model.h"
#include "idne/output_file.h"
#include "model/types.h"

/// The model file is described in docs/model-format.md; keep both together.
namespace idne {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "idne";
constexpr std::string_view kVersion = "1";
constexpr std::size_t kPrefix = 8;  // the header's length
constexpr std::uint64_t kMostHeader = 100'000'000;
constexpr std::string_view kChecksumKey = "\"checksum\":\"xxh3:";
constexpr std::size_t kChecksumDigits = 16;

using Hash = std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)>;
Hash new_hash() {
  Hash hash(XXH3_createState(), &XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  return hash;
}
void add_to(const Hash& hash, const void* data, std::size_t size) { XXH3_64bits_update(hash.get(), data, size); }
std::string digits_of(const Hash& hash) { return fmt::format("{:016x}", XXH3_64bits_digest(hash.get())); }

/// Larger types first, so that every tensor is aligned and there are no holes; then by name.
std::vector<std::pair<std::string, const Model::Tensor*>> in_file_order(const Model& model) {
  std::vector<std::pair<std::string, const Model::Tensor*>> order;
  for (const auto& [name, tensor] : model.tensors()) order.emplace_back(name, &tensor);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return type_info(a.second->type).size > type_info(b.second->type).size;
  });
  return order;
}

/// A file in memory, read-only, as long as somebody holds it.
class Mapping {
 public:
  explicit Mapping(const std::string& name) {
    const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
      const int code = errno;
      if (descriptor >= 0) ::close(descriptor);
      throw Error(fmt::format("{}: cannot open the model: {}", name, std::strerror(code)));
    }
    size_ = static_cast<std::size_t>(status.st_size);
    const bool regular = S_ISREG(status.st_mode);
    if (regular && size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    ::close(descriptor);
    if (!regular) throw Error(name + ": not a model: not a regular file");
    if (size_ == 0) throw Error(name + ": not a model: the file is empty");
    if (data_ == MAP_FAILED) throw Error(fmt::format("{}: cannot map the model: {}", name, std::strerror(errno)));
  }
  ~Mapping() {
    if (data_ && data_ != MAP_FAILED) ::munmap(data_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A whole number that is not negative; nlohmann would turn -1 into 2^64 - 1, and 1.5 into 1.
std::size_t size_from(const Json& number) { return number.get_ref<const Json::number_unsigned_t&>(); }

/// Reads one file; every failure names it.
class Loader {
 public:
  explicit Loader(std::string name)
      : name_(std::move(name)), mapping_(std::make_shared<const Mapping>(name_)), bytes_(mapping_->bytes()) {}

  Model::Tensor tensor(const std::string& key, const Json& entry, std::size_t& expected_begin) const {
    Model::Tensor result{};
    const std::string type = entry.at("dtype").get<std::string>();
    const auto info = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeInfo& t) { return t.name == type; });
    if (info == kTypes.end()) fail(fmt::format("{} has the unknown type {}", key, type));
    result.type = info->type;
    std::size_t size = info->size;
    for (const Json& dimension : entry.at("shape").get_ref<const Json::array_t&>()) {
      result.shape.push_back(size_from(dimension));
      if (__builtin_mul_overflow(size, result.shape.back(), &size)) fail(key + " is too large");
    }
    const std::size_t begin = size_from(entry.at("data_offsets").at(0));
    const std::size_t end = size_from(entry.at("data_offsets").at(1));
    if (begin != expected_begin || end < begin || end - begin != size || end > data_.size()) {
      fail(key + " does not lie where it should");
    }
    if (begin % info->size != 0) fail(key + " is not aligned");
    expected_begin = end;
    result.bytes = std::as_bytes(std::span(data_.substr(begin, size)));
    result.owner = mapping_;
    return result;
  }

  std::pair<std::map<std::string, std::string>, std::map<std::string, Model::Tensor>> read() {
    const std::string_view header = check_header();
    const Json json = Json::parse(header, nullptr, false);
    if (!json.is_object() || !json.contains("__metadata__")) fail("the header is not JSON with __metadata__");
    std::map<std::string, std::string> metadata;
    std::map<std::string, Model::Tensor> tensors;
    try {
      for (const auto& [key, value] : json.at("__metadata__").items()) metadata[key] = value.get<std::string>();
      if (metadata["format"] != kFormat) fail("it was not written by idne");
      if (metadata["version"] != kVersion) {
        fail(fmt::format("its format is version {}; this program reads version {}", metadata["version"], kVersion));
      }
      check_sum(header, metadata["checksum"]);
      std::vector<std::tuple<std::size_t, std::size_t, std::string>> order;  // begin, end, name
      for (const auto& [key, value] : json.items()) {
        if (key == "__metadata__") continue;
        const Json& offsets = value.at("data_offsets");
        if (offsets.size() != 2) fail(key + " does not lie where it should");
        order.emplace_back(size_from(offsets.at(0)), size_from(offsets.at(1)), key);
      }
      std::sort(order.begin(), order.end());
      std::size_t at = 0;
      for (const auto& [begin, end, key] : order) tensors[key] = tensor(key, json.at(key), at);
      if (at != data_.size()) fail("its size is not what its header says");
    } catch (const Json::exception&) {
      fail("the header is not as it should be");
    }
    return {std::move(metadata), std::move(tensors)};
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: not a usable model: {}", name_, what));
  }

 private:
  std::string_view check_header() {
    if (bytes_.size() < kPrefix) fail("the file is too short");
    std::uint64_t length = 0;
    for (std::size_t k = kPrefix; k-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes_[k]);
    if (length > kMostHeader || length > bytes_.size() - kPrefix || length % 8 != 0) {
      fail("the header's length is wrong, or the file is cut off");
    }
    data_ = bytes_.substr(kPrefix + length);
    return bytes_.substr(kPrefix, length);
  }

  /// The checksum covers the whole file, with its own digits as zeros.
  void check_sum(std::string_view header, const std::string& expected) const {
    const std::size_t key = header.find(kChecksumKey);
    if (key == std::string_view::npos || key + kChecksumKey.size() + kChecksumDigits > header.size()) {
      fail("it has no checksum");
    }
    const std::size_t digits = kPrefix + key + kChecksumKey.size();
    const Hash hash = new_hash();
    add_to(hash, bytes_.data(), digits);
    add_to(hash, std::string(kChecksumDigits, '0').data(), kChecksumDigits);
    add_to(hash, bytes_.data() + digits + kChecksumDigits, bytes_.size() - digits - kChecksumDigits);
    if ("xxh3:" + digits_of(hash) != expected) fail("the checksum is wrong: the file is damaged or cut off");
  }

  std::string name_;
  std::shared_ptr<const Mapping> mapping_;
  std::string_view bytes_, data_;
};

/// What every model promises; a file with a right checksum could still break it.
void check_contents(const Model& model, const Loader& loader) {
  const auto expect = [&](bool good, const std::string& what) {
    if (!good) loader.fail(what);
  };
  for (const auto& [name, tensor] : model.tensors()) {
    if (!name.ends_with(".offsets")) continue;
    const std::string list = name.substr(0, name.size() - std::string_view(".offsets").size());
    const bool of_strings = model.has(list + ".bytes");
    expect(of_strings != model.has(list + ".values"), name + " needs one list");
    const std::size_t most =
        of_strings ? model.tensors().at(list + ".bytes").bytes.size() : model.numbers32(list + ".values").size();
    const auto offsets = model.numbers64(name);
    expect(!offsets.empty() && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
               offsets.back() == static_cast<std::int64_t>(most),
           name + " is not as it should be");
  }
  const std::size_t documents = model.documents().rows;
  expect(documents > 0 && model.documents().columns > 0, "there are no documents");
  expect(model.strings("documents.ids").size() == documents, "documents and their ids differ in number");
  expect(model.strings("documents.titles").size() == documents, "documents and their titles differ in number");
  expect(model.numbers64("documents.labels.offsets").size() == documents + 1,
         "documents and their labels differ in number");
  const auto labels = static_cast<std::int32_t>(model.strings("labels.names").size());
  for (const std::int32_t label : model.numbers32("documents.labels.values")) {
    expect(label >= 0 && label < labels, "a document has an unknown label");
  }
  if (model.has("documents.links.offsets")) {
    expect(model.numbers64("documents.links.offsets").size() == documents + 1,
           "documents and their links differ in number");
    for (const std::int32_t to : model.numbers32("documents.links.values")) {
      expect(to >= 0 && static_cast<std::size_t>(to) < documents, "a document is linked with an unknown one");
    }
  }
  if (model.has("labels.weights")) {
    const MatrixView weights = model.matrix("labels.weights");
    expect(weights.rows == model.strings("labels.names").size() && weights.columns == model.documents().columns + 1,
           "labels and their weights differ in number or dimension");
  }
  std::size_t text_columns = model.documents().columns;
  if (model.has("documents.levels")) {  // documents are joined with their neighbours, and twice as wide
    const MatrixView levels = model.matrix("documents.levels");
    expect(levels.rows > 0 && levels.rows % documents == 0 && 2 * levels.columns == text_columns,
           "documents and their neighbours' means differ in number or dimension");
    text_columns = levels.columns;
    const MatrixView stretch = model.matrix("documents.stretch");
    expect(stretch.rows == 2 * text_columns && stretch.columns == text_columns,
           "the stretch of documents joined with their neighbours has another dimension");
  }
  const std::size_t words = model.strings("words.strings").size();
  expect(model.numbers64("words.counts").size() == words, "words and their counts differ in number");
  if (model.has("words.vectors")) {
    expect(model.words().rows == words, "words and their vectors differ in number");
    expect(model.words().columns == text_columns, "words and documents differ in dimension");
  }
  if (model.has("topics.vectors")) {
    expect(model.topics().columns == model.words().columns, "topics and words differ in dimension");
    expect(model.floats("topics.shares").size() == model.topics().rows, "topics and their shares differ in number");
    expect(model.floats("topics.npmi").size() == model.topics().rows, "topics and their coherence differ in number");
  }
  const auto is_word = [&](std::int32_t word) { return word >= 0 && static_cast<std::size_t>(word) < words; };
  if (model.has("topics.words")) {
    const auto ranked = model.numbers32("topics.words");
    expect(model.topics().rows > 0 && ranked.size() % model.topics().rows == 0 &&
               std::all_of(ranked.begin(), ranked.end(), is_word),
           "topics.words are not as they should be");
  }
  if (model.has("documents.words.values")) {
    const auto values = model.numbers32("documents.words.values"), counts = model.numbers32("documents.words.counts");
    const auto offsets = model.numbers64("documents.words.offsets");
    bool good = offsets.size() == documents + 1 && counts.size() == values.size() &&
                std::all_of(values.begin(), values.end(), is_word) &&
                std::all_of(counts.begin(), counts.end(), [](std::int32_t count) { return count > 0; });
    for (std::size_t i = 0; good && i < documents; ++i) {
      const auto row = std::span(values).subspan(static_cast<std::size_t>(offsets[i]),
                                                 static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
      good = std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
    }
    expect(good, "documents.words are not as they should be");
  }
}

}  // namespace

void Model::save(const std::filesystem::path& path, const Run& run) const {
  const auto order = in_file_order(*this);
  Json json = Json::object();
  json["__metadata__"] = metadata;
  json["__metadata__"]["format"] = kFormat;
  json["__metadata__"]["version"] = kVersion;
  json["__metadata__"]["checksum"] = "xxh3:" + std::string(kChecksumDigits, '0');
  std::size_t at = 0;
  for (const auto& [name, tensor] : order) {
    json[name] = {{"dtype", type_name(tensor->type)},
                  {"shape", tensor->shape},
                  {"data_offsets", {at, at + tensor->bytes.size()}}};
    at += tensor->bytes.size();
  }
  std::string header = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string start;
  for (std::size_t k = 0; k < kPrefix; ++k) start.push_back(static_cast<char>(header.size() >> (8 * k)));
  start += header;

  const Hash hash = new_hash();
  add_to(hash, start.data(), start.size());
  for (const auto& [name, tensor] : order) add_to(hash, tensor->bytes.data(), tensor->bytes.size());
  start.replace(start.find(kChecksumKey) + kChecksumKey.size(), kChecksumDigits, digits_of(hash));

  OutputFile file(path);
  file.write(start);
  constexpr std::size_t kPiece = std::size_t{1} << 24;
  for (const auto& [name, tensor] : order) {
    for (std::size_t begin = 0; begin < tensor->bytes.size(); begin += kPiece) {
      run.check();
      file.write(tensor->bytes.data() + begin, std::min(kPiece, tensor->bytes.size() - begin));
    }
  }
  file.commit();
}

Model Model::load(const std::filesystem::path& path) {
  Loader loader(path.string());
  Model model;
  std::tie(model.metadata, model.tensors_) = loader.read();
  try {
    check_contents(model, loader);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(path.string())) throw;
    loader.fail(error.what());
  }
  return model;
}

}  // namespace idne
