#include "sinew/offline/skincells/bleed.h"

#include <algorithm>
#include <limits>

namespace sinew::skincells {
namespace {

// Distance from a point to each joint's bones; infinite for joints without bones.
std::vector<double> BoneDistances(std::span<const Bone> bones, int joints, const Eigen::Vector3d& x) {
  std::vector<double> distances(joints, std::numeric_limits<double>::infinity());
  for (const Bone& bone : bones) {
    distances[bone.joint] = std::min(distances[bone.joint], ClosestOnBone(bone, x).distance);
  }
  return distances;
}

}  // namespace

std::vector<JointBleed> FindBleed(const Subject& subject, std::span<const Bone> bones, const SkinWeights& weights,
                                  const BleedOptions& options) {
  const int joints = subject.skeleton.joint_count(), l = weights.influences;
  std::vector<JointBleed> found(joints);
  for (int j = 0; j < joints; ++j) found[j].joint = j;
  for (int v = 0; v < subject.surface.vertex_count(); ++v) {
    const Eigen::Vector3d x = subject.surface.positions.row(v).transpose().cast<double>();
    const std::vector<double> distances = BoneDistances(bones, joints, x);
    const double nearest = *std::min_element(distances.begin(), distances.end());
    for (int k = 0; k < l; ++k) {
      const size_t slot = static_cast<size_t>(v) * l + k;
      const int joint = weights.joints[slot];
      if (weights.weights[slot] < options.least_weight) continue;
      if (!(distances[joint] - nearest > options.reach * subject.size)) continue;
      JointBleed& bleed = found[joint];
      ++bleed.vertices;
      bleed.largest_weight = std::max<double>(bleed.largest_weight, weights.weights[slot]);
      bleed.farthest = std::max(bleed.farthest, distances[joint] / subject.size);
    }
  }
  std::erase_if(found, [](const JointBleed& bleed) { return bleed.vertices == 0; });
  std::stable_sort(found.begin(), found.end(),
                   [](const JointBleed& a, const JointBleed& b) { return a.vertices > b.vertices; });
  return found;
}

}  // namespace sinew::skincells
