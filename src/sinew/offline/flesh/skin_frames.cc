#include "sinew/offline/flesh/skin_frames.h"

#include <algorithm>
#include <numeric>

#include "sinew/offline/elasticity/rotation_svd.h"

namespace sinew::flesh {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;

Quaterniond FromCoefficients(const Vector4d& c) { return Quaterniond(c); }

// Corners with the sign of each dual quaternion chosen to be nearer to the first.
std::array<DualQuaternion, 4> Aligned(std::array<DualQuaternion, 4> corners) {
  for (int k = 1; k < 4; ++k) {
    if (corners[k].real.dot(corners[0].real) >= 0) continue;
    corners[k].real.coeffs() *= -1;
    corners[k].dual.coeffs() *= -1;
  }
  return corners;
}

}  // namespace

Influences StrongestOf(const Eigen::VectorXd& weights) {
  std::vector<int> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  const int count = std::min<int>(kMaxInfluences, static_cast<int>(order.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](int a, int b) { return weights[a] != weights[b] ? weights[a] > weights[b] : a < b; });
  Influences result;
  double sum = 0;
  for (int i = 0; i < count && weights[order[i]] > 0; ++i) {
    result.joints[result.count] = order[i];
    sum += result.weights[result.count++] = weights[order[i]];
  }
  for (int i = 0; i < result.count; ++i) result.weights[i] /= sum;
  return result;
}

Rigid DualQuaternion::ToRigid() const {
  const double square = real.squaredNorm();
  return {.R = real.normalized().toRotationMatrix(), .t = 2 / square * (dual * real.conjugate()).vec()};
}

DualQuaternion NearestRigid(const Eigen::Affine3d& map, const Vector3d& centre) {
  const elasticity::RotationSvd svd = elasticity::ComputeRotationSvd(map.linear());
  const Matrix3d R = svd.U * svd.V.transpose();
  const Vector3d t = map * centre - R * centre;
  DualQuaternion result;
  result.real = Quaterniond(R);
  result.dual = Quaterniond(0, 0.5 * t[0], 0.5 * t[1], 0.5 * t[2]) * result.real;
  return result;
}

DualQuaternion Blend(const Influences& influences, const std::vector<DualQuaternion>& joints) {
  Vector4d real = Vector4d::Zero(), dual = Vector4d::Zero();
  const Quaterniond& first = joints[influences.joints[0]].real;
  for (int i = 0; i < influences.count; ++i) {
    const DualQuaternion& joint = joints[influences.joints[i]];
    const double weight = joint.real.dot(first) < 0 ? -influences.weights[i] : influences.weights[i];
    real += weight * joint.real.coeffs();
    dual += weight * joint.dual.coeffs();
  }
  return {FromCoefficients(real), FromCoefficients(dual)};
}

Vector3d BlendLinear(const Influences& influences, const std::vector<Eigen::Affine3d>& joints, const Vector3d& x) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < influences.count; ++i) sum += influences.weights[i] * (joints[influences.joints[i]] * x);
  return sum;
}

// Derivation: with q = sum b_k q_k not of unit length, R rotates by the part of dq that is orthogonal to q, and
// t = 2 vec(d q*) / |q|^2.
FrameChange ChangeOf(const std::array<DualQuaternion, 4>& corners, const Eigen::Matrix<double, 3, 4>& gradients,
                     const Vector4d& barycentric) {
  const std::array<DualQuaternion, 4> aligned = Aligned(corners);
  const DualQuaternion here = Interpolate(corners, barycentric);
  const Quaterniond &q = here.real, &d = here.dual;
  const double square = q.squaredNorm();
  const Matrix3d R = q.normalized().toRotationMatrix();
  const Vector3d t = 2 / square * (d * q.conjugate()).vec();
  FrameChange change;
  for (int j = 0; j < 3; ++j) {
    Vector4d real = Vector4d::Zero(), dual = Vector4d::Zero();
    for (int k = 0; k < 4; ++k) {
      real += gradients(j, k) * aligned[k].real.coeffs();
      dual += gradients(j, k) * aligned[k].dual.coeffs();
    }
    const Quaterniond dq = FromCoefficients(real), dd = FromCoefficients(dual);
    change.omega.col(j) = 2 / square * (q.conjugate() * dq).vec();
    const Vector3d dt = 2 / square * ((dd * q.conjugate()).vec() + (d * dq.conjugate()).vec() - q.dot(dq) * t);
    change.tau.col(j) = R.transpose() * dt;
  }
  return change;
}

DualQuaternion Interpolate(const std::array<DualQuaternion, 4>& corners, const Vector4d& barycentric) {
  const std::array<DualQuaternion, 4> aligned = Aligned(corners);
  Vector4d real = Vector4d::Zero(), dual = Vector4d::Zero();
  for (int k = 0; k < 4; ++k) {
    real += barycentric[k] * aligned[k].real.coeffs();
    dual += barycentric[k] * aligned[k].dual.coeffs();
  }
  return {FromCoefficients(real), FromCoefficients(dual)};
}

}  // namespace sinew::flesh
