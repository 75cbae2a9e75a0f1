// What pose_clearance.h minimises, for one pose: value, gradient and Gauss-Newton matrix. Not for other folders.
#ifndef SINEW_OFFLINE_POSES_CLEARING_PROBLEM_H_
#define SINEW_OFFLINE_POSES_CLEARING_PROBLEM_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/poses/body_overlap.h"
#include "sinew/offline/poses/pose_clearance.h"

namespace sinew::poses {

// What all poses of a character share.
struct ClearingModel {
  // One number of a joint's (bend, side, twist) that may change.
  struct Angle {
    int joint = 0;
    int component = 0;
  };

  // The articulation is kept by reference.
  ClearingModel(const Character& character, const Articulation& how_it_moves, const JointLimits& how_far,
                const ClearOptions& how_clear);

  int angle_count() const { return static_cast<int>(angles.size()); }
  double target() const { return 0.5 * options.tolerance; }  // what overlaps are pushed to, to end within the tolerance

  const Articulation& articulation;
  const JointLimits limits;
  const ClearOptions options;
  const BodyOverlap overlap;
  std::vector<Angle> angles;
  std::vector<std::array<int, 3>> angle_of;  // one per joint: the angle of each component; -1: may not change
  Eigen::VectorXd weights;                   // one per angle
};

// How much a step is held back, in weights of the angles: more after one that led uphill, less after one that did not.
class Damping {
 public:
  double value() const { return value_; }
  void Update(bool downhill) {
    value_ = downhill ? value_ / 5 : std::max(kFirst, 8 * value_);
    if (value_ < kFirst) value_ = 0;
  }

 private:
  static constexpr double kFirst = 10;
  double value_ = 0;
};

// One pose. `q` has one number per angle of the model.
class ClearingProblem {
 public:
  ClearingProblem(const ClearingModel& model, const Pose& pose);

  const Eigen::VectorXd& start() const { return start_; }  // q0
  Eigen::VectorXd Rest() const;

  double Depth(const Eigen::VectorXd& q);
  // Without the weights' term: overlaps and limits.
  double Penalty(const Eigen::VectorXd& q);
  double Value(const Eigen::VectorXd& q, const Eigen::VectorXd& wanted);
  // Of the penalty: its gradient, and the Gauss-Newton matrix.
  void Linearize(const Eigen::VectorXd& q, Eigen::VectorXd& gradient, Eigen::MatrixXd& matrix);
  // The nearest angles with every joint inside its limit, or no further outside than it was at the start.
  Eigen::VectorXd Inside(const Eigen::VectorXd& q) const;
  Pose ToPose(const Eigen::VectorXd& q) const;
  double LargestTurn(const Eigen::VectorXd& q) const;

 private:
  SwingTwist AnglesOf(int joint, const Eigen::VectorXd& q) const;
  Eigen::Quaterniond DeltaOf(int joint, const Eigen::VectorXd& q) const;
  bool Moved(int joint, const Eigen::VectorXd& q) const;
  // How far a joint is outside of where it may be, and the direction outwards in (bend, side, twist).
  double Excess(int joint, const SwingTwist& angles, Eigen::Vector3d& outward) const;
  // One step of a joint's way back inside; true if it was there.
  bool BringInside(int joint, Eigen::VectorXd& q) const;
  void Place(const Eigen::VectorXd& q);
  void AddOverlaps(const Eigen::VectorXd& q, Eigen::VectorXd& gradient, Eigen::MatrixXd& matrix);
  void AddTorques(const SphereOverlap& overlap);

  const ClearingModel& model_;
  const Pose pose_;
  std::vector<Eigen::Quaterniond> deltas_;  // of the pose
  std::vector<SwingTwist> swing_twist_;     // of the pose
  std::vector<double> outside_;             // of the pose, at least 0
  std::vector<Transform> locals_;           // against the anatomical parents
  Eigen::VectorXd start_;

  // Kept from call to call.
  std::vector<Eigen::Affine3d> models_;
  std::vector<Eigen::Matrix3d> turns_;  // of each joint in model space, what its delta turns in
  std::vector<Eigen::Vector3d> centres_;
  std::vector<SphereOverlap> overlaps_;
  std::vector<Eigen::Vector3d> torques_;
  std::vector<int> turned_;  // joints with a torque
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_CLEARING_PROBLEM_H_
