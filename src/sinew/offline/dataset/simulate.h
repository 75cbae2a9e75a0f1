// Simulation of flesh into a dataset. Every frame is an independent unit of work, on any machine, in any order.
#ifndef SINEW_OFFLINE_DATASET_SIMULATE_H_
#define SINEW_OFFLINE_DATASET_SIMULATE_H_

#include <filesystem>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/failures.h"
#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/flesh/simulator.h"

namespace sinew::dataset {

struct SimulateOptions {
  flesh::FleshSettings flesh;  // flesh.unit is ignored: metres_per_unit takes its place
  double metres_per_unit = 1;
  // Whether flesh has inertia. Clips, whose frame rate must be known, are then solved as a whole, frame after frame.
  bool dynamics = false;
  // Whether to throw RequireFlesh()'s error where skin bends without flesh, instead of storing skinned shapes.
  bool needs_flesh = false;
  bool resume = false;  // whether to continue a dataset that exists at the path; if false, its existence is an error
  Progress* progress = nullptr;               // as in MakeFramesOptions
  std::function<bool()> stop = {};            // as in MakeFramesOptions
  std::string go_on = "go on with --resume";  // what to do after an error, for its message
};

struct SimulateSummary {
  flesh::FleshReport flesh;
  int frames = 0;      // number of frames in the range, all of which are now in the dataset unless it was stopped
  int there = 0;       // number of frames of the range that the dataset has
  int simulated = 0;   // number of frames solved by this call
  int passing = 0;     // number of those that have a shape only without contact
  Failures failures;   // failed frames of the range, as indices of poses
  double seconds = 0;  // sum of the solve times of all frames that this call simulated
};

// Throws InputError, naming the character, if no flesh was made although parts of it bend, as those of open sheets do:
// what is simulated is then skinning. Rigid parts need no flesh.
void RequireFlesh(const flesh::FleshReport& report, const std::string& name);

// Settings that determine the simulated shapes, in the form in which the dataset's manifest stores them.
Json SettingsOf(const flesh::FleshSettings& settings);

// Simulates the frames of the range that the dataset at `path` lacks, creating the dataset if needed. Besides shapes,
// it has the arrays "solver" (int32: path steps, Newton steps, iterations of the linear solver, contacts or -1 if it
// was solved without contact) and "volume" (float32: volume inside the skin divided by that at rest). A frame that
// fails is stored with its reason. Throws FailedError if `path` exists and must not be touched, InputError if the
// dataset to be continued is of another character, other poses or other settings; the message says which. With
// dynamics, throws InputError for poses that have no frame rate and UsageError for a range that cuts a clip in two.
SimulateSummary SimulateDataset(const std::filesystem::path& path, const StoredCharacter& character,
                                const PoseSequence& sequence, const FrameRange& range, const SimulateOptions& options);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SIMULATE_H_
