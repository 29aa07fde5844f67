#include <xxhash.h>

#include <array>
#include <chrono>
#include <cstring>

#include "corpus/bags.h"
#include "evaluate/jobs.h"
#include "idne/checkpoint.h"
#include "idne/corpus.h"
#include "idne/error.h"
#include "idne/train.h"
#include "math/ranks.h"
#include "scratch.h"
#include "search/index_file.h"
#include "search/search_test_models.h"
#include "serve/kept_answers.h"
#include "targets.h"

/// What programs keep for themselves or send to each other, and read again: indexes, checkpoints, words of other
/// processes.
namespace idne::fuzz {
namespace {

using namespace std::chrono_literals;

void sign(std::string& index) {
  if (index.size() < sizeof(XXH64_hash_t)) return;
  const std::size_t size = index.size() - sizeof(XXH64_hash_t);
  const XXH64_hash_t sum = XXH3_64bits(index.data(), size);
  std::memcpy(index.data() + size, &sum, sizeof sum);
}

Model trained(const Run& run) {
  const std::string text = small_documents();
  const BytesAsFile file(text);
  const MethodInfo method = known_methods().front();
  Options options(method.options);
  for (const auto& [name, value] : {std::pair{"dim", "4"}, {"topics", "2"}, {"steps", "20"}}) options.set(name, value);
  return train(read_collection(file.path(), {}, Run{}), method.name, options, {1, 1.0}, run);
}

/// The first that a training keeps.
std::string whole_checkpoint() {
  const Scratch scratch;
  const fs::path file = scratch.folder() / "r.ck";
  Checkpoint checkpoint(file, 0s);
  Run run;
  run.checkpoint = &checkpoint;
  run.stopped = [&] { return !checkpoint.empty(); };
  try {
    trained(run);
  } catch (const Interrupted&) {
  }
  return contents_of(file);
}

/// Three processes, of which the others say what the bytes say.
class StrangeRanks : public Ranks {
 public:
  explicit StrangeRanks(std::string_view bytes) : bytes_(bytes) {}
  std::size_t number() const override { return 0; }
  std::size_t size() const override { return 3; }

 protected:
  std::vector<Bytes> do_all_gather(std::span<const std::byte> own) override {
    return {Bytes(own.begin(), own.end()), next(), next()};
  }
  std::vector<Bytes> do_gather(std::span<const std::byte> own) override { return do_all_gather(own); }
  std::vector<Bytes> do_exchange(const std::vector<Bytes>& to) override { return {to.front(), next(), next()}; }
  void do_broadcast(std::size_t, std::span<std::byte>) override {}
  void do_all_gather(std::span<const float>, std::span<const std::size_t>, std::span<float>) override {}
  void do_add_up(std::span<std::uint64_t>) override {}

 private:
  /// A byte says how many follow.
  Bytes next() {
    if (bytes_.empty()) return {};
    const auto size = std::min<std::size_t>(static_cast<unsigned char>(bytes_[0]), bytes_.size() - 1);
    const auto part = std::as_bytes(std::span(bytes_.substr(1, size)));
    bytes_.remove_prefix(1 + size);
    return {part.begin(), part.end()};
  }
  std::string_view bytes_;
};

}  // namespace

std::string changed(std::string file, std::string_view bytes) {
  constexpr std::size_t kHead = 4;
  while (bytes.size() > kHead) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < kHead - 1; ++k) at = 256 * at + static_cast<unsigned char>(bytes[k]);
    const std::size_t size = std::min<std::size_t>(static_cast<unsigned char>(bytes[kHead - 1]), bytes.size() - kHead);
    at %= std::max<std::size_t>(file.size(), 1);
    if (size == 0) {
      file.resize(at);
    } else {
      file.replace(at, size, bytes.substr(kHead, size));
    }
    bytes.remove_prefix(kHead + size);
  }
  return file;
}

void index(std::string_view bytes) {
  constexpr std::size_t kRows = IndexState::kExactBelow + 4, kColumns = 3;
  static const Model model = model_of(clustered_vectors(kRows, kColumns, 20, 0.3f), kColumns);
  static const auto state = std::make_shared<IndexState>(model, 1);
  static const std::array whole = [] {
    const DocumentIndex built = DocumentIndex::build(model, Run{});
    const std::string answers = bytes_of({std::vector<std::size_t>(kRows), {}, 0.5f, {}, {}}, "v");
    const SearchIndex kept{built, std::vector<float>(2 * kRows, 0.5f), answers, "", false};
    return std::array{index_bytes(kept), draft_bytes(*state, built.state().graph, kRows / 2, {})};
  }();
  try {
    std::string file = changed(whole[0], bytes);
    sign(file);
    const SearchIndex read = index_from(file, model, 1);
    for (const std::size_t row : {std::size_t{0}, kRows / 2, kRows - 1}) read.documents.neighbours(row, 10);
    kept_answers(read.answers, model, "v");
  } catch (const Unusable&) {
  }
  try {
    std::string file = changed(whole[1], bytes);
    sign(file);
    draft_from(file, *state);
  } catch (const Unusable&) {
  }
}

void checkpoint(std::string_view bytes) {
  static const std::string whole = whole_checkpoint();
  std::string text = changed(whole, bytes);
  seal(text);
  const BytesAsFile file(text);
  Checkpoint resumed("/dev/null", 1h);
  resumed.resume_from(file.path());
  Run run;
  run.checkpoint = &resumed;
  trained(run);
}

void processes(std::string_view bytes) {
  const auto each = [](auto work) {
    try {
      work();
    } catch (const Error&) {
    } catch (const Interrupted&) {  // another may say that it was stopped
    }
  };
  each([&] {
    StrangeRanks ranks(bytes);
    check_all_same(ranks, 0, "differs from");
  });
  each([&] {
    StrangeRanks ranks(bytes);
    all_or_none(&ranks, [] {});
    any_of(ranks, false);
  });
  each([&] {
    Unpacker from(std::as_bytes(std::span(bytes)));
    std::vector<WordCount> bag;
    while (!from.done()) unpack(from, bag);
  });
  each([&] { unpacked(Job{}, std::as_bytes(std::span(bytes))); });
}

}  // namespace idne::fuzz
