#include "idne/search_index.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

#include "idne/output_file.h"
#include "idne/projection.h"
#include "search/index_state.h"

/// MODEL.index: a header of 64-bit numbers, the graph's layers (offsets, then links, 32 bits each), the map (floats)
/// and XXH3-64 of all that. Little-endian. Whatever is not exactly as it should be is built anew.
namespace idne {
namespace {

constexpr std::uint64_t kMagic = 0x78646e69'656e6469;  // "idneindx"
constexpr std::uint64_t kVersion = 1;                  // higher whenever a graph or map would come out different
constexpr std::size_t kMostLayers = 32;
enum Field { Magic, Version, Vectors, Rows, Columns, Layers, Entry, Recall, kFields };
using Header = std::array<std::uint64_t, kFields>;

/// What the index was made from: other documents, another index.
std::uint64_t hash_of(MatrixView rows) { return XXH3_64bits(rows.data, rows.rows * rows.columns * sizeof(float)); }

/// Why a file is of no use.
struct Unusable {
  const char* why;
};

/// Takes numbers off the front of a file's bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  std::vector<T> take(std::uint64_t count) {
    if (count > bytes_.size() / sizeof(T)) throw Unusable{"it is cut off"};
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
    return values;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

std::string read_bytes(const std::filesystem::path& path, std::uint64_t most) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw Unusable{""};
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error || size > most) throw Unusable{"it has a wrong size"};
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) throw Unusable{"it cannot be read"};
  return bytes;
}

template <class T>
void append(std::string& bytes, const T& values) {
  bytes.append(reinterpret_cast<const char*>(std::data(values)), std::size(values) * sizeof(*std::data(values)));
}

}  // namespace

/// Reads and writes what DocumentIndex hides.
class IndexFile {
 public:
  static std::string bytes(const SearchIndex& index) {
    const DocumentIndex::State& state = *index.documents.state_;
    Header header{};
    header[Magic] = kMagic;
    header[Version] = kVersion;
    header[Vectors] = hash_of(state.rows);
    header[Rows] = state.rows.rows;
    header[Columns] = state.rows.columns;
    header[Layers] = state.graph.layers.size();
    header[Entry] = state.graph.entry;
    header[Recall] = std::bit_cast<std::uint64_t>(state.recall);
    std::string bytes;
    append(bytes, header);
    for (const GraphLayer& layer : state.graph.layers) {
      append(bytes, layer.offsets);
      append(bytes, layer.links);
    }
    append(bytes, index.map);
    append(bytes, std::array{XXH3_64bits(bytes.data(), bytes.size())});
    return bytes;
  }

  /// Throws Unusable.
  static SearchIndex read(std::string_view bytes, const Model& model, int threads) {
    const MatrixView rows = model.documents().vectors;
    Reader reader(checked(bytes));
    Header header{};
    std::ranges::copy(reader.take<std::uint64_t>(kFields), header.begin());
    if (header[Magic] != kMagic) throw Unusable{"it is no index"};
    if (header[Version] != kVersion) throw Unusable{"another version of idne wrote it"};
    if (header[Rows] != rows.rows || header[Columns] != rows.columns || header[Vectors] != hash_of(rows)) {
      throw Unusable{"it belongs to another model"};
    }
    const auto state = std::make_shared<DocumentIndex::State>(model, threads);
    state->graph = graph(reader, header, *state);
    state->recall = std::bit_cast<double>(header[Recall]);
    SearchIndex index{DocumentIndex(state), reader.take<float>(2 * rows.rows), "", true};
    if (!std::ranges::all_of(index.map, [](float x) { return std::isfinite(x); }) || !reader.at_end() ||
        !(state->recall >= 0 && state->recall <= 1)) {
      throw Unusable{"it is damaged"};
    }
    return index;
  }

 private:
  static std::string_view checked(std::string_view bytes) {
    std::uint64_t sum = 0;
    if (bytes.size() < sizeof(Header) + sizeof(sum)) throw Unusable{"it is cut off"};
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
    bytes.remove_suffix(sizeof(sum));
    if (XXH3_64bits(bytes.data(), bytes.size()) != sum) throw Unusable{"it is damaged"};
    return bytes;
  }

  /// The checksum keeps accidents out; these checks keep a file that was made to do harm from reading outside memory.
  static Graph graph(Reader& reader, const Header& header, const DocumentIndex::State& state) {
    const std::size_t searchable = state.codes.rows();
    Graph graph;
    const auto is_node = [&](std::uint64_t row) { return row < searchable && state.can_be_found(row); };
    if (header[Layers] > kMostLayers || (header[Layers] > 0 && !is_node(header[Entry])))
      throw Unusable{"it is damaged"};
    // Without a layer a large model would be searched exactly, slowly.
    bool any = false;
    for (std::size_t row = 0; row < searchable && !any; ++row) any = is_node(row);
    if (any != (header[Layers] > 0)) throw Unusable{"it is damaged"};
    graph.entry = static_cast<std::uint32_t>(header[Entry]);
    for (std::uint64_t layer = 0; layer < header[Layers]; ++layer) {
      GraphLayer links;
      links.offsets = reader.take<std::uint32_t>(state.rows.rows + 1);
      if (links.offsets.front() != 0 || !std::ranges::is_sorted(links.offsets)) throw Unusable{"it is damaged"};
      links.links = reader.take<std::uint32_t>(links.offsets.back());
      if (!std::ranges::all_of(links.links, is_node)) throw Unusable{"it is damaged"};
      graph.layers.push_back(std::move(links));
    }
    return graph;
  }
};

std::filesystem::path index_path(const std::filesystem::path& model_path) {
  std::filesystem::path path = model_path;
  return path += ".index";
}

namespace {

/// A note with the reason, or the index.
std::optional<SearchIndex> try_load(const Model& model, const std::filesystem::path& path, int threads,
                                    std::string& note) {
  // Layers have at most 48 links per document, mostly 16; offsets of a few layers, and the map.
  const std::uint64_t most = 4096 + std::uint64_t{1024} * model.documents().size();
  try {
    return IndexFile::read(read_bytes(path, most), model, threads);
  } catch (const Unusable& unusable) {
    if (*unusable.why) note = fmt::format("{}: built anew: {}", path.string(), unusable.why);
  }
  return std::nullopt;
}

}  // namespace

std::optional<SearchIndex> load_search_index(const Model& model, const std::filesystem::path& model_path, int threads) {
  std::string note;
  return try_load(model, index_path(model_path), threads, note);
}

SearchIndex open_search_index(const Model& model, const std::filesystem::path& model_path, const Run& run) {
  const std::filesystem::path path = index_path(model_path);
  std::string note;
  if (auto loaded = try_load(model, path, run.threads, note)) return std::move(*loaded);
  SearchIndex index{DocumentIndex::build(model, run), {}, std::move(note), false};
  index.map = project(model, index.documents, run);
  try {
    OutputFile file(path);
    file.write(IndexFile::bytes(index));
    file.commit();
  } catch (const Error& error) {
    index.note = fmt::format("the index is not kept: {}", error.what());
  }
  return index;
}

}  // namespace idne
