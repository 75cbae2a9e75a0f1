#include "sinew/offline/flesh/core_bones.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/anatomy/joint_names.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3d;

// Length of the bone of a last joint, as a share of the distance from the joint to the farthest skin that it carries.
constexpr double kLastBone = 0.8;
// Exponent that sharpens the weights of core points.
constexpr double kSharpness = 4;
// Smallest weight with which a joint's bones count as a point's own.
constexpr double kOwns = 0.2;
// Distance of another bone, as a share of that of a point's own bone, at which the point is fully released. It begins
// to be released as the other bone comes nearer than its own.
constexpr double kLetGo = 0.75;

// Nearest ancestor that carries skin; -1 if there is none.
int NextAbove(const std::vector<int>& parents, const std::vector<bool>& carries, int joint) {
  int above = parents[joint];
  while (above >= 0 && !carries[above]) above = parents[above];
  return above;
}

// Distance from x to the bone.
double Distance(const CoreBone& bone, const Vector3d& x) {
  const Vector3d along = bone.b - bone.a;
  const double square = along.squaredNorm();
  const double share = square > 0 ? std::clamp(along.dot(x - bone.a) / square, 0.0, 1.0) : 0;
  return (x - bone.a - share * along).norm();
}

// Whether the joint's bones count as a point's own.
bool Owns(const Influences& influences, int joint) {
  for (int i = 0; i < influences.count; ++i) {
    if (influences.joints[i] == joint) return influences.weights[i] >= kOwns;
  }
  return false;
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
  const std::vector<int> parents = AnatomicalParents(skeleton, IdentifyJoints(skeleton));
  std::vector<CoreBone> bones;
  for (int j = 0; j < count; ++j) {
    const int above = carries[j] ? NextAbove(parents, carries, j) : -1;
    if (above < 0) continue;
    bones.push_back({joints[above], joints[j], above});
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
    if (carries[j] && !has_next[j]) bones.push_back({joints[j], joints[j] + kLastBone * reach[j] * direction[j], j});
  }
  return bones;
}

double DistanceToBones(const std::vector<CoreBone>& bones, const Vector3d& x) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const CoreBone& bone : bones) nearest = std::min(nearest, Distance(bone, x));
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

std::vector<CoreBone> MovedBones(const std::vector<CoreBone>& bones, const std::vector<Eigen::Affine3d>& motions) {
  std::vector<CoreBone> moved;
  moved.reserve(bones.size());
  for (const CoreBone& bone : bones) {
    moved.push_back({motions[bone.joint] * bone.a, motions[bone.joint] * bone.b, bone.joint});
  }
  return moved;
}

double CoreHold(const std::vector<CoreBone>& rest_bones, const std::vector<CoreBone>& posed_bones,
                const Influences& influences, const Vector3d& rest, const Vector3d& posed) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const auto nearest_own = [&](const std::vector<CoreBone>& bones, const Vector3d& x) {
    double nearest = kFar;
    for (const CoreBone& bone : bones) {
      if (Owns(influences, bone.joint)) nearest = std::min(nearest, Distance(bone, x));
    }
    return nearest;
  };
  const double own_posed = nearest_own(posed_bones, posed);
  if (own_posed == kFar) return 1;
  double hold = 1;
  for (size_t b = 0; b < rest_bones.size(); ++b) {
    if (Owns(influences, rest_bones[b].joint)) continue;
    const double other = Distance(posed_bones[b], posed);
    if (other >= own_posed) continue;
    // If the other bone is the nearer one already at rest, it is allowed to stay as near, relative to the point's own.
    const double own_rest = nearest_own(rest_bones, rest);
    const double allowed = own_posed * std::min(1.0, Distance(rest_bones[b], rest) / std::max(own_rest, 1e-30));
    hold = std::min(hold, std::clamp((other / std::max(allowed, 1e-30) - kLetGo) / (1 - kLetGo), 0.0, 1.0));
  }
  return hold;
}

}  // namespace sinew::flesh
