// Features of points that do not depend on which skeleton a body has: what the joints that move a point do, and what
// other methods than linear blend skinning make of it.
//
// All vectors are in the axes of the model at rest: the axes of joints differ from rig to rig. What has moved is turned
// back by the frame of the point, the rotation that its joints make together, so that nothing depends on how the body
// stands, and little on how the limb does.
#ifndef SINEW_OFFLINE_GRAPHNET_JOINT_FEATURES_H_
#define SINEW_OFFLINE_GRAPHNET_JOINT_FEATURES_H_

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <vector>

#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/graphnet/working_surface.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/mesh/delta_mush.h"

namespace sinew::graphnet {

using Transforms = std::vector<Eigen::Affine3d>;

// Returns whether each joint moves a point. influences: those of all points.
std::vector<bool> MovingJoints(const Skeleton& skeleton, const std::vector<Influences>& influences);
// Returns the nearest joint above each joint that moves a point, or -1. influences: those of all points.
std::vector<int> MovingParents(const Skeleton& skeleton, const std::vector<Influences>& influences);
// Returns the joint that the others turn relative to: of those that move a point and have none above them that does,
// the one that moves the largest area. 0 if no joint moves a point. areas: one per point.
int ReferenceJoint(const Skeleton& skeleton, const std::vector<Influences>& influences,
                   const std::vector<float>& areas);

// A pose as features need it. Maps go from the model at rest to the posed model, in which the reference joint has not
// moved.
struct PosedFrames {
  Transforms maps;                     // one per joint
  std::vector<Eigen::Matrix3d> turns;  // rotations of these
  std::vector<flesh::Rigid> frames;    // one per point: the joints' dual quaternions, blended
  Eigen::Matrix3Xd skinned;            // points by linear blend skinning
};
PosedFrames FramesOf(const WorkingSurface& surface, Transforms maps);

class JointFeatures {
 public:
  static constexpr int kSlots = 4, kPerSlot = 11;
  static constexpr int kCueColumns = 21;

  // surface, neighbours: must outlive this. distances: points by joints of the skeleton, over the size. reference:
  // ReferenceJoint(). cues: whether to add those of other methods.
  JointFeatures(const Skeleton& skeleton, const WorkingSurface& surface, const Csr& neighbours,
                const Transforms& rest_joints, const Eigen::MatrixXf& distances, double size, int reference, bool cues);

  int columns() const { return kSlots * kPerSlot + (cues_ ? kCueColumns : 0); }
  // Factors of the features of the body and pose as a mirror shows them, left and right exchanged: 1 or -1 each.
  std::vector<float> MirrorSigns() const;
  // features: points by columns().
  void Fill(const PosedFrames& posed, learn::RowMatrix& features) const;

 private:
  struct Slot {
    int joint = -1;  // -1: the body has fewer joints
    float weight = 0, distance = 0;
    Eigen::Vector3f from_joint = Eigen::Vector3f::Zero();
  };
  std::array<Slot, kSlots> ChooseSlots(int point, const Skeleton& skeleton, const Transforms& rest_joints,
                                       const Eigen::MatrixXf& distances) const;
  void FillCues(const PosedFrames& posed, learn::RowMatrix& features) const;
  Eigen::Vector3d LaplacianOf(const Eigen::Matrix3Xd& places, int point) const;

  const WorkingSurface& surface_;
  const Csr& neighbours_;
  double size_;
  bool cues_;
  int reference_;
  std::vector<int> parents_;  // MovingParents()
  std::vector<std::array<Slot, kSlots>> slots_;
  Eigen::Matrix3Xd rest_;
  Points normals_;  // at rest
  std::unique_ptr<DeltaMush> mush_;
};

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_JOINT_FEATURES_H_
