// The state of an optimisation between two steps.
#ifndef SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_
#define SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/skincells/objective.h"

namespace sinew::skincells {

// What the losses were at some step.
struct LossRecord {
  int step = 0;
  Losses batch;     // of the relaxed field, on the poses of the last step
  Losses measured;  // of the sparse field, on the poses kept for measuring

  bool operator==(const LossRecord&) const = default;
};

struct OptimizerState {
  int step = 0;
  int stale = 0;         // measurements without a gain
  double best_loss = 0;  // of `best`
  Losses before, after;
  Eigen::VectorXd parameters, first, second;  // and Adam's two moments
  Eigen::VectorXd best;
  std::vector<LossRecord> history;
};

// Whole or not at all.
void WriteCheckpoint(const OptimizerState& state, const std::string& inputs, const std::filesystem::path& path);

// Nothing if there is no file, or it is damaged, or made from other inputs (`inputs` is their hash): then the work
// starts anew, which is always right.
std::optional<OptimizerState> ReadCheckpoint(const std::filesystem::path& path, const std::string& inputs,
                                             int parameters);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_
