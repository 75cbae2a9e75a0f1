// Sampling of poses that fill a character's range of motion evenly, and selection of poses that differ most.
#ifndef SINEW_OFFLINE_POSES_SAMPLE_POSES_H_
#define SINEW_OFFLINE_POSES_SAMPLE_POSES_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits.h"

namespace sinew::poses {

struct SampleOptions {
  int count = 100;
  uint64_t seed = 1;
  // Factor on every range, about neutral, in (0, 1]: 1 the whole limits, 0.5 half of them. Ranges keep containing rest.
  double amount = 1;
  // 0: fills the limits evenly. Above 0, for skeletons of people (IsHuman()): draws poses as people take them, with
  // this factor on how far they are from the usual ones (human_poses.h).
  double human_spread = 0;
};

// Returns the limits with every range scaled about neutral by SampleOptions::amount, still containing rest.
JointLimits ScaledLimits(const JointLimits& limits, double amount);

// Samples options.count poses inside the limits (one per joint). The angles of each joint follow a low-discrepancy
// sequence over its allowed region (core/low_discrepancy.h), independently of other joints. In every third sample,
// though, the joints of a spine, a tail, a hand or another chain all swing the same way, each by the same share of what
// it can: that is how bodies bow, curl and make fists, and independent joints hardly ever do. The first n poses of a
// longer run are the run of n. Free and fixed joints stay at rest.
std::vector<Pose> SamplePoses(const Articulation& articulation, const JointLimits& limits,
                              const SampleOptions& options);
// Returns the samples from index `first` on: the last options.count of a run of first + options.count.
std::vector<Pose> SamplePosesFrom(int first, const Articulation& articulation, const JointLimits& limits,
                                  const SampleOptions& options);

// Poses that probe what each joint of a rig does by itself.
struct ProbingPoses {
  std::vector<Pose> poses;
  std::vector<int> bases;  // one per pose: index of the base that it was made from
};
// Returns every base pose, each followed by variants of it: one per joint, with that joint alone rotated as in the pose
// of `others` with the same index. Joints whose rotations differ by less than a degree get none. others: as many as
// bases.
ProbingPoses MakeProbingPoses(const std::vector<Pose>& bases, const std::vector<Pose>& others);

// Distance between poses, in radians: weighted root mean square over joints of the angle between their rotations
// relative to the parent. A joint's weight is the reach of its bone and of the chain below it, so that a turned hip
// counts for more than a turned finger. The position and heading of the body do not count.
class PoseMetric {
 public:
  explicit PoseMetric(const Articulation& articulation);
  // a, b: Articulation::Deltas() of the two poses.
  double Distance(const std::vector<Eigen::Quaterniond>& a, const std::vector<Eigen::Quaterniond>& b) const;

 private:
  std::vector<double> weights_;  // one per joint; sum to 1
};

// Returns the indices of `count` poses in order of choice, each the one furthest from those chosen before it by
// PoseMetric (T. F. Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985); the first is the one
// furthest from rest. Returns all, in order, if count is at least their number.
std::vector<int> SelectSpread(const Articulation& articulation, const std::vector<Pose>& poses, int count);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_SAMPLE_POSES_H_
