#include "methods/network_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/training.h"
#include "model/tensors.h"

namespace idne {

std::unique_ptr<Encoder> NetworkMethod::encoder(const Model& model) const {
  throw Error(
      fmt::format("{} cannot embed new documents: it learns from links and reads no texts; "
                  "use idne, lsa, tadw, gvnrt or graph2gauss",
                  model.info().method));
}

std::vector<std::uint32_t> NetworkMethod::linked_documents(const Network& network) const {
  std::vector<std::uint32_t> linked;
  for (std::uint32_t i = 0; i < network.documents(); ++i) {
    if (network.degree(i) > 0) linked.push_back(i);
  }
  if (linked.empty()) throw Error(fmt::format("{} learns from links alone, and the corpus has none", name()));
  return linked;
}

Model NetworkMethod::learn(std::size_t documents, std::span<const std::uint32_t> linked,
                           const SkipGramSettings& settings, double range, std::uint64_t seed,
                           const SkipGramSteps& steps, const Run& run) {
  const std::size_t width = settings.dimensions;
  const SavedState* saved = saved_steps(run);
  SkipGramTrainer trainer(documents, settings,
                          saved ? std::vector<float>()
                                : uniform_rows(documents, width, range, seed, Purpose::ParameterStart, 0, run.threads),
                          run.threads);
  if (saved) trainer.restore(*saved);
  if (trainer.steps_done() < steps.count) trainer.advance(steps, run);
  save_steps(run, [&] { return trainer.state(steps.count); });
  const std::vector<float> learned = trainer.inputs();
  std::vector<float> vectors(learned.size());
  for (const std::uint32_t i : linked) std::copy_n(learned.data() + i * width, width, vectors.data() + i * width);
  Model model;
  ModelMaker maker(model);
  maker.set(layout::kDocumentVectors, std::move(vectors), documents, width);
  if (!std::isnan(trainer.recent_loss())) maker.info().loss = trainer.recent_loss();
  return model;
}

}  // namespace idne
