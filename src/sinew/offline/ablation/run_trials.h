// Trains what is not trained yet, by calls of `sinew learn train`, several at a time.
#ifndef SINEW_OFFLINE_ABLATION_RUN_TRIALS_H_
#define SINEW_OFFLINE_ABLATION_RUN_TRIALS_H_

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/ablation/trials.h"

namespace sinew::ablation {

struct RunOptions {
  std::filesystem::path program;    // that knows `learn train`
  std::vector<std::string> inputs;  // its words for what is read
  int at_once = 1;
  int threads = 0;  // of all of them together; 0: all cores
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

// State of a trial after a run.
struct TrialEnd {
  bool done = false;
  std::string failure = {};  // why it was not trained; empty: it is done, or time was over before it was
};

// Trains all trials that are not done, in their order, and returns how each ended. One that was stopped goes on from
// its state, which is at most half a minute old; one that fails keeps no other from being trained. When time is over,
// those that run are ended.
std::vector<TrialEnd> RunTrials(const std::vector<Row>& rows, const std::vector<Trial>& trials,
                                const TrialFolder& folder, const RunOptions& options);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_RUN_TRIALS_H_
