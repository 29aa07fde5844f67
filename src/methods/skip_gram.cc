#include "methods/skip_gram.h"

#include <algorithm>
#include <cmath>

#include "math/buffer.h"
#include "methods/training.h"

namespace idne {

/// A step, with how much of its gradient each row goes along.
struct SkipGramTrainer::Prepared {
  SkipGramStep step;
  double rate;
  std::vector<float> input_scales, output_scales;
};

/// What one member of the team owns: a range of blocks of dimensions, in memory of its own.
struct SkipGramTrainer::Slice {
  Slice(std::size_t documents, const SkipGramSettings& settings, DimensionTeam::Member& member)
      : member(member),
        input_rows(documents * member.blocks() * kBlock),
        output_rows(settings.one_space ? 0 : input_rows.size()),
        input_count(documents),
        output_count(settings.one_space ? 0 : documents),
        rows{input_rows.data(), settings.one_space ? input_rows.data() : output_rows.data(), member.blocks()} {}

  PairWindow window(const SkipGramStep& step, std::size_t n, std::size_t outputs) const {
    return {step.inputs.data() + step.begin[n], step.begin[n + 1] - step.begin[n], step.outputs.data() + n * outputs,
            outputs};
  }

  DimensionTeam::Member& member;
  Buffer input_rows, output_rows;
  std::vector<std::uint32_t> input_count, output_count;  ///< zeros, but while scales are found
  PairRows rows;
  std::vector<float> slopes;  ///< scores, and then how far to go, of all pairs of the step
  std::vector<float> scratch;
};

SkipGramTrainer::SkipGramTrainer(std::size_t documents, const SkipGramSettings& settings,
                                 const std::vector<float>& start, int threads)
    : documents_(documents),
      settings_(settings),
      recent_loss_(std::nan("")),
      prepared_(kStepsAhead),
      team_(settings.dimensions, threads) {
  for (std::size_t m = 0; m < team_.size(); ++m) {
    slices_.push_back(std::make_unique<Slice>(documents, settings, team_[m]));
  }
  fill(&PairRows::inputs, start);
}

SkipGramTrainer::~SkipGramTrainer() = default;

std::vector<float> SkipGramTrainer::vectors(float* PairRows::*space) const {
  const std::size_t dimensions = settings_.dimensions;
  std::vector<float> vectors(documents_ * dimensions);
  for (const auto& slice : slices_) {
    const std::size_t from = slice->member.first_block() * kBlock, width = slice->rows.width();
    for (std::size_t i = 0; i < documents_; ++i) {
      std::copy_n(slice->rows.*space + i * width, std::min(width, dimensions - from),
                  vectors.data() + i * dimensions + from);
    }
  }
  return vectors;
}

void SkipGramTrainer::fill(float* PairRows::*space, std::span<const float> vectors) {
  const std::size_t dimensions = settings_.dimensions;
  for (const auto& slice : slices_) {
    const std::size_t from = slice->member.first_block() * kBlock, width = slice->rows.width();
    for (std::size_t i = 0; i * dimensions < vectors.size(); ++i) {
      std::copy_n(vectors.data() + i * dimensions + from, std::min(width, dimensions - from),
                  slice->rows.*space + i * width);
    }
  }
}

double SkipGramTrainer::rate(std::uint64_t step, std::uint64_t count) const {
  const double gone = static_cast<double>(step) / static_cast<double>(count);
  return settings_.learning_rate + gone * (settings_.last_rate - settings_.learning_rate);
}

void SkipGramTrainer::advance(const SkipGramSteps& steps, const Run& run) {
  while (done_ < steps.count) {
    const std::uint64_t number = done_ / steps.stretch;
    const std::uint64_t end = steps.count / steps.stretch > number ? (number + 1) * steps.stretch : steps.count;
    if (steps.make_ready) steps.make_ready(number);
    const StepLoop loop{.begin = done_,
                        .end = end,
                        .prepare =
                            [&](std::size_t member, std::uint64_t s, std::size_t place) {
                              steps.make(s, prepared_[place].step);
                              prepared_[place].rate = rate(s, steps.count);
                              find_scales(*slices_[member], prepared_[place]);
                            },
                        .take = [&](std::size_t member, std::uint64_t,
                                    std::size_t place) { return step(*slices_[member], prepared_[place]); },
                        .taken = [&](std::uint64_t done) { done_ = done; },
                        .progress =
                            [&] {
                              return Progress{"training", done_, steps.count, recent_loss_};
                            },
                        .state = [&] { return state(steps.count); }};
    run_steps(team_, loop, run);
  }
}

void SkipGramTrainer::find_scales(Slice& slice, Prepared& prepared) const {
  const SkipGramStep& step = prepared.step;
  const auto outputs = static_cast<std::uint32_t>(1 + settings_.negatives);
  std::vector<std::uint32_t>& in = slice.input_count;
  std::vector<std::uint32_t>& out = settings_.one_space ? slice.input_count : slice.output_count;
  const auto for_each_output = [&](const auto& visit) {
    for (std::size_t n = 0; n < step.windows(); ++n) {
      for (std::size_t k = n * outputs; k < (n + 1) * outputs; ++k) visit(k, step.begin[n + 1] - step.begin[n]);
    }
  };
  for (const std::uint32_t input : step.inputs) in[input] += outputs;
  for_each_output([&](std::size_t k, std::uint32_t inputs) { out[step.outputs[k]] += inputs; });
  const auto scale = [most = kMostMoved / prepared.rate](std::uint32_t pairs) {
    return pairs > most ? static_cast<float>(most / pairs) : 1.0f;
  };
  prepared.input_scales.clear();
  prepared.output_scales.clear();
  for (const std::uint32_t input : step.inputs) prepared.input_scales.push_back(scale(in[input]));
  for (const std::uint32_t output : step.outputs) prepared.output_scales.push_back(scale(out[output]));
  for (const std::uint32_t input : step.inputs) in[input] = 0;
  for (const std::uint32_t output : step.outputs) out[output] = 0;
}

Work SkipGramTrainer::step(Slice& slice, const Prepared& prepared) {
  const SkipGramStep& step = prepared.step;
  const std::size_t outputs = 1 + settings_.negatives, pairs = step.inputs.size() * outputs;
  const std::span<float> own = slice.member.contribute(pairs);
  for (std::size_t n = 0; n < step.windows(); ++n) {
    window_scores(slice.rows, slice.window(step, n, outputs), pairs, own.data() + step.begin[n] * outputs);
  }
  slice.slopes.assign(pairs, static_cast<float>(-settings_.noise_bias));
  for (std::size_t at = 0; at < pairs; at += outputs) slice.slopes[at] = static_cast<float>(-settings_.true_bias);
  (co_await slice.member.gather()).add_to(slice.slopes);
  find_slopes(slice, prepared);
  for (std::size_t n = 0; n < step.windows(); ++n) {
    const PairWindow window = slice.window(step, n, outputs);
    const PairScales scales{prepared.input_scales.data() + step.begin[n], prepared.output_scales.data() + n * outputs};
    slice.scratch.resize(std::max(slice.scratch.size(), (window.input_count + outputs) * kBlock));
    window_update(slice.rows, window, slice.slopes.data() + step.begin[n] * outputs, scales, slice.scratch.data());
  }
}

/// From scores to rate · (1 − σ) for true pairs and −rate · σ for others.
void SkipGramTrainer::find_slopes(Slice& slice, const Prepared& prepared) {
  const std::size_t outputs = 1 + settings_.negatives;
  std::vector<float>& slopes = slice.slopes;
  logistic(slopes.data(), slopes.size());
  if (slice.member.number() == 0 && !slopes.empty()) {  // the first input of a step says enough
    double loss = -std::log(std::max(1e-30, static_cast<double>(slopes[0])));
    for (std::size_t k = 1; k < outputs; ++k) loss -= std::log(std::max(1e-30, 1 - static_cast<double>(slopes[k])));
    recent_loss_ = std::isnan(recent_loss_) ? loss : recent_loss_ + 0.001 * (loss - recent_loss_);
  }
  const auto scale = static_cast<float>(prepared.rate);
  for (float& slope : slopes) slope *= -scale;
  for (std::size_t at = 0; at < slopes.size(); at += outputs) slopes[at] += scale;
}

SavedState SkipGramTrainer::state(std::uint64_t total) const {
  SavedState state = steps_state(done_, total);
  state.set_number("done", done_);
  state.set("loss", std::vector{recent_loss_});
  state.set("inputs", inputs());
  if (!settings_.one_space) state.set("outputs", outputs());
  return state;
}

void SkipGramTrainer::restore(const SavedState& state) {
  const std::size_t size = documents_ * settings_.dimensions;
  done_ = state.number("done");
  recent_loss_ = state.real("loss");
  fill(&PairRows::inputs, state.floats("inputs", size));
  if (!settings_.one_space) fill(&PairRows::outputs, state.floats("outputs", size));
}

}  // namespace idne
