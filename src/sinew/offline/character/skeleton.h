// Joints, poses and motions. A pose is one runtime::Transform per joint, relative to the joint's parent.
#ifndef SINEW_OFFLINE_CHARACTER_SKELETON_H_
#define SINEW_OFFLINE_CHARACTER_SKELETON_H_

#include <Eigen/Geometry>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/runtime/base/math.h"

namespace sinew {

using runtime::Transform;
using Pose = std::vector<Transform>;

struct Joint {
  std::string name;     // unique in the skeleton, never empty
  int parent = -1;      // index of an earlier joint, or -1
  Transform rest;       // local transform at rest
  bool helper = false;  // whether no skin uses it: a node above or between joints that moves them, or an end of a chain
  int carrier = -1;     // joint that it moves with in a body, if that is not its parent (carriers.h); may come after it
};

// Joints of a character. Parents come before children; the file's own order is kept if it allows that.
struct Skeleton {
  std::vector<Joint> joints;

  int joint_count() const { return static_cast<int>(joints.size()); }
  // Returns the index of the joint with this name, or -1 if there is none.
  int Find(std::string_view name) const;
  // Returns the local transforms at rest.
  Pose RestPose() const;
};

// Returns the model-space transform of every joint in a pose.
std::vector<Eigen::Affine3f> LocalToModel(const Skeleton& skeleton, const Pose& pose);

// Whether all numbers of the pose are finite.
bool IsFinite(const Pose& pose);

Eigen::Affine3f ToAffine(const Transform& transform);
// Splits an affine map into translation, rotation and scale: scales are the lengths of its columns, with x negative if
// the map mirrors. Exact without shear; shear is lost.
Transform ToTransform(const Eigen::Affine3f& affine);

inline Eigen::Vector3f ToEigen(const runtime::Float3& v) { return {v.x, v.y, v.z}; }
inline Eigen::Quaternionf ToEigen(const runtime::Quaternion& q) { return {q.w, q.x, q.y, q.z}; }
inline runtime::Float3 ToFloat3(const Eigen::Vector3f& v) { return {v.x(), v.y(), v.z()}; }
inline runtime::Quaternion ToQuaternion(const Eigen::Quaternionf& q) { return {q.x(), q.y(), q.z(), q.w()}; }
runtime::Affine ToRuntime(const Eigen::Affine3f& affine);

// Poses at a constant rate, or (rate 0) independent poses without time, such as samples of a range of motion.
struct Motion {
  std::string name;
  float frames_per_second = 0;
  std::vector<std::string> joints;  // names of the joints, in the order of the entries of a pose
  std::vector<Pose> frames;         // each with joints.size() entries

  int frame_count() const { return static_cast<int>(frames.size()); }
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_SKELETON_H_
