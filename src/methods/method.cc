#include "methods/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>

#include "idne/error.h"
#include "math/parallel.h"
#include "methods/cane.h"
#include "methods/graph2gauss.h"
#include "methods/gvnrt.h"
#include "methods/idne.h"
#include "methods/lsa.h"
#include "methods/neighbour_join.h"
#include "methods/network_methods.h"
#include "methods/tadw.h"
#include "text/nearest_name.h"

namespace idne {

std::span<const Method* const> methods() {
  static const std::array<const Method*, 9> all{&idne_method(),     &lsa_method(),         &tadw_method(),
                                                &gvnrt_method(),    &graph2gauss_method(), &cane_method(),
                                                &deepwalk_method(), &node2vec_method(),    &verse_method()};
  return all;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Method* method : methods()) {
    if (method->name() == name) return *method;
    known.emplace_back(method->name());
  }
  throw Error(fmt::format("no method '{}'; there are: {}{}", name, fmt::join(known, ", "), hint_at(name, known)));
}

std::span<const OptionSpec> training_options(const Method& method) {
  static const auto tables = [] {
    std::map<std::string_view, std::vector<OptionSpec>> all;
    for (const Method* one : methods()) {
      auto& table = all[one->name()];
      table.assign(one->options().begin(), one->options().end());
      std::ranges::copy(NeighbourJoin::options(), std::back_inserter(table));
    }
    return all;
  }();
  return tables.at(method.name());
}

Options options_of(const Model& model) {
  Options options(training_options(find_method(model.info().method)));
  for (const auto& [name, value] : model.info().options) {
    if (options.has(name)) options.set(name, to_text(value));
  }
  return options;
}

double Method::train_further(const Corpus&, const Options&, Further&, const Run&) const {
  throw Error(fmt::format(
      "a model of the method {} cannot be trained further; update it without --steps, or train again", name()));
}

std::vector<float> encode_all(const CountMatrix& counts, const Encoder& encoder, const Run& run) {
  const std::size_t dimensions = encoder.dimensions();
  std::vector<float> vectors(counts.rows() * dimensions);
  constexpr std::size_t kRows = 1024;
  parallel_parts(run.threads, counts.rows(), kRows, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t i = begin; i < end; ++i) {
      encoder.encode(counts.row(i), {vectors.data() + i * dimensions, dimensions});
    }
  });
  return vectors;
}

}  // namespace idne
