// Selection of the joints that a network needs as inputs. Bailey et al. 2018 move one joint at a time and observe the
// rig (JointProbe); where there are only training frames, JointCulling selects joints from these.
#ifndef SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_
#define SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

// Greedy forward selection of joints. Coefficients are fitted by quadratic functions of the joints' rotations, by least
// squares over the training frames. Joints are added one by one, always the one that lowers the error over the
// validation frames most, until none lowers it by a significant share of the whole. Sums that depend on the poses alone
// are computed once for all regions.
class JointCulling {
 public:
  // zero: pose in which all coefficients are zero. training: number of poses, from the first on, that are used for
  // fitting; the others are used to measure the error. If there are no others, the former are used for both.
  JointCulling(const Skeleton& skeleton, const Pose& zero, const std::vector<Pose>& poses, int training);

  // Returns the selected joints, increasing: at least one, at most kMaxJoints. z: one row per pose, one column per
  // coefficient. allowed: joints to select from, increasing; empty: all.
  std::vector<int> Choose(const learn::RowMatrix& z, const std::vector<int>& allowed = {}) const;

  static constexpr int kMaxJoints = 8;

 private:
  // Sums over the poses used for fitting, or over those used to measure the error.
  struct Sums {
    Eigen::MatrixXd gram;        // Gram matrix of the quadratic functions
    learn::RowMatrix functions;  // values of the quadratic functions, one row per pose
  };
  struct Projected;
  double Judge(const std::vector<int>& joints, const Projected& fit, const Projected& judge) const;

  // Joints that may be selected: all but roots, which carry the whole body; the roots if there are no other joints.
  std::vector<int> candidates_;
  Sums fit_, judge_;
};

// Selection of joints by probing the rig, where ground truth can be made for any pose: two poses that differ in the
// rotation of a single joint (`sinew poses --probe`) show the effect of that joint.
class JointProbe {
 public:
  // Finds all pairs of poses that differ in a single joint; that joint is then probed.
  JointProbe(const Skeleton& skeleton, const std::vector<Pose>& poses);

  // Whether no joint is probed.
  bool empty() const { return pairs_.empty(); }
  // Joints, other than roots, that no pair of poses probes: their effect is unknown.
  const std::vector<int>& unknown() const { return unknown_; }

  // Returns the joints that move the points by more than `threshold` in some pair of poses, as a root mean square over
  // the points with displacements weighted by `weights`; and the unknown ones. Increasing. X: displacements before
  // skinning, one row per pose, 3 columns per point of the level. points: indices of points. weights: one per entry of
  // points.
  std::vector<int> JointsOf(const learn::RowMatrix& X, const std::vector<int>& points,
                            const std::vector<float>& weights, double threshold) const;

 private:
  // Two poses, and the joint in which they differ.
  struct Pair {
    int a, b, joint;
  };
  std::vector<Pair> pairs_;
  std::vector<int> unknown_;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_CULL_JOINTS_H_
