// State of an optimisation between two steps, and the checkpoint file that holds it.
#ifndef SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_
#define SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/skincells/objective.h"

namespace sinew::skincells {

// Losses at one step.
struct LossRecord {
  int step = 0;
  Losses batch;     // losses of the relaxed field, on the poses of the last step
  Losses measured;  // losses of the sparse field, on the poses kept for measuring

  bool operator==(const LossRecord&) const = default;
};

struct OptimizerState {
  int step = 0;
  int stale = 0;                              // consecutive measurements without a gain
  double best_loss = 0;                       // measured total loss of `best`
  Losses before, after;                       // measured at the start, and of `best`
  Eigen::VectorXd parameters, first, second;  // the parameters, and Adam's first and second moments
  Eigen::VectorXd best;                       // parameters with the smallest measured loss so far
  std::vector<LossRecord> history;
};

// Writes a checkpoint file whole or not at all. inputs: hash of what the optimisation was started with.
void WriteCheckpoint(const OptimizerState& state, const std::string& inputs, const std::filesystem::path& path);

// Reads a checkpoint of so many parameters. Returns nothing if there is no file, or if it is damaged or was made from
// other inputs (`inputs` is their hash): the optimisation then starts anew, which is always right.
std::optional<OptimizerState> ReadCheckpoint(const std::filesystem::path& path, const std::string& inputs,
                                             int parameters);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_
