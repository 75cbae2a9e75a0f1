#include "sinew/offline/flesh/pose_scales.h"

#include <cmath>

namespace sinew::flesh {
namespace {

using Eigen::Affine3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

bool Differs(float scale, float rest) { return std::abs(scale - rest) > 1e-6f * std::abs(rest); }

// Returns the linear part of to * from^-1, and 0 if `from` flattens space.
Matrix3d LinearChange(const Affine3d& from, const Affine3d& to) {
  Matrix3d inverse;
  bool invertible = false;
  // Relative to the map's size, which may be that of any unit.
  const double size = from.linear().cwiseAbs().maxCoeff();
  if (!(size > 0)) return Matrix3d::Zero();
  (from.linear() / size).computeInverseWithCheck(inverse, invertible, 1e-12);
  return invertible ? Matrix3d(to.linear() * inverse / size) : Matrix3d::Zero();
}

}  // namespace

bool HasScales(const Skeleton& skeleton, const Pose& pose) {
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const runtime::Float3 &scale = pose[j].scale, &rest = skeleton.joints[j].rest.scale;
    if (Differs(scale.x, rest.x) || Differs(scale.y, rest.y) || Differs(scale.z, rest.z)) return true;
  }
  return false;
}

Pose WithoutScales(const Skeleton& skeleton, const Pose& pose) {
  Pose without = pose;
  for (int j = 0; j < skeleton.joint_count(); ++j) without[j].scale = skeleton.joints[j].rest.scale;
  return without;
}

void AddScales(const RestSkin& skin, const Skeleton& skeleton, const Pose& pose, std::vector<Points>& parts) {
  if (!HasScales(skeleton, pose)) return;
  const std::vector<Affine3d> unscaled = skin.Motions(skeleton, WithoutScales(skeleton, pose));
  const std::vector<Affine3d> scaled = skin.Motions(skeleton, pose);
  std::vector<Matrix3d> changes;
  changes.reserve(scaled.size());
  for (size_t j = 0; j < scaled.size(); ++j) changes.push_back(LinearChange(unscaled[j], scaled[j]));
  for (size_t p = 0; p < parts.size(); ++p) {
    for (Eigen::Index v = 0; v < parts[p].rows(); ++v) {
      const int at = skin.first_vertex[p] + static_cast<int>(v);
      const Influences& influences = skin.influences[at];
      if (influences.count == 0) continue;
      const Vector3d rest = skin.mesh.positions.row(at).cast<double>().transpose();
      const Vector3d simulated = parts[p].row(v).cast<double>().transpose();
      const Vector3d displacement = simulated - BlendLinear(influences, unscaled, rest);
      Vector3d result = BlendLinear(influences, scaled, rest);
      for (int i = 0; i < influences.count; ++i) {
        result += influences.weights[i] * (changes[influences.joints[i]] * displacement);
      }
      parts[p].row(v) = result.cast<float>().transpose();
    }
  }
}

}  // namespace sinew::flesh
