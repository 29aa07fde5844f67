#include "search/index_file.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

namespace idne {
namespace {

constexpr std::uint64_t kIndexMagic = 0x78646e69'656e6469;  // "idneindx"
constexpr std::uint64_t kDraftMagic = 0x74726170'656e6469;  // "idnepart"
constexpr std::uint64_t kVersion = 2;                       // higher whenever a graph or map would come out different
constexpr std::size_t kMostLayers = 32;
enum Field { Magic, Version, Vectors, Rows, Columns, Layers, Entry, Recall, kFields, Linked = Recall };
using Header = std::array<std::uint64_t, kFields>;

/// What the index was made from: other documents, another index.
std::uint64_t hash_of(MatrixView rows) { return XXH3_64bits(rows.data, rows.rows * rows.columns * sizeof(float)); }

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

template <class T>
void append(std::string& bytes, const T& values) {
  bytes.append(reinterpret_cast<const char*>(std::data(values)), std::size(values) * sizeof(*std::data(values)));
}

std::string bytes_of(std::uint64_t magic, MatrixView rows, const Graph& graph, std::uint64_t recall_or_linked) {
  Header header{};
  header[Magic] = magic;
  header[Version] = kVersion;
  header[Vectors] = hash_of(rows);
  header[Rows] = rows.rows;
  header[Columns] = rows.columns;
  header[Layers] = graph.layers.size();
  header[Entry] = graph.entry;
  header[Recall] = recall_or_linked;
  std::string bytes;
  append(bytes, header);
  for (const GraphLayer& layer : graph.layers) {
    append(bytes, layer.offsets);
    append(bytes, layer.links);
  }
  return bytes;
}

void sign(std::string& bytes) { append(bytes, std::array{XXH3_64bits(bytes.data(), bytes.size())}); }

std::string_view checked(std::string_view bytes) {
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof(Header) + sizeof(sum)) throw Unusable{"it is cut off"};
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
  bytes.remove_suffix(sizeof(sum));
  if (XXH3_64bits(bytes.data(), bytes.size()) != sum) throw Unusable{"it is damaged"};
  return bytes;
}

Header header_from(Reader& reader, std::uint64_t magic, MatrixView rows) {
  Header header{};
  std::ranges::copy(reader.take<std::uint64_t>(kFields), header.begin());
  if (header[Magic] != magic) throw Unusable{"it is no index"};
  if (header[Version] != kVersion) throw Unusable{"another version of idne wrote it"};
  if (header[Rows] != rows.rows || header[Columns] != rows.columns || header[Vectors] != hash_of(rows)) {
    throw Unusable{"it belongs to another model"};
  }
  return header;
}

/// The checksum keeps accidents out; these checks keep a file that was made to do harm from reading outside memory.
Graph graph_from(Reader& reader, const Header& header, const IndexState& state) {
  const std::size_t searchable = state.codes.rows();
  const auto is_node = [&](std::uint64_t row, std::size_t layer) {
    return row < searchable && state.can_be_found(row) && state.levels[row] >= layer;
  };
  if (header[Layers] > kMostLayers || (header[Layers] > 0 && !is_node(header[Entry], header[Layers] - 1))) {
    throw Unusable{"it is damaged"};
  }
  // Without a layer a large model would be searched exactly, slowly.
  bool any = false;
  for (std::size_t row = 0; row < searchable && !any; ++row) any = is_node(row, 0);
  if (any != (header[Layers] > 0)) throw Unusable{"it is damaged"};
  Graph graph;
  graph.entry = static_cast<std::uint32_t>(header[Entry]);
  for (std::uint64_t layer = 0; layer < header[Layers]; ++layer) {
    GraphLayer links;
    links.offsets = reader.take<std::uint32_t>(state.rows.rows + 1);
    if (links.offsets.front() != 0 || !std::ranges::is_sorted(links.offsets)) throw Unusable{"it is damaged"};
    links.links = reader.take<std::uint32_t>(links.offsets.back());
    const auto is_here = [&](std::uint32_t row) { return is_node(row, layer); };
    for (std::size_t row = 0; row < state.rows.rows; ++row) {
      const std::size_t most = is_node(row, layer) ? most_links(layer) : 0;
      if (links.of(row).size() > most) throw Unusable{"it is damaged"};
    }
    if (!std::ranges::all_of(links.links, is_here)) throw Unusable{"it is damaged"};
    graph.layers.push_back(std::move(links));
  }
  return graph;
}

bool all_finite(const std::vector<float>& numbers) {
  return std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); });
}

}  // namespace

std::string index_bytes(const SearchIndex& index) {
  const IndexState& state = index.documents.state();
  std::string bytes = bytes_of(kIndexMagic, state.rows, state.graph, std::bit_cast<std::uint64_t>(state.recall));
  append(bytes, index.map);
  append(bytes, std::array{std::uint64_t{index.answers.size()}});
  append(bytes, index.answers);
  sign(bytes);
  return bytes;
}

SearchIndex index_from(std::string_view bytes, const Model& model, int threads) {
  Reader reader(checked(bytes));
  const Header header = header_from(reader, kIndexMagic, model.documents().vectors);
  const auto state = std::make_shared<IndexState>(model, threads);
  state->graph = graph_from(reader, header, *state);
  state->recall = std::bit_cast<double>(header[Recall]);
  SearchIndex index{DocumentIndex(state), reader.take<float>(2 * state->rows.rows), "", "", true};
  if (!reader.at_end()) {  // files of before 0.4 end here
    const auto answers = reader.take<char>(reader.take<std::uint64_t>(1)[0]);
    index.answers.assign(answers.begin(), answers.end());
  }
  if (!all_finite(index.map) || !reader.at_end() || !(state->recall >= 0 && state->recall <= 1)) {
    throw Unusable{"it is damaged"};
  }
  return index;
}

std::string draft_bytes(const IndexState& state, const Graph& graph, std::size_t linked, const MapDraft& map) {
  std::string bytes = bytes_of(kDraftMagic, state.rows, graph, linked);
  append(bytes, std::array{std::uint64_t{map.rounds}, std::uint64_t{map.places.size()}});
  append(bytes, map.places);
  sign(bytes);
  return bytes;
}

IndexDraft draft_from(std::string_view bytes, const IndexState& state) {
  Reader reader(checked(bytes));
  const Header header = header_from(reader, kDraftMagic, state.rows);
  IndexDraft draft;
  draft.graph = {graph_from(reader, header, state), header[Linked]};
  const auto map = reader.take<std::uint64_t>(2);
  draft.map = {reader.take<float>(map[1]), map[0]};
  const std::size_t places = draft.map.places.size();
  if (header[Linked] > state.findable_rows().size() || (places != 0 && places != 2 * state.rows.rows) ||
      !all_finite(draft.map.places) || !reader.at_end()) {
    throw Unusable{"it is damaged"};
  }
  return draft;
}

std::string index_file_bytes(const std::filesystem::path& path, std::size_t documents) {
  // Layers have at most 48 links per document, mostly 16; offsets of a few layers, the map; what topics are about.
  const std::uint64_t most = (std::uint64_t{64} << 20) + std::uint64_t{1024} * documents;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw Unusable{""};
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error || size > most) throw Unusable{"it has a wrong size"};
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) throw Unusable{"it cannot be read"};
  return bytes;
}

}  // namespace idne
