// Samples of a character's range of motion in which no limb lies inside the body.
#ifndef SINEW_OFFLINE_POSES_SAMPLE_CLEAR_POSES_H_
#define SINEW_OFFLINE_POSES_SAMPLE_CLEAR_POSES_H_

#include <string>
#include <vector>

#include "sinew/offline/poses/pose_clearance.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::poses {

struct ClearSampleOptions {
  SampleOptions sample;
  ClearOptions clear;
  // A sample that would need a larger turn of one joint than this (radians) is passed over and another taken. Samples
  // that are moved end up with limbs just touching: were all of them moved, too many would.
  double max_turn = 0.5;
};

// How much of the joints' ranges poses fill: each range of bend, side and twist is cut into ten, and a tenth counts if
// some pose is in it.
struct RangeCoverage {
  double mean = 1;          // over all ranges, of the share of tenths that count
  double least = 1;         // of the range with the smallest share
  std::string least_joint;  // and whose it is; empty if nothing turns
};
RangeCoverage MeasureCoverage(const Articulation& articulation, const JointLimits& limits,
                              const std::vector<Pose>& poses);

struct ClearSamples {
  std::vector<Pose> poses;   // options.sample.count of them
  std::vector<int> indices;  // of SamplePoses(): which sample each was
  int corrected = 0;         // of the poses
  int rejected = 0;          // samples passed over
  int left = 0;              // of the poses: not clear, because too few were
  RangeCoverage before;      // of the first so many samples, as they are
  RangeCoverage coverage;    // of the poses
};

// The samples of SamplePoses() in their order, each cleared or passed over; the first n of a longer run are the run of
// n, unless fewer than one sample in twenty can be cleared: then the first that were passed over fill up the number.
ClearSamples SampleClearPoses(const Character& character, const Articulation& articulation, const JointLimits& limits,
                              const ClearSampleOptions& options);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_SAMPLE_CLEAR_POSES_H_
