// A dataset of simulated flesh: every frame an independent unit of work, on any machine, in any order.
#ifndef SINEW_OFFLINE_DATASET_SIMULATE_H_
#define SINEW_OFFLINE_DATASET_SIMULATE_H_

#include <filesystem>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/failures.h"
#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/flesh/simulator.h"

namespace sinew::dataset {

struct SimulateOptions {
  flesh::FleshSettings flesh;  // its unit is metres_per_unit's, whatever it says
  double metres_per_unit = 1;
  // Flesh swings: clips, of which the frame rate has to be known, are solved as wholes, frame after frame.
  bool dynamics = false;
  bool resume = false;  // go on with a dataset that is there; without it, such a dataset is an error
};

struct SimulateSummary {
  flesh::FleshReport flesh;
  int frames = 0;      // of the range, all of them now in the dataset
  int simulated = 0;   // by this call
  Failures failures;   // of the range: indices of poses
  double seconds = 0;  // of all the frames that this call simulated, together
};

// What of a simulation decides over its shapes, as it is kept in the dataset.
Json SettingsOf(const flesh::FleshSettings& settings);

// The dataset has, beside shapes, the arrays "solver" (int32: path steps, Newton steps, iterations of the linear
// solver, contacts) and "volume" (float32: inside the skin, over that at rest). A frame that fails is in it with its
// reason. Throws FailedError if something is at `path` that it must not touch, InputError if it is to go on with a
// dataset of another character, other poses or other settings; the sentence says which. With dynamics, InputError for
// poses that have no frame rate, UsageError for a range that cuts a clip in two.
SimulateSummary SimulateDataset(const std::filesystem::path& path, const StoredCharacter& character,
                                const PoseSequence& sequence, const FrameRange& range, const SimulateOptions& options);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SIMULATE_H_
