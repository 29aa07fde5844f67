#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "math/parallel.h"
#include "methods/network_methods.h"

namespace idne {
namespace {

constexpr std::uint64_t kMostWindows = 64;         // per step
constexpr std::uint64_t kDocumentsPerWindow = 32;  // fewer windows where there are fewer documents
constexpr std::uint64_t kWalksAtOnce = 4096;
constexpr double kNoisePower = 0.75;
constexpr int kNoiseDraws = 8;  // before a negative may be the true one after all

}  // namespace

WalkWindows::WalkWindows(std::vector<std::uint32_t> starts, std::size_t documents, const RememberingWalks& walks,
                         const WindowSettings& settings, const Run& run)
    : starts_(std::move(starts)),
      walks_(walks),
      settings_(settings),
      windows_per_step_(
          std::bit_floor(std::clamp<std::uint64_t>(starts_.size() / kDocumentsPerWindow, 1, kMostWindows))),
      noise_(noise_weights(documents, run)) {}

/// The walks that are numbered alike but for the start go through all starts, each time in another order: by strides,
/// which needs no list.
void WalkWindows::draw_walk(std::uint64_t number, std::span<std::uint32_t> walk) const {
  const std::uint64_t all = starts_.size(), pass = number / all;
  Random order(settings_.seed, Purpose::Entries, pass);
  const auto first = order.below(static_cast<std::uint32_t>(all));
  std::uint64_t stride = order.below(static_cast<std::uint32_t>(all)) | 1;
  while (std::gcd(stride, all) != 1) ++stride;
  walk[0] = starts_[(first + number % all * stride) % all];
  Random random(settings_.seed, Purpose::Walks, number);
  walks_.draw(walk, random);
}

/// How often documents are met on the first walk from each of them, to the power of word2vec.
std::vector<double> WalkWindows::noise_weights(std::size_t documents, const Run& run) const {
  constexpr std::size_t kWalks = 256;
  const std::size_t workers = static_cast<std::size_t>(std::max(1, run.threads));
  std::vector<std::vector<std::uint64_t>> met(workers, std::vector<std::uint64_t>(documents));
  parallel_for(run.threads, (starts_.size() + kWalks - 1) / kWalks, [&](std::size_t part, std::size_t worker) {
    run.check();
    std::vector<std::uint32_t> walk(settings_.length);
    for (std::size_t n = part * kWalks; n < std::min(starts_.size(), (part + 1) * kWalks); ++n) {
      draw_walk(n, walk);
      for (const std::uint32_t document : walk) ++met[worker][document];
    }
  });
  std::vector<double> weights(documents);
  for (std::size_t i = 0; i < documents; ++i) {
    std::uint64_t sum = 0;
    for (const auto& part : met) sum += part[i];
    weights[i] = std::pow(static_cast<double>(sum), kNoisePower);
  }
  return weights;
}

SkipGramSteps WalkWindows::steps(const Run& run) {
  const std::uint64_t at_once = kWalksAtOnce * settings_.length / windows_per_step_;
  const std::uint64_t last = walk_count() % kWalksAtOnce * settings_.length;
  return {walk_count() / kWalksAtOnce * at_once + (last + windows_per_step_ - 1) / windows_per_step_,
          [this](std::uint64_t step, SkipGramStep& out) { make_step(step, out); }, at_once,
          [this, &run](std::uint64_t stretch) { draw_stretch(stretch, run); }};
}

void WalkWindows::draw_stretch(std::uint64_t stretch, const Run& run) {
  const std::uint64_t first = stretch * kWalksAtOnce, length = settings_.length;
  drawn_.resize(std::min(kWalksAtOnce, walk_count() - first) * length);
  constexpr std::size_t kWalks = 64;
  parallel_parts(run.threads, drawn_.size() / length, kWalks, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) draw_walk(first + n, {drawn_.data() + n * length, length});
  });
}

void WalkWindows::make_step(std::uint64_t step, SkipGramStep& out) const {
  out.clear();
  const std::uint64_t length = settings_.length, walks = drawn_.size() / length;
  const std::uint64_t at_once = kWalksAtOnce * length / windows_per_step_;
  const std::uint64_t first = step / at_once * kWalksAtOnce, begin = step % at_once * windows_per_step_;
  for (std::uint64_t n = begin; n < std::min(walks * length, begin + windows_per_step_); ++n) {
    add_window(first + n % walks, n / walks, out);
  }
}

void WalkWindows::add_window(std::uint64_t number, std::size_t at, SkipGramStep& out) const {
  const std::span walk(drawn_.data() + number % kWalksAtOnce * settings_.length, settings_.length);
  Random random(settings_.seed, Purpose::Noise, number * settings_.length + at);
  const std::size_t reach = 1 + random.below(static_cast<std::uint32_t>(settings_.window));
  const std::size_t first = at - std::min(at, reach), last = std::min(walk.size(), at + reach + 1);
  for (std::size_t other = first; other < last; ++other) {
    if (other != at) out.inputs.push_back(walk[other]);
  }
  out.outputs.push_back(walk[at]);
  for (std::size_t k = 0; k < settings_.negatives; ++k) {
    std::uint32_t negative = walk[at];
    for (int tries = 0; tries < kNoiseDraws && negative == walk[at]; ++tries) negative = noise_.draw(random);
    out.outputs.push_back(negative);
  }
  out.end_window();
}

}  // namespace idne
