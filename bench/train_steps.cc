// Times training steps on a corpus: the plain twin, and the trainer with some numbers of threads, in turns.
//   train_steps CORPUS STOP-WORDS STEPS ROUNDS [plain|1|2 …]
// Prints one JSON object: for each contestant the seconds of each round, and the last mean loss.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "math/kernels.h"
#include "methods/idne_trainer.h"
#include "plain_idne.h"

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return fmt::print(stderr, "usage: train_steps CORPUS STOP-WORDS STEPS ROUNDS plain|THREADS …\n"), 2;
  using namespace idne;
  const Run run{.threads = 2, .progress = {}, .stopped = {}};
  const Corpus corpus = make_corpus(read_collection(argv[1], {argv[2], false}, run), {});
  const auto steps = std::strtoull(argv[3], nullptr, 10);
  const int rounds = std::atoi(argv[4]);
  const IdneSettings settings;
  const auto words = random_start(corpus.words(), settings.dimensions, settings.seed, false, 2);
  const auto topics = random_start(settings.topics, settings.dimensions, settings.seed, true, 2);

  std::map<std::string, std::vector<double>> seconds;
  std::map<std::string, double> loss;
  for (int round = 0; round < rounds; ++round) {
    for (int a = 5; a < argc; ++a) {
      const std::string contestant = argv[a];
      if (contestant == "plain") {
        PlainIdne<float> plain(corpus, settings, words, topics);
        const auto start = std::chrono::steady_clock::now();
        for (std::uint64_t s = 0; s < steps; ++s) loss[contestant] = plain.step();
        seconds[contestant].push_back(seconds_since(start));
      } else {
        Run run;
        run.threads = std::stoi(contestant);
        IdneTrainer trainer(corpus, settings, words, topics, run);
        const auto start = std::chrono::steady_clock::now();
        trainer.advance(steps, run);
        seconds[contestant].push_back(seconds_since(start));
        loss[contestant] = trainer.recent_loss();
      }
    }
  }
  fmt::print("{{\"target\": \"{}\", \"words\": {}, \"documents\": {}, \"steps\": {}", kernel_target(), corpus.words(),
             corpus.documents(), steps);
  for (const auto& [contestant, times] : seconds) {
    fmt::print(", \"{}\": {{\"seconds\": [", contestant);
    for (std::size_t k = 0; k < times.size(); ++k) fmt::print("{}{:.6f}", k ? ", " : "", times[k]);
    fmt::print("], \"loss\": {:.6f}}}", loss[contestant]);
  }
  fmt::print("}}\n");
}
