#include "model/container.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "idne/error.h"
#include "idne/output_file.h"
#include "model/looks_like_corpus.h"
#include "model/types.h"
#include "text/strings.h"

namespace idne {
namespace {

using Tensor = ModelTensors::Tensor;
using Tensors = Container::Tensors;
using Texts = Container::Texts;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kPrefix = 8;  // the header's length
constexpr std::uint64_t kMostHeader = 100'000'000;
constexpr std::string_view kChecksumStart = "\"checksum\":\"xxh3:";
constexpr std::size_t kChecksumDigits = 16;

using Hash = std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)>;
Hash new_hash() {
  Hash hash(XXH3_createState(), &XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  return hash;
}
void add_to(const Hash& hash, const void* data, std::size_t size) { XXH3_64bits_update(hash.get(), data, size); }
std::string digits_of(const Hash& hash) { return fmt::format("{:016x}", XXH3_64bits_digest(hash.get())); }

/// A file in memory, read-only, as long as somebody holds it.
class Mapping {
 public:
  Mapping(const std::string& name, std::string_view noun, Model::Load how) {
    const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe does not keep us waiting
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
      const int code = errno;
      if (descriptor >= 0) ::close(descriptor);
      throw Error(fmt::format("{}: cannot open the {}: {}", name, noun, std::strerror(code)));
    }
    size_ = static_cast<std::size_t>(status.st_size);
    const bool regular = S_ISREG(status.st_mode), copy = how == Model::Load::Copy;
    if (regular && size_ > 0) {
      data_ = copy ? copy_of(descriptor) : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    ::close(descriptor);
    const bool folder = S_ISDIR(status.st_mode);
    const char* const other = folder ? "a folder; of a corpus `idne train` makes a model" : "not a regular file";
    if (!regular) throw Error(fmt::format("{}: not a {}: {}", name, noun, other));
    if (size_ == 0) throw Error(fmt::format("{}: not a {}: the file is empty", name, noun));
    if (data_ == MAP_FAILED) {
      throw Error(fmt::format("{}: cannot {} the {}: {}", name, copy ? "read" : "map", noun, std::strerror(errno)));
    }
  }
  ~Mapping() {
    if (data_ && data_ != MAP_FAILED) ::munmap(data_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  /// Memory of its own with what is in the file; MAP_FAILED and errno if that fails. Of a file that is cut meanwhile
  /// the rest is zeros, which the checksum finds.
  void* copy_of(int descriptor) const {
    void* const data = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (std::size_t at = 0; data != MAP_FAILED && at < size_;) {
      const ssize_t size = ::read(descriptor, static_cast<char*>(data) + at, size_ - at);
      if (size < 0 && errno == EINTR) continue;
      if (size == 0) break;
      if (size < 0) {
        const int code = errno;
        ::munmap(data, size_);
        errno = code;
        return MAP_FAILED;
      }
      at += static_cast<std::size_t>(size);
    }
    return data;
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A whole number that is not negative. Throws simdjson_error.
std::size_t size_from(simdjson::dom::element number) { return std::uint64_t(number); }

/// Reads one file; every failure names it.
class Loader {
 public:
  Loader(std::string name, const ContainerKind& kind, Model::Load how)
      : name_(std::move(name)),
        kind_(kind),
        mapping_(std::make_shared<const Mapping>(name_, kind.noun, how)),
        bytes_(mapping_->bytes()) {}

  Container read() {
    const std::string_view header = check_header();
    Container container;
    try {
      const simdjson::dom::object json = parser_.parse(simdjson::padded_string(header));
      container.texts = texts_from(json[kMetadata]);
      check_format(container.texts);
      check_sum(header, container.texts[std::string(layout::kChecksum.key)]);
      for (const layout::Text* own : {&layout::kFormat, &layout::kVersion, &layout::kChecksum}) {
        container.texts.erase(std::string(own->key));
      }
      container.tensors = tensors_from(json);
    } catch (const simdjson::simdjson_error&) {
      fail("the header is not as it should be");
    } catch (const Error& error) {
      fail(error.what());
    }
    return container;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw not_usable(name_, kind_, what); }

  std::string_view check_header() {
    if (bytes_.size() < kPrefix) fail("the file is too short");
    std::uint64_t length = 0;
    for (std::size_t k = kPrefix; k-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes_[k]);
    if (looks_like_corpus(bytes_)) fail("it looks like a corpus, of which `idne train` makes a model");
    if (length > kMostHeader || length > bytes_.size() - kPrefix || length % 8 != 0) {
      fail("the header's length is wrong, or the file is cut off");
    }
    data_ = bytes_.substr(kPrefix + length);
    return bytes_.substr(kPrefix, length);
  }

  static Texts texts_from(simdjson::dom::object metadata) {
    Texts texts;
    for (const auto field : metadata) texts[std::string(field.key)] = std::string_view(field.value);
    return texts;
  }

  void check_format(Texts& texts) const {
    const std::string& format = texts[std::string(layout::kFormat.key)];
    for (const ContainerKind* other : {&kModelFile, &kCheckpointFile}) {
      if (format == other->format && format != kind_.format) throw Error(fmt::format("it is a {}", other->noun));
    }
    if (format != kind_.format) throw Error("it was not written by idne");
    const std::string& version = texts[std::string(layout::kVersion.key)];
    for (int known = 1; known <= kind_.newest_version; ++known) {
      if (version == fmt::format("{}", known)) return;
    }
    throw Error(
        fmt::format("its format is version {}; this program reads versions up to {}", version, kind_.newest_version));
  }

  /// The checksum covers the whole file, with its own digits as zeros.
  void check_sum(std::string_view header, const std::string& expected) const {
    const std::size_t key = header.find(kChecksumStart);
    if (key == std::string_view::npos || key + kChecksumStart.size() + kChecksumDigits > header.size()) {
      throw Error("it has no checksum");
    }
    const std::size_t digits = kPrefix + key + kChecksumStart.size();
    const Hash hash = new_hash();
    add_to(hash, bytes_.data(), digits);
    add_to(hash, std::string(kChecksumDigits, '0').data(), kChecksumDigits);
    add_to(hash, bytes_.data() + digits + kChecksumDigits, bytes_.size() - digits - kChecksumDigits);
    if ("xxh3:" + digits_of(hash) != expected) {
      throw Error("the checksum is wrong: the file is damaged or cut off");
    }
  }

  struct Place {
    std::size_t begin, end;
    std::string name;
    simdjson::dom::element description;
  };

  Tensors tensors_from(simdjson::dom::object json) const {
    std::vector<Place> places;
    for (const auto field : json) {
      if (field.key == kMetadata) continue;
      const std::string name(field.key);
      const simdjson::dom::array offsets = field.value["data_offsets"];
      if (offsets.size() != 2) throw Error(name + " does not lie where it should");
      places.push_back({size_from(offsets.at(0)), size_from(offsets.at(1)), name, field.value});
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    Tensors tensors;
    std::size_t at = 0;
    for (const Place& place : places) tensors[place.name] = tensor(place, at);
    if (at != data_.size()) throw Error("its size is not what its header says");
    return tensors;
  }

  Tensor tensor(const Place& place, std::size_t& expected_begin) const {
    const std::string_view type = place.description["dtype"];
    const auto info = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeInfo& t) { return t.name == type; });
    if (info == kTypes.end()) throw Error(fmt::format("{} has the unknown type {}", place.name, type));
    Tensor result{info->type, {}, {}, mapping_};
    std::size_t size = info->size;
    for (const auto dimension : simdjson::dom::array(place.description["shape"])) {
      result.shape.push_back(size_from(dimension));
      if (__builtin_mul_overflow(size, result.shape.back(), &size)) throw Error(place.name + " is too large");
    }
    if (place.begin != expected_begin || place.end < place.begin || place.end - place.begin != size ||
        place.end > data_.size()) {
      throw Error(place.name + " does not lie where it should");
    }
    if (place.begin % info->size != 0) throw Error(place.name + " is not aligned");
    expected_begin = place.end;
    result.bytes = std::as_bytes(std::span(data_.substr(place.begin, size)));
    return result;
  }

  std::string name_;
  const ContainerKind& kind_;
  std::shared_ptr<const Mapping> mapping_;
  std::string_view bytes_, data_;
  simdjson::dom::parser parser_;
};

std::string header_of(const ContainerKind& kind, int version, Texts texts,
                      const std::vector<ContainerWriter::Described>& tensors) {
  texts[std::string(layout::kFormat.key)] = kind.format;
  texts[std::string(layout::kVersion.key)] = fmt::format("{}", version);
  texts[std::string(layout::kChecksum.key)] = "xxh3:" + std::string(kChecksumDigits, '0');
  std::string metadata;
  for (const auto& [key, text] : texts) {
    metadata += fmt::format("{}{}:{}", metadata.empty() ? "" : ",", json_quoted(key), json_quoted(text));
  }
  std::map<std::string, std::string> entries{{std::string(kMetadata), "{" + metadata + "}"}};
  std::size_t at = 0;
  for (const ContainerWriter::Described& tensor : tensors) {
    const std::size_t end = at + tensor.bytes();
    entries[tensor.name] = fmt::format("{{\"data_offsets\":[{},{}],\"dtype\":\"{}\",\"shape\":[{}]}}", at, end,
                                       type_info(tensor.type).name, fmt::join(tensor.shape, ","));
    at = end;
  }
  std::string header;
  for (const auto& [name, text] : entries) {
    header += fmt::format("{}{}:{}", header.empty() ? "{" : ",", json_quoted(name), text);
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string start;
  for (std::size_t k = 0; k < kPrefix; ++k) start.push_back(static_cast<char>(header.size() >> (8 * k)));
  return start + header;
}

}  // namespace

Error not_usable(const std::filesystem::path& path, const ContainerKind& kind, std::string_view what) {
  return Error(fmt::format("{}: not a usable {}: {}", path.string(), kind.noun, cut_to_columns(valid_utf8(what), 400)));
}

std::size_t ContainerWriter::Described::bytes() const {
  std::size_t size = type_info(type).size;
  for (const std::size_t dimension : shape) size *= dimension;
  return size;
}

void ContainerWriter::put_in_order(std::vector<Described>& tensors) {
  std::ranges::sort(tensors, {}, &Described::name);
  std::ranges::stable_sort(tensors, std::ranges::greater{},
                           [](const Described& tensor) { return type_info(tensor.type).size; });
}

struct ContainerWriter::State {
  State(const std::filesystem::path& path, std::string start) : start(std::move(start)), file(path) {
    add_to(hash, this->start.data(), this->start.size());
  }
  void put_checksum() {
    start.replace(start.find(kChecksumStart) + kChecksumStart.size(), kChecksumDigits, digits_of(hash));
  }
  std::string start;  ///< the checksum's digits are zeros until all is known
  OutputFile file;
  Hash hash = new_hash();
  bool announced = false, begun = false;
};

ContainerWriter::ContainerWriter(const std::filesystem::path& path, const ContainerKind& kind, int version,
                                 const Texts& texts, const std::vector<Described>& tensors)
    : state_(std::make_unique<State>(path, header_of(kind, version, texts, tensors))) {}

ContainerWriter::~ContainerWriter() = default;

void ContainerWriter::announce(std::span<const std::byte> bytes) {
  add_to(state_->hash, bytes.data(), bytes.size());
  state_->announced = true;
}

void ContainerWriter::write(std::span<const std::byte> bytes) {
  if (!state_->announced) add_to(state_->hash, bytes.data(), bytes.size());
  if (!std::exchange(state_->begun, true)) {
    if (state_->announced) state_->put_checksum();
    state_->file.write(state_->start);
  }
  state_->file.write(bytes.data(), bytes.size());
}

void ContainerWriter::commit() {
  write({});
  if (!state_->announced) {
    state_->put_checksum();
    state_->file.write_at_start(state_->start);
  }
  state_->file.commit();
}

void save_container(const std::filesystem::path& path, const ContainerKind& kind, int version,
                    const Container& container, const Run& run) {
  std::vector<ContainerWriter::Described> order;
  for (const auto& [name, tensor] : container.tensors) order.push_back({name, tensor.type, tensor.shape});
  ContainerWriter::put_in_order(order);
  ContainerWriter writer(path, kind, version, container.texts, order);
  for (const ContainerWriter::Described& one : order) writer.announce(container.tensors.at(one.name).bytes);
  constexpr std::size_t kPiece = std::size_t{1} << 24;
  for (const ContainerWriter::Described& one : order) {
    const auto bytes = container.tensors.at(one.name).bytes;
    for (std::size_t begin = 0; begin < bytes.size(); begin += kPiece) {
      run.check();
      writer.write(bytes.subspan(begin, std::min(kPiece, bytes.size() - begin)));
    }
  }
  writer.commit();
}

Container load_container(const std::filesystem::path& path, const ContainerKind& kind, Model::Load how) {
  return Loader(path.string(), kind, how).read();
}

}  // namespace idne
