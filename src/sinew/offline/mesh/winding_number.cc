#include "sinew/offline/mesh/winding_number.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Corners3d = std::array<Vector3d, 3>;

constexpr double kFourPi = 4 * 3.14159265358979323846;
// The expansion is used from this many radii on: the paper's beta.
constexpr double kBeta = 2;

// The solid angle of a triangle seen from q (A. van Oosterom, J. Strackee, "The Solid Angle of a Plane Triangle",
// 1983).
double SolidAngle(const Corners3d& corners, const Vector3d& q) {
  const Vector3d a = corners[0] - q, b = corners[1] - q, c = corners[2] - q;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double y = a.dot(b.cross(c));
  const double x = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  // On the triangle's own plane and corners the angle is not defined; 0 is its mean over the two sides.
  return y == 0 ? 0 : 2 * std::atan2(y, x);
}

Vector3d AreaNormal(const Corners3d& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]); }
Vector3d Centroid(const Corners3d& t) { return (t[0] + t[1] + t[2]) / 3; }

double FurthestInBox(const Box& box, const Vector3d& p) {
  return (p - box.min().cast<double>()).cwiseAbs().cwiseMax((p - box.max().cast<double>()).cwiseAbs()).norm();
}

}  // namespace

double WindingNumberByDefinition(const TriMesh& mesh, const Eigen::Vector3f& point) {
  const Vector3d q = point.cast<double>();
  double sum = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) sum += SolidAngle(Corners(mesh, t), q);
  return sum / kFourPi;
}

WindingNumber::WindingNumber(const TriMesh& mesh) : mesh_(mesh), bvh_(BuildBvh(TriangleBoxes(mesh))) {
  far_.resize(bvh_.nodes.size());
  ParallelFor(static_cast<int>(far_.size()), 256, [&](int n) {
    if (bvh_.nodes[n].right < 0) far_[n] = OfLeaf(bvh_.nodes[n]);
  });
  // Children come after their parent.
  for (int n = static_cast<int>(far_.size()) - 1; n >= 0; --n) {
    const Bvh::Node& node = bvh_.nodes[n];
    if (node.right < 0) continue;
    const FarField& a = far_[n + 1];
    const FarField& b = far_[node.right];
    FarField& sum = far_[n];
    sum.area = a.area + b.area;
    sum.p = sum.area > 0 ? Vector3d((a.area * a.p + b.area * b.p) / sum.area) : a.p;
    sum.AddMoved(a);
    sum.AddMoved(b);
    sum.radius = std::min(sum.radius, FurthestInBox(node.box, sum.p));
  }
}

WindingNumber::FarField WindingNumber::OfLeaf(const Bvh::Node& leaf) const {
  FarField far;
  for (int i = leaf.begin; i < leaf.end; ++i) {
    const Corners3d corners = Corners(mesh_, bvh_.items[i]);
    const Vector3d normal = AreaNormal(corners);
    far.p += normal.norm() * Centroid(corners);
    far.first += normal;
    far.area += normal.norm();
  }
  far.p = far.area > 0 ? Vector3d(far.p / far.area) : Vector3d(leaf.box.center().cast<double>());
  for (int i = leaf.begin; i < leaf.end; ++i) {
    Corners3d corners = Corners(mesh_, bvh_.items[i]);
    const Vector3d normal = AreaNormal(corners);
    Matrix3d square = Matrix3d::Zero();
    for (Vector3d& corner : corners) {
      corner -= far.p;
      square += corner * corner.transpose() / 12;
      far.radius = std::max(far.radius, corner.norm());
    }
    const Vector3d centroid = Centroid(corners);
    square += 0.75 * centroid * centroid.transpose();
    far.second += normal * centroid.transpose();
    for (int k = 0; k < 3; ++k) far.third[k] += normal[k] * square;
  }
  return far;
}

// Moments around another centre: x - p = (x - other.p) + s.
void WindingNumber::FarField::AddMoved(const FarField& other) {
  const Vector3d s = other.p - p;
  first += other.first;
  second += other.second + other.first * s.transpose();
  for (int i = 0; i < 3; ++i) {
    const Vector3d row = other.second.row(i).transpose();
    third[i] += other.third[i] + row * s.transpose() + s * row.transpose() + other.first[i] * s * s.transpose();
  }
  radius = std::max(radius, other.radius + s.norm());
}

// The Taylor expansion of n . (x - q) / |x - q|^3 around x = p, d = p - q, to second order in x - p: with f = d /
// |d|^3,
//   df_i / dx_j         = delta_ij / |d|^3 - 3 d_i d_j / |d|^5
//   d2f_i / dx_j dx_k   = -3 (delta_ij d_k + delta_ik d_j + delta_jk d_i) / |d|^5 + 15 d_i d_j d_k / |d|^7
double WindingNumber::FarField::Evaluate(const Vector3d& d) const {
  const double r2 = d.squaredNorm(), r3 = r2 * std::sqrt(r2);
  double traces = 0, cubic = 0;
  for (int i = 0; i < 3; ++i) {
    traces += 2 * third[i].row(i).dot(d) + third[i].trace() * d[i];
    cubic += d[i] * d.dot(third[i] * d);
  }
  const double order1 = first.dot(d);
  const double order2 = second.trace() - 3 * d.dot(second * d) / r2;
  const double order3 = 0.5 * (15 * cubic / r2 - 3 * traces) / r2;
  return (order1 + order2 + order3) / r3;
}

double WindingNumber::operator()(const Eigen::Vector3f& point) const {
  const Vector3d q = point.cast<double>();
  double sum = 0;
  int stack[64];
  int top = 0;
  if (!far_.empty()) stack[top++] = 0;
  while (top > 0) {
    const int n = stack[--top];
    const FarField& far = far_[n];
    const Bvh::Node& node = bvh_.nodes[n];
    const Vector3d d = far.p - q;
    if (d.squaredNorm() > kBeta * kBeta * far.radius * far.radius) {
      sum += far.Evaluate(d);
    } else if (node.right < 0) {
      for (int i = node.begin; i < node.end; ++i) sum += SolidAngle(Corners(mesh_, bvh_.items[i]), q);
    } else {
      stack[top++] = node.right;
      stack[top++] = n + 1;
    }
  }
  return sum / kFourPi;
}

bool WindingNumber::Inside(const Eigen::Vector3f& point) const { return std::abs((*this)(point)) > 0.5; }

}  // namespace sinew
