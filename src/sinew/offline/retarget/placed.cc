#include "sinew/offline/retarget/placed.h"

namespace sinew::retarget {

Placed Place(const Skeleton& skeleton, const Pose& pose) {
  Placed placed;
  for (const Eigen::Affine3f& model : LocalToModel(skeleton, pose))
    placed.positions.emplace_back(model.translation().cast<double>());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const Eigen::Quaterniond local = ToEigen(pose[j].rotation).cast<double>().normalized();
    const int parent = skeleton.joints[j].parent;
    placed.rotations.push_back(parent < 0 ? local : placed.rotations[parent] * local);
  }
  return placed;
}

}  // namespace sinew::retarget
