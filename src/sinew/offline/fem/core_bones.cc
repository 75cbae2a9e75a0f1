#include "sinew/offline/fem/core_bones.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::fem {
namespace {

using Eigen::Vector3d;

// Where a last bone ends, from the joint to the furthest skin that it carries.
constexpr double kLastBone = 0.8;
constexpr double kSharpness = 4;

int NextAbove(const Skeleton& skeleton, const std::vector<bool>& carries, int joint) {
  int above = skeleton.joints[joint].parent;
  while (above >= 0 && !carries[above]) above = skeleton.joints[above].parent;
  return above;
}

}  // namespace

std::vector<CoreBone> FindCoreBones(const Skeleton& skeleton, const std::vector<Vector3d>& joints, const Points& skin,
                                    const std::vector<Influences>& influences) {
  const int count = skeleton.joint_count();
  std::vector<bool> carries(count, false), has_next(count, false);
  std::vector<Vector3d> sum(count, Vector3d::Zero());
  std::vector<int> owned(count, 0);
  for (size_t v = 0; v < influences.size(); ++v) {
    const int joint = influences[v].joints[0];
    carries[joint] = true;
    sum[joint] += skin.row(static_cast<Eigen::Index>(v)).cast<double>().transpose();
    ++owned[joint];
  }
  std::vector<CoreBone> bones;
  for (int j = 0; j < count; ++j) {
    const int above = carries[j] ? NextAbove(skeleton, carries, j) : -1;
    if (above < 0) continue;
    bones.push_back({joints[above], joints[j]});
    has_next[above] = true;
  }
  std::vector<Vector3d> direction(count);
  std::vector<double> reach(count, 0);
  for (int j = 0; j < count; ++j) direction[j] = (sum[j] / std::max(1, owned[j]) - joints[j]).normalized();
  for (size_t v = 0; v < influences.size(); ++v) {
    const int j = influences[v].joints[0];
    const Vector3d x = skin.row(static_cast<Eigen::Index>(v)).cast<double>().transpose();
    reach[j] = std::max(reach[j], direction[j].dot(x - joints[j]));
  }
  for (int j = 0; j < count; ++j) {
    if (carries[j] && !has_next[j]) bones.push_back({joints[j], joints[j] + kLastBone * reach[j] * direction[j]});
  }
  return bones;
}

double DistanceToBones(const std::vector<CoreBone>& bones, const Vector3d& x) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const CoreBone& bone : bones) {
    const Vector3d along = bone.b - bone.a;
    const double square = along.squaredNorm();
    const double share = square > 0 ? std::clamp(along.dot(x - bone.a) / square, 0.0, 1.0) : 0;
    nearest = std::min(nearest, (x - bone.a - share * along).norm());
  }
  return nearest;
}

Influences CoreInfluences(const std::array<Influences, 4>& corners, const Eigen::Vector4d& barycentric) {
  int joints = 0;
  for (const Influences& corner : corners) {
    for (int i = 0; i < corner.count; ++i) joints = std::max(joints, corner.joints[i] + 1);
  }
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(joints);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < corners[k].count; ++i) {
      weights[corners[k].joints[i]] += barycentric[k] * corners[k].weights[i];
    }
  }
  return StrongestOf(weights.array().max(0).pow(kSharpness).matrix());
}

}  // namespace sinew::fem
