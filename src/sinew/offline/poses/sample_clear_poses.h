// Samples of a character's range of motion without self-intersections of the body.
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
  // Largest angle, in radians, that clearing may turn a joint of a sample by; a sample that needs more is rejected and
  // another taken. Samples that are moved end up with limbs just touching: if all were moved, too many would.
  double max_turn = 0.5;
};

// Fraction of the joints' ranges that poses fill: each range of bend, side and twist is divided into tenths, and a
// tenth is filled if some pose lies in it.
struct RangeCoverage {
  double mean = 1;          // mean over all ranges of the fraction of tenths filled
  double least = 1;         // smallest such fraction of any range
  std::string least_joint;  // name of the joint with that range; empty if nothing turns
};
// Measures the coverage of poses. limits: one per joint.
RangeCoverage MeasureCoverage(const Articulation& articulation, const JointLimits& limits,
                              const std::vector<Pose>& poses);

struct ClearSamples {
  std::vector<Pose> poses;   // options.sample.count poses
  std::vector<int> indices;  // one per pose: index of its sample in the sequence of SamplePoses()
  int corrected = 0;         // number of poses that were moved
  int rejected = 0;          // number of samples that were passed over
  int left = 0;              // number of poses that are not clear, because too few samples could be cleared
  RangeCoverage before;      // coverage of the first options.sample.count samples before clearing
  RangeCoverage coverage;    // coverage of the poses
};

// Takes the samples of SamplePoses() in their order and clears or rejects each. The first n poses of a longer run are
// the run of n, unless fewer than one sample in five can be cleared: then those fill up the number of which clearing
// turned joints least.
ClearSamples SampleClearPoses(const Character& character, const Articulation& articulation, const JointLimits& limits,
                              const ClearSampleOptions& options);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_SAMPLE_CLEAR_POSES_H_
