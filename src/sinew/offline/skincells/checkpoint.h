// The state of an optimisation between two steps.
#ifndef SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_
#define SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>

namespace sinew::skincells {

struct OptimizerState {
  int step = 0;
  int stale = 0;         // measurements without a gain
  double best_loss = 0;  // of `best`
  double before[4] = {}, after[4] = {};
  Eigen::VectorXd parameters, first, second;  // and Adam's two moments
  Eigen::VectorXd best;
};

// Whole or not at all.
void WriteCheckpoint(const OptimizerState& state, const std::string& inputs, const std::filesystem::path& path);

// Nothing if there is no file, or it is damaged, or made from other inputs (`inputs` is their hash): then the work
// starts anew, which is always right.
std::optional<OptimizerState> ReadCheckpoint(const std::filesystem::path& path, const std::string& inputs,
                                             int parameters);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_CHECKPOINT_H_
