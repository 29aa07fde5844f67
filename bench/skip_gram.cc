// Trains deepwalk, node2vec or verse on a corpus, as it comes.
//   skip_gram CORPUS METHOD THREADS fit VECTORS     writes the vectors (float32, row after row)
//   skip_gram CORPUS METHOD THREADS walks FILE      writes what it is trained on: the same walks, one per line; for
//   verse
//                                                   half as many pairs, because in a line of two each predicts the
//                                                   other
// Prints one JSON object: documents, dimensions, and for `fit` the seconds that it took, the walking among them.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "methods/method.h"
#include "methods/network_methods.h"

namespace {

using namespace idne;

std::vector<std::uint32_t> linked_documents(const Network& network) {
  std::vector<std::uint32_t> linked;
  for (std::uint32_t i = 0; i < network.documents(); ++i) {
    if (network.degree(i) > 0) linked.push_back(i);
  }
  return linked;
}

void write_pairs(const Network& network, const Options& options, std::ostream& out) {
  const auto linked = linked_documents(network);
  Random random(1, Purpose::Restarts, 0);
  for (std::size_t n = 0; n < options.size("pairs") * linked.size() / 2; ++n) {
    const std::uint32_t from = linked[random.below(static_cast<std::uint32_t>(linked.size()))];
    out << from << ' ' << draw_restart_end(network, from, options.real("go-on"), random) << '\n';
  }
}

void write_walks(const Network& network, const Options& options, const Run& run, std::ostream& out) {
  const double p = options.has("p") ? options.real("p") : 1, q = options.has("q") ? options.real("q") : 1;
  const RememberingWalks walks(network, p, q);
  const WalkWindows windows(linked_documents(network), network.documents(), walks,
                            {options.size("walks"), options.size("walk-length"), options.size("window"),
                             options.size("negatives"), static_cast<std::uint64_t>(options.integer("seed"))},
                            run);
  std::vector<std::uint32_t> walk(options.size("walk-length"));
  for (std::uint64_t n = 0; n < windows.walk_count(); ++n) {
    windows.draw_walk(n, walk);
    for (const std::uint32_t document : walk) out << document << ' ';
    out << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return fmt::print(stderr, "usage: skip_gram CORPUS METHOD THREADS fit|walks FILE\n"), 2;
  const Run run{.threads = std::atoi(argv[3]), .progress = {}, .stopped = {}};
  const Corpus corpus = make_corpus(read_collection(argv[1], {}, run), {});
  const Method& method = find_method(argv[2]);
  const Options options(method.options());
  std::ofstream out(argv[5], std::ios::binary);
  double seconds = 0;
  if (std::string(argv[4]) == "walks") {
    options.has("pairs") ? write_pairs(corpus.network, options, out) : write_walks(corpus.network, options, run, out);
  } else {
    const auto start = std::chrono::steady_clock::now();
    const Model model = method.fit(corpus, options, run);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const MatrixView vectors = model.documents().vectors;
    out.write(reinterpret_cast<const char*>(vectors.data),
              static_cast<std::streamsize>(vectors.rows * vectors.columns * sizeof(float)));
  }
  out.close();
  if (!out) return fmt::print(stderr, "cannot write {}\n", argv[5]), 1;
  fmt::print("{{\"documents\": {}, \"dim\": {}, \"window\": {}, \"negatives\": {}, \"seconds\": {:.6f}}}\n",
             corpus.documents(), options.size("dim"), options.has("window") ? options.size("window") : 1,
             options.size("negatives"), seconds);
}
