// What a skeleton's rest pose says about the body: which way it faces, where its bones point, whether it goes on four
// legs. Everything is measured from joint positions, so it holds for any joint frames, up axis and unit.
#ifndef SINEW_OFFLINE_ANATOMY_REST_BODY_H_
#define SINEW_OFFLINE_ANATOMY_REST_BODY_H_

#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/skeleton.h"

namespace sinew {

// All in model space. Vectors have one entry per joint.
struct RestBody {
  std::vector<JointIdentity> identities;
  std::vector<int> parents;  // AnatomicalParents()
  std::vector<int> order;    // every joint after its parent in `parents`
  std::vector<Eigen::Vector3d> positions;
  std::vector<Eigen::Quaterniond> orientations;
  std::vector<int> next;               // the joint at the other end of the bone; -1 if none is known
  std::vector<Eigen::Vector3d> bones;  // unit: where the bone points; for ends of chains, on along the chain
  std::vector<double> lengths;         // of the bones; 0 where next is -1
  bool has_frame = false;              // left, up and forward were found; otherwise they are X, Y and Z
  bool quadruped = false;
  Eigen::Vector3d left = Eigen::Vector3d::UnitX();
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  Eigen::Vector3d forward = Eigen::Vector3d::UnitZ();

  int joint_count() const { return static_cast<int>(identities.size()); }
  Eigen::Matrix3d frame() const;  // columns left, up, forward
  // Down one leg, hip to ankle or as far as there are joints, mean of both sides; 0 without legs.
  double LegLength() const;
  // The largest extent of the joints' bounding box; never 0.
  double Size() const;
  // 1 for a left hand, -1 for a right one. A hand whose joints name no side shows by its thumb and the curl of its
  // fingers which it is.
  double Handedness(Side side) const;
  // Away from the back of the hand; measured from the fingers, or as in a T-pose with the palms down. Orthogonal to the
  // wrist's bone. Zero if there is no wrist.
  Eigen::Vector3d Palm(Side side) const;
};

RestBody MeasureRest(const Skeleton& skeleton);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_REST_BODY_H_
