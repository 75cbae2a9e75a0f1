// Poses that fill a character's range of motion evenly, and choices of poses that differ most.
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
  // Every range is scaled by this about neutral, rest kept inside: 1 the whole limits, 0.5 half of them. In (0, 1].
  double amount = 1;
};

// Limits with every range scaled about neutral, rest kept inside: SampleOptions::amount.
JointLimits ScaledLimits(const JointLimits& limits, double amount);

// Every joint's angles are a low-discrepancy sequence over its allowed region (core/low_discrepancy.h), joints
// independent of each other; the first n of a longer run are the run of n. Free and fixed joints stay at rest.
std::vector<Pose> SamplePoses(const Articulation& articulation, const JointLimits& limits,
                              const SampleOptions& options);
// The samples from `first` on: the last options.count of a run of first + options.count.
std::vector<Pose> SamplePosesFrom(int first, const Articulation& articulation, const JointLimits& limits,
                                  const SampleOptions& options);

// Poses to ask a rig with what each joint does by itself.
struct ProbingPoses {
  std::vector<Pose> poses;
  std::vector<int> bases;  // which base each was made of
};
// Every base, followed for each joint by the same with that joint alone turned as in the other pose, if that is another
// way by a degree at least. As many others as bases.
ProbingPoses MakeProbingPoses(const std::vector<Pose>& bases, const std::vector<Pose>& others);

// The pose metric: root mean square over joints of the angle between their rotations against the parent, each weighted
// by how far its bone and what hangs on it reach, so that a turned hip counts for more than a turned finger. Radians.
// Blind to where the body stands and which way it faces.
class PoseMetric {
 public:
  explicit PoseMetric(const Articulation& articulation);
  double Distance(const std::vector<Eigen::Quaterniond>& a, const std::vector<Eigen::Quaterniond>& b) const;

 private:
  std::vector<double> weights_;  // sum 1
};

// Indices of `count` poses, each the one furthest from those chosen before it (T. F. Gonzalez, "Clustering to minimize
// the maximum intercluster distance", 1985); the first is the one furthest from rest. In order of choice. All if count
// is at least their number.
std::vector<int> SelectSpread(const Articulation& articulation, const std::vector<Pose>& poses, int count);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_SAMPLE_POSES_H_
