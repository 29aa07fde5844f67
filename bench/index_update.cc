// Times the search index of a model: built anew, brought along when documents are added, and over twenty rounds in
// which a hundredth is replaced. Prints seconds, and the share of the ten nearest that is found.
//   index_update MODEL THREADS
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <vector>

#include "idne/search_index.h"
#include "math/random.h"
#include "model/tensors.h"

namespace {

using namespace idne;

/// A model of some documents of another one, which has vectors and nothing else.
Model part_of(const Model& model, const std::vector<std::uint32_t>& rows) {
  const MatrixView all = model.documents().vectors;
  std::vector<float> vectors;
  for (const std::uint32_t row : rows) vectors.insert(vectors.end(), all.row(row).begin(), all.row(row).end());
  Model part;
  ModelMaker(part).set(layout::kDocumentVectors, std::move(vectors), rows.size(), all.columns);
  return part;
}

template <class Work>
auto timed(const char* what, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  auto result = work();
  fmt::print("{:28}{:8.3f} s {:8.3f} s of processors", what,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
             static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
  return result;
}

void tell_recall(const DocumentIndex& index, const Run& run) {
  fmt::print("   recall {:.4f} of 200, {:.4f} of 2,000\n", index.recall(), index.measure_recall(2000, 10, run));
}

/// former[i] for documents that are named by their rows in one model.
std::vector<std::uint32_t> former_rows(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now,
                                       std::size_t all) {
  std::vector<std::uint32_t> row_before(all, kNotThere), former;
  for (std::uint32_t i = 0; i < before.size(); ++i) row_before[before[i]] = i;
  for (const std::uint32_t document : now) former.push_back(row_before[document]);
  return former;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fmt::print(stderr, "usage: index_update MODEL THREADS\n"), 2;
  const Model model = Model::load(argv[1]);
  const Run run{.threads = std::atoi(argv[2]), .progress = {}, .stopped = {}};
  const std::size_t all = model.documents().size();
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0u);
  Random random(1, Purpose::Generate, 0);
  shuffle(order, random);

  // 200 documents are added.
  std::vector<std::uint32_t> before(order.begin() + 200, order.end()), now = before;
  now.insert(now.end(), order.begin(), order.begin() + 200);
  const Model old_model = part_of(model, before), new_model = part_of(model, now);
  SearchIndex old{timed("built anew", [&] { return DocumentIndex::build(old_model, run); }), {}, "", {}};
  tell_recall(old.documents, run);
  old.map.assign(2 * before.size(), 0.5f);
  const SearchIndex added =
      timed("200 added", [&] { return update_search_index(old, new_model, former_rows(before, now, all), run); });
  tell_recall(added.documents, run);

  // A hundredth is kept aside; in each round as many are taken out and others put in.
  const std::size_t churn = all / 100;
  std::vector<std::uint32_t> aside(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(churn));
  std::vector<std::uint32_t> current(order.begin() + static_cast<std::ptrdiff_t>(churn), order.end());
  SearchIndex index{
      DocumentIndex::build(part_of(model, current), run), std::vector<float>(2 * current.size(), 0.5f), "", {}};
  fmt::print("{:56}", "before the rounds");
  tell_recall(index.documents, run);
  for (int round = 1; round <= 20; ++round) {
    std::vector<std::uint32_t> next = current;
    shuffle(next, random);
    std::vector<std::uint32_t> out(next.end() - static_cast<std::ptrdiff_t>(churn), next.end());
    next.resize(next.size() - churn);
    next.insert(next.end(), aside.begin(), aside.end());
    const Model next_model = part_of(model, next);
    const auto former = former_rows(current, next, all);
    index = timed(fmt::format("round {}", round).c_str(),
                  [&] { return update_search_index(index, next_model, former, run); });
    tell_recall(index.documents, run);
    current = std::move(next);
    aside = std::move(out);
  }
  const DocumentIndex fresh = timed("built anew", [&] { return DocumentIndex::build(part_of(model, current), run); });
  tell_recall(fresh, run);
}
