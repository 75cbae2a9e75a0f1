// Frames of a build to compare: of its own ground truth, or of other poses, simulated as the build does it.
#ifndef SINEW_OFFLINE_PIPELINE_COMPARE_BUILD_H_
#define SINEW_OFFLINE_PIPELINE_COMPARE_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/evaluate/comparison.h"

namespace sinew::pipeline {

// Which frames to compare; at most one of the five may be set. None: the one frame of the build's unseen poses and
// motion in which ground truth and skinning differ most.
struct CompareRequest {
  std::vector<std::string> pose = {};  // poses as text (poses/named_pose.h)
  std::string poses = {};              // file of poses of the character's skeleton
  bool motion = false;                 // the build's unseen motion
  bool test = false;                   // the build's unseen poses
  bool everyday = false;               // the build's everyday poses, which only bipeds have
  int frame = -1;                      // one of their frames, from 0; -1: all
};

struct FramesToCompare {
  Character character;
  std::vector<evaluate::ComparedFrame> frames;  // at least one
  double millimetres = 1000;                    // per unit of the character
  double frames_per_second = 0;                 // 0: the frames belong to no time
};

// Reads the frames from the folder of a finished build, or simulates them with its settings. Frames without a true
// shape are left out, which is warned of. Throws InputError for a folder that is no finished build, UsageError for a
// frame that does not exist, poses that cannot be parsed and everyday poses of a build without, FailedError if no frame
// has a true shape.
FramesToCompare ReadFramesToCompare(const std::filesystem::path& folder, const CompareRequest& request);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_COMPARE_BUILD_H_
