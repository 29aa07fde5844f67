#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"

namespace idne {

/// The paper's classifier: one logistic regression per label against the rest (as LIBLINEAR's L2R_LR), classes
/// balanced, one C for all, chosen by stratified cross-validation of the micro AUC over 1e-4, 1e-3 … 1e4. Rows are
/// scaled to unit length.
struct Classified {
  std::vector<float> scores;  ///< test row × label: probability of the label
  double c = 0;               ///< the C that was chosen
};

/// Trains on the rows `train` of `train_rows` and scores the rows `test` of `test_rows`. `labels` are the labels of
/// `train_rows`' documents, numbers below `label_count`. Deterministic. Scores are NaN if there is nothing to train on
/// or a training row is not finite. When `stopped` answers true it throws Interrupted; it is asked many times a second.
Classified classify(MatrixView train_rows, std::span<const std::uint32_t> train, const Lists& labels,
                    std::size_t label_count, MatrixView test_rows, std::span<const std::uint32_t> test,
                    std::uint64_t seed, const std::function<bool()>& stopped = {});

/// The micro-averaged AUC of such scores: all (document, label) pairs together.
double micro_auc(std::span<const float> scores, std::span<const std::uint32_t> test, const Lists& labels,
                 std::size_t label_count);

}  // namespace idne
