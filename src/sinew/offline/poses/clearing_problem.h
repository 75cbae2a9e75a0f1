// The objective that pose_clearance.h minimises, for one pose: value, gradient and Gauss-Newton matrix. Internal to
// this folder.
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

// Data shared by all poses of a character.
struct ClearingModel {
  // One degree of freedom: an angle of a joint that may change.
  struct Angle {
    int joint = 0;
    int component = 0;  // 0 bend, 1 side, 2 twist
  };

  // Keeps a reference to the articulation.
  ClearingModel(const Character& character, const Articulation& how_it_moves, const JointLimits& how_far,
                const ClearOptions& how_clear);

  int angle_count() const { return static_cast<int>(angles.size()); }
  // Depth that overlaps are pushed down to, d in pose_clearance.h: half the tolerance, so that they end within it.
  double target() const { return 0.5 * options.tolerance; }

  const Articulation& articulation;
  const JointLimits limits;
  const ClearOptions options;
  const BodyOverlap overlap;
  std::vector<Angle> angles;                 // all degrees of freedom
  std::vector<std::array<int, 3>> angle_of;  // one per joint: index in `angles` of each component; -1: may not change
  Eigen::VectorXd weights;                   // w of pose_clearance.h, one per angle
};

// Levenberg-Marquardt damping of the steps, in multiples of the angles' weights: increased after a step that increased
// the value, decreased after one that did not.
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

// Objective for one pose. `q` has one entry per angle of the model, in radians. Functions that are not const use
// scratch memory: one thread at a time.
class ClearingProblem {
 public:
  ClearingProblem(const ClearingModel& model, const Pose& pose);

  const Eigen::VectorXd& start() const { return start_; }  // q0: the angles of the given pose
  Eigen::VectorXd Rest() const;                            // angles of the rest pose

  // Depth of the deepest overlap, as a fraction of the body's size; 0 if nothing overlaps.
  double Depth(const Eigen::VectorXd& q);
  // Sum of the penalties of overlaps and of limits, without the term of the weights.
  double Penalty(const Eigen::VectorXd& q);
  // Objective: Penalty() and the weighted squared distance to the angles `wanted`.
  double Value(const Eigen::VectorXd& q, const Eigen::VectorXd& wanted);
  // Computes gradient and Gauss-Newton matrix of Penalty(), which is symmetric. matrix: its lower half with the
  // diagonal; the rest is zero. That is what Eigen's LLT reads; anything else must mirror it first.
  void Linearize(const Eigen::VectorXd& q, Eigen::VectorXd& gradient, Eigen::MatrixXd& matrix);
  // Returns the nearest angles with every joint inside its limit, or no further outside than it was at the start.
  Eigen::VectorXd Inside(const Eigen::VectorXd& q) const;
  Pose ToPose(const Eigen::VectorXd& q) const;
  // Largest angle, in radians, by which any joint of q is turned from the given pose.
  double LargestTurn(const Eigen::VectorXd& q) const;

 private:
  SwingTwist AnglesOf(int joint, const Eigen::VectorXd& q) const;
  Eigen::Quaterniond DeltaOf(int joint, const Eigen::VectorXd& q) const;
  // Whether any angle of the joint differs from the start.
  bool Moved(int joint, const Eigen::VectorXd& q) const;
  // Returns the distance, in radians, of a joint's angles from where it may be (0 inside); if positive, outward is the
  // unit direction outwards in (bend, side, twist).
  double Excess(int joint, const SwingTwist& angles, Eigen::Vector3d& outward) const;
  // Moves a joint one step back towards the inside of its limit; returns true, without a step, if it was inside.
  bool BringInside(int joint, Eigen::VectorXd& q) const;
  // Computes models_, turns_ and centres_ at q.
  void Place(const Eigen::VectorXd& q);
  void AddOverlaps(const Eigen::VectorXd& q, Eigen::VectorXd& gradient, Eigen::MatrixXd& matrix);
  // Adds to torques_ the derivative of the distance of two centres with respect to rotations of each joint.
  void AddTorques(const SphereOverlap& overlap);

  const ClearingModel& model_;
  const Pose pose_;
  // The given pose, one entry per joint.
  std::vector<Eigen::Quaterniond> deltas_;  // rotations away from rest
  std::vector<SwingTwist> swing_twist_;     // deltas_ as angles
  std::vector<double> outside_;             // distance outside the limit, radians, at least 0
  std::vector<Transform> locals_;           // transforms relative to the anatomical parents
  Eigen::VectorXd start_;

  // Scratch memory, kept from call to call.
  std::vector<Eigen::Affine3d> models_;   // model-space transforms of the joints at q
  std::vector<Eigen::Matrix3d> turns_;    // model-space orientations of the joints at q, without scale
  std::vector<Eigen::Vector3d> centres_;  // centres of the spheres at q
  std::vector<SphereOverlap> overlaps_;   // overlaps at q
  std::vector<Eigen::Vector3d> torques_;  // one per joint; zero between calls
  std::vector<int> turned_;               // joints with a torque
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_CLEARING_PROBLEM_H_
