#include "processes.h"

#include <fmt/format.h>

#include "model/digest.h"
#include "terminal.h"

namespace idne::app {
namespace {

Ranks* all_ranks = nullptr;

}  // namespace

Ranks* ranks() { return all_ranks; }
void set_ranks(Ranks* ranks) { all_ranks = ranks && ranks->size() > 1 ? ranks : nullptr; }
bool speaks() { return !all_ranks || all_ranks->first(); }

bool leaves_to_first() {
  const bool leaves = !speaks();
  if (!leaves) set_ranks(nullptr);
  return leaves;
}

void first_does(const std::function<void()>& work) {
  if (!all_ranks) return work();
  std::string usage;
  all_or_none(all_ranks, [&] {
    try {
      if (speaks()) work();
    } catch (const UsageError& error) {
      usage = error.what();
    }
  });
  // Wrong usage has an exit code of its own, which all of them are to have.
  for (const Bytes& said : all_ranks->all_gather(std::as_bytes(std::span<const char>(usage)))) {
    if (!said.empty()) throw UsageError(std::string(reinterpret_cast<const char*>(said.data()), said.size()));
  }
}

bool first_says(const std::function<bool()>& question) {
  bool answer = false;
  first_does([&] { answer = question(); });
  return all_ranks ? any_of(*all_ranks, answer) : answer;
}

Model load_in_all(const std::string& path) {
  Model model;
  all_or_none(all_ranks, [&] { model = Model::load(path); });
  if (!all_ranks) return model;
  const std::vector<std::uint64_t> digests = all_of(*all_ranks, digest_of(model));
  for (std::size_t rank = 1; rank < digests.size(); ++rank) {
    if (digests[rank] != digests[0]) {
      throw Error(fmt::format("{}: process {} has another model by that name than process 0", path, rank));
    }
  }
  return model;
}

}  // namespace idne::app
