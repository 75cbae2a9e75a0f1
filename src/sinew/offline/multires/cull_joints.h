// Which joints a network needs to see. Bailey et al. 2018 move one joint at a time and look at what the rig does; where
// there are only frames, this asks them.
#ifndef SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_
#define SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/learn/dense.h"

namespace sinew {

// Coefficients are fitted by quadratic functions of the joints' rotations, by least squares over the training frames,
// and joints are added one by one: always the one that lowers the error over the validation frames most, until none
// lowers it by a share of the whole that counts. What the poses have in common is summed once for all regions.
class JointCulling {
 public:
  // The first `training` poses are for fitting, the others for judging; with no others the former do both.
  JointCulling(const Skeleton& skeleton, const std::vector<Pose>& poses, int training);

  // z: a row per pose, a column per coefficient. Increasing; one joint at least, kMostJoints at most.
  std::vector<int> Choose(const RowMatrix& z) const;

  static constexpr int kMostJoints = 8;

 private:
  // Sums over the fitting or the judging poses.
  struct Sums {
    Eigen::MatrixXd gram;  // of the quadratic functions
    RowMatrix functions;   // a row per pose
  };
  struct Projected;
  double Judge(const std::vector<int>& joints, const Projected& fit, const Projected& judge) const;

  std::vector<int> candidates_;  // joints that move: roots, which carry the whole body, are not among them
  Sums fit_, judge_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_
