// Ground truth for a character without simulating it: a dataset whose shapes trained networks answer.
#ifndef SINEW_OFFLINE_TEACH_TEACH_DATASET_H_
#define SINEW_OFFLINE_TEACH_TEACH_DATASET_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/dataset/failures.h"
#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/teach/taught_body.h"

namespace sinew::teach {

struct TeachOptions {
  double metres_per_unit = 1;
  std::vector<GivenRole> roles = {};  // of parts, in place of those that are found
  // Dataset of true shapes of this character, as simulated, which the networks are tuned to (TaughtBody::Tune()). Poses
  // that are among its own get these shapes, and count in full.
  std::filesystem::path examples = {};
  bool keep_all = false;            // whether frames that are stranger than the limit keep their shapes
  bool resume = false;              // whether to continue a dataset that exists at the path
  std::function<bool()> stop = {};  // as in dataset::MakeFramesOptions
};

// Score of a frame as the dataset holds it.
struct FrameScore {
  int frame = 0;  // index of the pose
  double value = 0, distance = 0, disagreement = 0, expected_error = 0, weight = 1;
};

struct TeachSummary {
  int frames = 0;                  // number of frames in the range
  int there = 0;                   // number of those that the dataset has; less than `frames` if it was stopped
  int taught = 0;                  // number of frames made by this call
  int beyond = 0;                  // number of frames of the dataset that are stranger than the limit
  dataset::Failures dropped;       // frames without a shape, as indices of poses
  std::vector<FrameScore> scores;  // of all frames that the dataset has, in order
  double character_score = 0;      // median of the frames' scores
  int examples = 0;                // number of true shapes that the networks were tuned to
  Tuned tuned;                     // what came of it
  double seconds = 0;              // sum of the times of all frames that this call made
};

// Teaches the frames of the range that the dataset at `path` lacks, creating the dataset if needed. Besides shapes, it
// has the arrays "score" (float32: Score::value, distance, disagreement, expected_error), "weight" (float32:
// Score::weight()) and, of several members, "spread" (float32 per vertex, in the dataset's unit). A frame that is
// stranger than the limit is stored without a shape, with its reason, unless keep_all is set. Throws InputError if most
// frames are, before anything is written where features alone say so; FailedError and InputError as
// dataset::BeginDataset() does.
TeachSummary TeachDataset(const std::filesystem::path& path, const dataset::StoredCharacter& character,
                          const std::string& character_file, const dataset::PoseSequence& sequence,
                          const dataset::FrameRange& range, const Teacher& teacher, const TeachOptions& options);

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_TEACH_DATASET_H_
