// Which joints a network needs to see. Bailey et al. 2018 move one joint at a time and look at what the rig does; where
// there are only frames, JointCulling asks them.
#ifndef SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_
#define SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

// Coefficients are fitted by quadratic functions of the joints' rotations, by least squares over the training frames,
// and joints are added one by one: always the one that lowers the error over the validation frames most, until none
// lowers it by a share of the whole that counts. What the poses have in common is summed once for all regions.
class JointCulling {
 public:
  // The first `training` poses are for fitting, the others for judging; with no others the former do both.
  JointCulling(const Skeleton& skeleton, const std::vector<Pose>& poses, int training);

  // z: a row per pose, a column per coefficient. Increasing; one joint at least, kMaxJoints at most, all of them among
  // `allowed`, unless that is empty.
  std::vector<int> Choose(const learn::RowMatrix& z, const std::vector<int>& allowed = {}) const;

  static constexpr int kMaxJoints = 8;

 private:
  // Sums over the fitting or the judging poses.
  struct Sums {
    Eigen::MatrixXd gram;        // of the quadratic functions
    learn::RowMatrix functions;  // a row per pose
  };
  struct Projected;
  double Judge(const std::vector<int>& joints, const Projected& fit, const Projected& judge) const;

  // Joints that move: roots, which carry the whole body, are not among them, unless there is nothing else.
  std::vector<int> candidates_;
  Sums fit_, judge_;
};

// Where the rig can be asked, it says itself which joints matter where: truths in poses that differ in the rotation of
// one joint alone (`sinew poses --probe`) show what that joint does.
class JointProbe {
 public:
  // poses: of every two that differ in one joint alone, that joint is probed.
  JointProbe(const Skeleton& skeleton, const std::vector<Pose>& poses);

  // Whether no joint is probed at all.
  bool empty() const { return pairs_.empty(); }
  // Joints that no two poses probe, apart from roots: nothing is known of them.
  const std::vector<int>& unknown() const { return unknown_; }

  // X: a row per pose, three columns per point: displacements before skinning. Joints that move the points by more than
  // `threshold`, in a root mean square over the points weighted by `weights`, in some pair of poses; and those that are
  // not known. Increasing.
  std::vector<int> JointsOf(const learn::RowMatrix& X, const std::vector<int>& points,
                            const std::vector<float>& weights, double threshold) const;

 private:
  struct Pair {
    int a, b, joint;
  };
  std::vector<Pair> pairs_;
  std::vector<int> unknown_;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_
