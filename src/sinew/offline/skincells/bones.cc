#include "sinew/offline/skincells/bones.h"

#include <algorithm>

#include "sinew/offline/anatomy/rest_body.h"

namespace sinew::skincells {
namespace {

// Length below which a bone has no usable direction, as a fraction of the subject's size.
constexpr double kShortest = 1e-5;
// Length of the bone at a chain's end, as a fraction of the way to the skin, and, where no skin lies ahead, as a
// fraction of the subject's size.
constexpr double kToTheSkin = 0.9, kWithoutSkin = 0.02;

// Nearest ancestor that carries weight; -1 if there is none.
int WeightedParent(const RestBody& body, const std::vector<bool>& carries, int joint) {
  int parent = body.parents[joint];
  while (parent >= 0 && !carries[parent]) parent = body.parents[parent];
  return parent;
}

Bone EndBone(const Subject& subject, const SurfaceQuery& query, const RestBody& body, int joint) {
  const Eigen::Vector3d a = subject.JointPosition(joint);
  const auto hit = query.Shoot(a.cast<float>(), body.bones[joint].cast<float>());
  double length = kWithoutSkin * subject.size;
  if (hit) length = std::clamp(kToTheSkin * hit->distance, 0.25 * length, 0.5 * subject.size);
  return {joint, -1, a, a + length * body.bones[joint]};
}

}  // namespace

std::vector<Bone> FindBones(const Subject& subject, const SurfaceQuery& query) {
  const RestBody body = MeasureRest(subject.skeleton);
  std::vector<bool> carries(body.joint_count(), false);
  for (const int j : subject.joints) carries[j] = true;
  std::vector<std::vector<int>> children(body.joint_count());
  for (const int j : subject.joints) {
    const int parent = WeightedParent(body, carries, j);
    if (parent >= 0) children[parent].push_back(j);
  }
  std::vector<Bone> bones;
  for (const int j : subject.joints) {
    const size_t before = bones.size();
    for (const int child : children[j]) {
      const Bone bone{j, child, subject.JointPosition(j), subject.JointPosition(child)};
      if ((bone.b - bone.a).norm() > kShortest * subject.size) bones.push_back(bone);
    }
    if (bones.size() == before) bones.push_back(EndBone(subject, query, body, j));
  }
  return bones;
}

BonePoint ClosestOnBone(const Bone& bone, const Eigen::Vector3d& x) {
  const Eigen::Vector3d ab = bone.b - bone.a;
  const double length2 = ab.squaredNorm();
  const double along = length2 > 0 ? std::clamp((x - bone.a).dot(ab) / length2, 0.0, 1.0) : 0.0;
  const Eigen::Vector3d point = bone.a + along * ab;
  return {point, along, (x - point).norm()};
}

}  // namespace sinew::skincells
