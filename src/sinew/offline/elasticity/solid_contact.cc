#include "sinew/offline/elasticity/solid_contact.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Points of the surface per width of the collider's rounding, and at most along an edge.
constexpr double kPerRounding = 2;
constexpr int kMaxPerEdge = 32;

Nodes NodesOf(const VectorXd& x) { return x.reshaped<Eigen::RowMajor>(x.size() / 3, 3); }

}  // namespace

std::vector<Vector3d> TriangleMiddles(int k) {
  std::vector<Vector3d> shares;
  for (int i = 0; i < k; ++i) {
    for (int j = 0; i + j < k; ++j) {
      const auto add = [&](double third) {
        const double a = (i + third) / k, b = (j + third) / k;
        shares.emplace_back(1 - a - b, a, b);
      };
      add(1.0 / 3);
      if (i + j + 1 < k) add(2.0 / 3);
    }
  }
  return shares;
}

SolidContact::SolidContact(const TetMesh& rest, const Triangles& surface, const SolidCollider& collider,
                           double stiffness)
    : collider_(collider), stiffness_(stiffness) {
  for (Eigen::Index t = 0; t < surface.rows(); ++t) {
    const Eigen::Vector3i nodes = surface.row(t).transpose();
    const auto corner = [&](int k) { return Vector3d(rest.positions.row(nodes[k % 3]).transpose()); };
    double longest = 0;
    for (int k = 0; k < 3; ++k) longest = std::max(longest, (corner(k + 1) - corner(k)).norm());
    const double wanted = std::ceil(kPerRounding * longest / collider.rounding());
    const int count = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMaxPerEdge)));
    const double area = (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 2;
    for (const Vector3d& shares : TriangleMiddles(count)) points_.push_back({nodes, shares, area / (count * count)});
  }
}

void SolidContact::SetPose(const Matrix3d& R, const Vector3d& position) {
  R_ = R;
  position_ = position;
}

Vector3d SolidContact::PositionOf(const Point& point, const VectorXd& x) {
  return point.shares[0] * x.segment<3>(3 * point.nodes[0]) + point.shares[1] * x.segment<3>(3 * point.nodes[1]) +
         point.shares[2] * x.segment<3>(3 * point.nodes[2]);
}

std::vector<SolidContact::Touch> SolidContact::FindTouches(const VectorXd& x) const {
  std::vector<Touch> touches;
  const double reach = collider_.radius() * collider_.radius();
  for (const Point& point : points_) {
    const Vector3d offset = PositionOf(point, x) - position_;
    if (offset.squaredNorm() > reach) continue;
    const SolidDistance sample = collider_.Distance(R_.transpose() * offset);
    if (sample.distance >= 0) continue;
    touches.push_back({.point = &point, .depth = -sample.distance, .slope = -(R_ * sample.gradient)});
  }
  return touches;
}

double SolidContact::Energy(const VectorXd& x) const {
  double energy = 0;
  for (const Touch& touch : FindTouches(x)) energy += stiffness_ * touch.point->area * std::pow(touch.depth, 3);
  return energy;
}

void SolidContact::AddGradient(const VectorXd& x, VectorXd& gradient) const {
  for (const Touch& touch : FindTouches(x)) {
    const Point& point = *touch.point;
    const Vector3d force = 3 * stiffness_ * point.area * touch.depth * touch.depth * touch.slope;
    for (int k = 0; k < 3; ++k) gradient.segment<3>(3 * point.nodes[k]) += point.shares[k] * force;
  }
}

void SolidContact::AddHessian(const VectorXd& x, ElasticHessian& hessian) const {
  std::map<std::pair<int, int>, Matrix3d> blocks;
  for (const Touch& touch : FindTouches(x)) {
    const Point& point = *touch.point;
    const Matrix3d curvature = 6 * stiffness_ * point.area * touch.depth * touch.slope * touch.slope.transpose();
    for (int i = 0; i < 9; ++i) {
      const auto found = blocks.try_emplace({point.nodes[i / 3], point.nodes[i % 3]}, Matrix3d::Zero()).first;
      found->second += point.shares[i / 3] * point.shares[i % 3] * curvature;
    }
  }
  for (const auto& [nodes, block] : blocks) hessian.Add(nodes.first, nodes.second, block);
}

double SolidContact::DeepestDepth(const VectorXd& x) const {
  double deepest = 0;
  for (const Touch& touch : FindTouches(x)) deepest = std::max(deepest, touch.depth);
  return deepest;
}

double SolidContact::SmallestGap(const VectorXd& x) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Point& point : points_) {
    const Vector3d offset = R_.transpose() * (PositionOf(point, x) - position_);
    // A ball around the collider spares the exact distance of points that are farther away than what was found.
    if (offset.norm() - collider_.radius() >= smallest) continue;
    smallest = std::min(smallest, collider_.Distance(offset).distance);
  }
  return smallest;
}

double SolidEquilibrium::Energy(const VectorXd& x) const {
  return body_.Energy(NodesOf(x)) + (contact_ ? contact_->Energy(x) : 0);
}

void SolidEquilibrium::Gradient(const VectorXd& x, VectorXd& gradient) const {
  body_.Gradient(NodesOf(x), gradient);
  if (contact_) contact_->AddGradient(x, gradient);
}

const LinearSystem& SolidEquilibrium::Hessian(const VectorXd& x) {
  body_.Hessian(NodesOf(x), hessian_);
  if (contact_) contact_->AddHessian(x, hessian_);
  return hessian_;
}

}  // namespace sinew::elasticity
