// Measurements of the body in a skeleton's rest pose: which way it faces, where its bones point, whether it is a
// quadruped. Everything is measured from joint positions, so it works for any joint frames, up axis and unit.
#ifndef SINEW_OFFLINE_ANATOMY_REST_BODY_H_
#define SINEW_OFFLINE_ANATOMY_REST_BODY_H_

#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Body at rest, in model space and the file's unit. Vectors have one entry per joint.
struct RestBody {
  std::vector<JointIdentity> identities;
  std::vector<int> parents;  // AnatomicalParents() of joint_names.h
  std::vector<int> order;    // all joints, each after its parent in `parents`
  std::vector<Eigen::Vector3d> positions;
  std::vector<Eigen::Quaterniond> orientations;
  std::vector<int> next;               // joint at the other end of the bone; -1 if none is known
  std::vector<Eigen::Vector3d> bones;  // direction of the bone, unit; at the end of a chain, that of the chain
  std::vector<double> lengths;         // length of the bone; 0 where next is -1
  bool has_frame = false;              // whether left, up and forward were found; if not they are X, Y and Z
  bool quadruped = false;
  Eigen::Vector3d left = Eigen::Vector3d::UnitX();
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  Eigen::Vector3d forward = Eigen::Vector3d::UnitZ();

  int joint_count() const { return static_cast<int>(identities.size()); }
  Eigen::Matrix3d frame() const;  // columns left, up, forward
  // Length of a leg from hip to knee and on to the ankle if there is one, mean of both sides; 0 without legs.
  double LegLength() const;
  // Longest side of the axis-aligned bounding box of the joints; 1 if that would be 0.
  double Size() const;
  // Returns 1 for a left hand, -1 for a right one. For Side::kNone (a hand whose joints name no side) the thumb and the
  // curl of the fingers tell which it is.
  double Handedness(Side side) const;
  // Returns the unit normal of the palm, pointing away from the back of the hand and orthogonal to the wrist's bone.
  // Measured from the fingers; if there are too few, as in a T-pose with the palms down. Zero if there is no wrist.
  Eigen::Vector3d Palm(Side side) const;
};

// Measures the skeleton's rest pose.
RestBody MeasureRest(const Skeleton& skeleton);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_REST_BODY_H_
