// Angles of recorded motions on the embedded biped's skeleton.
#ifndef TOOLS_PRIOR_MEASURE_H_
#define TOOLS_PRIOR_MEASURE_H_

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/skeleton.h"

namespace sinew::prior {

// Skeleton that motions are carried over to, with the axes of its angles.
struct Subject {
  Skeleton skeleton;
  JointLimits limits;       // by the table of ranges alone
  std::vector<int> mirror;  // per joint: the joint on the other side, or itself
};
Subject EmbeddedBiped();

struct MeasureOptions {
  double poses_per_second = 2;
  int poses_per_clip = 40;  // at most, evenly spread
  // Frames at the beginning of a file that are left out: files of the CMU collection begin with a T-pose.
  double seconds_left_out = 0.25;
};

// Returns the files of a folder, and of the folders in it, whose names do not begin with one of these numbers and an
// underscore ("02": 02_01.bvh), in the order of their paths.
std::vector<std::filesystem::path> FindMotions(const std::filesystem::path& folder,
                                               const std::vector<std::string>& people_left_out);

// Carries the motions over as `sinew poses --from` does, and returns bend, side and twist of every joint in degrees: 3
// rows per joint, one column per pose. Every pose is followed by its mirror image. Files that cannot be read are named
// on standard error and left out.
Eigen::MatrixXd MeasureAngles(const Subject& subject, const std::vector<std::filesystem::path>& files,
                              const MeasureOptions& options);

// Leaves out poses in which a joint is more than 60 degrees outside of what the table of ranges allows: there, markers
// were lost or swapped.
Eigen::MatrixXd WithoutOutliers(const Subject& subject, const Eigen::MatrixXd& angles);

// Angles at which all but `share` of the values lie below, and all but `share` above.
struct Percentiles {
  double low = 0, high = 0;
};
Percentiles PercentilesOf(const Eigen::VectorXd& values, double share);

}  // namespace sinew::prior

#endif  // TOOLS_PRIOR_MEASURE_H_
