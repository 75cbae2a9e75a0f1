#include "sinew/offline/elasticity/plane_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::elasticity {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

// Points of the boundary per width of the collider's rounding, and per edge at most.
constexpr double kPerRounding = 2;
constexpr int kMaxPerEdge = 64;

}  // namespace

PlaneContact::PlaneContact(const PlaneMesh& rest, const std::vector<int>& loop, const PlaneCollider& collider,
                           double stiffness)
    : collider_(collider), stiffness_(stiffness) {
  for (size_t i = 0; i < loop.size(); ++i) {
    const int a = loop[i], b = loop[(i + 1) % loop.size()];
    const double length = (rest.positions.row(b) - rest.positions.row(a)).norm();
    // Even steps from the first node on; the second node belongs to the next edge.
    const double wanted = collider.rounding() > 0 ? kPerRounding * length / collider.rounding() : 1;
    const int count = static_cast<int>(std::clamp(std::ceil(wanted), 1.0, static_cast<double>(kMaxPerEdge)));
    for (int k = 0; k < count; ++k) {
      points_.push_back({.a = a, .b = b, .t = static_cast<double>(k) / count, .length = length / count});
    }
  }
}

void PlaneContact::SetPose(const PlanePose& pose) {
  pose_ = pose;
  R_ = pose.Rotation();
}

Vector2d PlaneContact::PositionOf(const Point& point, const VectorXd& x) {
  return (1 - point.t) * x.segment<2>(2 * point.a) + point.t * x.segment<2>(2 * point.b);
}

std::vector<PlaneContact::Touch> PlaneContact::FindTouches(const VectorXd& x) const {
  std::vector<Touch> touches;
  const double reach = collider_.radius() * collider_.radius();
  for (const Point& point : points_) {
    const Vector2d offset = PositionOf(point, x) - pose_.position;
    if (offset.squaredNorm() > reach) continue;
    const PlaneDistance sample = collider_.Distance(R_.transpose() * offset);
    if (sample.distance >= 0) continue;
    touches.push_back({.point = &point, .depth = -sample.distance, .slope = -(R_ * sample.gradient)});
  }
  return touches;
}

double PlaneContact::Energy(const VectorXd& x) const {
  double energy = 0;
  for (const Touch& touch : FindTouches(x)) energy += stiffness_ * touch.point->length * std::pow(touch.depth, 3);
  return energy;
}

void PlaneContact::AddGradient(const VectorXd& x, VectorXd& gradient) const {
  for (const Touch& touch : FindTouches(x)) {
    const Point& point = *touch.point;
    const Vector2d force = 3 * stiffness_ * point.length * touch.depth * touch.depth * touch.slope;
    gradient.segment<2>(2 * point.a) += (1 - point.t) * force;
    gradient.segment<2>(2 * point.b) += point.t * force;
  }
}

void PlaneContact::AddHessian(const VectorXd& x, PlaneHessian& hessian) const {
  for (const Touch& touch : FindTouches(x)) {
    const Point& point = *touch.point;
    const double s = 1 - point.t, t = point.t;
    const Eigen::Matrix2d curvature =
        6 * stiffness_ * point.length * touch.depth * touch.slope * touch.slope.transpose();
    hessian.Add(point.a, point.a, s * s * curvature);
    if (t == 0) continue;
    hessian.Add(point.a, point.b, s * t * curvature);
    hessian.Add(point.b, point.a, s * t * curvature);
    hessian.Add(point.b, point.b, t * t * curvature);
  }
}

double PlaneContact::DeepestDepth(const VectorXd& x) const {
  double deepest = 0;
  for (const Touch& touch : FindTouches(x)) deepest = std::max(deepest, touch.depth);
  return deepest;
}

double PlaneContact::SmallestGap(const VectorXd& x) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Point& point : points_) {
    const Vector2d offset = R_.transpose() * (PositionOf(point, x) - pose_.position);
    smallest = std::min(smallest, collider_.Distance(offset).distance);
  }
  return smallest;
}

double ContactStiffness(double young, double depth) { return young / 9 / (depth * depth); }

double PlaneEquilibrium::Energy(const VectorXd& x) const {
  return body_.Energy(x) + (contact_ ? contact_->Energy(x) : 0);
}

void PlaneEquilibrium::Gradient(const VectorXd& x, VectorXd& gradient) const {
  body_.Gradient(x, gradient);
  if (contact_) contact_->AddGradient(x, gradient);
}

const LinearSystem& PlaneEquilibrium::Hessian(const VectorXd& x) {
  body_.Hessian(x, hessian_);
  if (contact_) contact_->AddHessian(x, hessian_);
  hessian_.Finish();
  return hessian_;
}

double PlaneEquilibrium::ForceScale() const {
  return body_.material().mu() * std::sqrt(body_.area() / std::max(body_.triangle_count(), 1));
}

double PlaneEquilibrium::EnergyScale() const { return body_.material().mu() * body_.area(); }

}  // namespace sinew::elasticity
