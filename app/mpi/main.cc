#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "command.h"
#include "math/buffer.h"
#include "math/kernels.h"
#include "mpi/mpi_ranks.h"
#include "processes.h"
#include "terminal.h"

/// idne over several processes: what app/main.cc is for one.
namespace idne::app {
namespace {

/// IDNE_DELAY=2000: microseconds before every meeting, as if the network were so slow (docs/scale.md).
std::chrono::microseconds asked_delay() {
  const char* text = std::getenv("IDNE_DELAY");
  int delay = 0;
  if (text) std::from_chars(text, text + std::strlen(text), delay);
  return std::chrono::microseconds(std::max(0, delay));
}

/// Differs where products are rounded before they are added: one processor without fused multiply-add among others
/// would put results of its own between theirs.
std::uint64_t rounding() {
  std::array<float, 2 * kBlock> rows;
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = 1 / (static_cast<float>(k) + 3);
  const std::array<Term, 2> terms{{{0, rows[0]}, {1, rows[4]}}};
  std::array<float, kBlock> sums;
  weighted_sum(rows.data(), kBlock, terms.data(), terms.size(), kBlock, sums.data());
  return XXH3_64bits(sums.data(), sizeof sums);
}

std::uint64_t digest_of_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<char> bytes(std::size_t{1} << 20);
  XXH64_hash_t digest = 0;
  while (file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || file.gcount() > 0) {
    digest = XXH3_64bits_withSeed(bytes.data(), static_cast<std::size_t>(file.gcount()), digest);
  }
  return digest;
}

int run(MpiRanks& ranks, const std::vector<std::string>& arguments) {
  Outcome outcome;
  try {
    // The first difference would be waited for in vain, or be in the model.
    check_all_same(ranks, digest_of_program(), "runs another build of idne-mpi than");
    check_all_same(ranks, rounding(), "has a processor that rounds otherwise than that of");
    outcome = outcome_of(arguments);
  } catch (const Error& error) {
    outcome = {1, fmt::format("idne: error: {}\n", error.what())};
  }
  set_ranks(nullptr);  // whoever has something to say now may
  if (ranks.all_end(outcome.code != 0)) {
    const std::vector<int> codes = all_of(ranks, outcome.code);
    const auto first_failed = std::ranges::find_if(codes, [](int code) { return code != 0; });
    if (first_failed - codes.begin() == static_cast<std::ptrdiff_t>(ranks.number())) say_to_stderr(outcome.message);
    return outcome.code;
  }
  // Something that happened here alone: the others would wait for this process for ever.
  say_to_stderr(outcome.message);
  tell("idne: process {} of {} failed, and so all end\n", ranks.number(), ranks.size());
  ranks.abort(outcome.code);
}

}  // namespace
}  // namespace idne::app

int main(int argc, char** argv) {
  idne::keep_freed_memory();
  idne::app::open_standard_streams();
  idne::app::fail_beyond_file_limit();
  idne::app::end_without_memory();
  idne::MpiRanks ranks(idne::app::asked_delay());
  idne::app::set_ranks(&ranks);
  const int code = idne::app::run(ranks, {argv + 1, argv + argc});
  idne::app::set_ranks(nullptr);
  return code;
}
