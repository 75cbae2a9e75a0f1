#include "sinew/offline/character/embedded/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::embedded {
namespace {

double Average(const Section& s) { return (s.plus_u + s.minus_u + s.plus_v + s.minus_v) / 4; }
double Smallest(const Section& s) { return std::min({s.plus_u, s.minus_u, s.plus_v, s.minus_v}); }
double Largest(const Section& s) { return std::max({s.plus_u, s.minus_u, s.plus_v, s.minus_v}); }

Section Sum(const Section& a, const Section& b) {
  return {a.plus_u + b.plus_u, a.minus_u + b.minus_u, a.plus_v + b.plus_v, a.minus_v + b.minus_v};
}

// x^n for x >= 0; almost every primitive is elliptic, where the powers are 1 and 2.
double Power(double x, double n) {
  if (n == 2) return x * x;
  if (n == 1) return x;
  return std::pow(x, n);
}

// One axis of the norm: x = |q| / r. Its part of A = sum x^n and of C = sum x^(2n-2) / r^2, with their derivatives.
struct AxisTerm {
  double a, a_q, a_r;
  double c, c_q, c_r;
};

AxisTerm Term(double q, double r, double n) {
  const double x = std::abs(q) / r;
  const double sign = q < 0 ? -1 : 1;
  const double x_n1 = Power(x, n - 1);
  const double c = x_n1 * x_n1 / (r * r);
  const double x_2n3 = n == 2 ? x : std::pow(x, 2 * n - 3);
  return {x_n1 * x,      sign * n * x_n1 / r, -n * x_n1 * x / r, c, sign * (2 * n - 2) * x_2n3 / (r * r * r),
          -2 * n * c / r};
}

}  // namespace

Primitive Limb(const Vector3d& a, const Section& section_a, const Vector3d& b, const Section& section_b, double blend) {
  Primitive limb;
  limb.a = a;
  limb.b = b;
  limb.section_a = section_a;
  limb.section_b = section_b;
  limb.cap_a = Average(section_a);
  limb.cap_b = Average(section_b);
  limb.blend = blend;
  if (std::abs((b - a).normalized().x()) > 0.9) limb.side = Vector3d::UnitY();
  return limb;
}

Primitive Ellipsoid(const Vector3d& center, const Vector3d& radii, double blend) {
  const Section section = Section::Oval(radii.x(), radii.z());
  Primitive ellipsoid = Limb(center, section, center, section, blend);
  ellipsoid.cap_a = ellipsoid.cap_b = radii.y();
  return ellipsoid;
}

Primitive CutPlane(const Vector3d& point, const Vector3d& normal, double blend) {
  Primitive plane;
  plane.solid = Primitive::Solid::kHalfSpace;
  plane.operation = Primitive::Operation::kCarve;
  plane.a = plane.b = point;
  plane.axis = normal.normalized();
  plane.blend = blend;
  return plane;
}

Sample SmoothMin(const Sample& a, const Sample& b, double radius) {
  const Sample& low = a.value <= b.value ? a : b;
  const Sample& high = a.value <= b.value ? b : a;
  const double h = radius > 0 ? 1 - (high.value - low.value) / radius : 0;
  if (h <= 0) return low;
  const double weight = h * h / 2;
  return {low.value - h * h * h * radius / 6, (1 - weight) * low.gradient + weight * high.gradient};
}

Sample SmoothMax(const Sample& a, const Sample& b, double radius) {
  const Sample low = SmoothMin({-a.value, -a.gradient}, {-b.value, -b.gradient}, radius);
  return {-low.value, -low.gradient};
}

// Profiles along the centreline have no slope at its ends, so that caps join smoothly whatever the taper and bend.
struct PreparedPrimitive::Along {
  double w;           // how far beyond a (negative) or b (positive); exactly 0 between
  double t, slope_t;  // 0 at a, 1 at b, and its derivative by y
  double s, slope_s;  // 0 to 1: which of the two sections
  double m, slope_m;  // 0 to 1 to 0: how much of bulge and bend
};

PreparedPrimitive::Along PreparedPrimitive::At(double y) const {
  if (length_ == 0) return {.w = y, .t = 0, .slope_t = 0, .s = 0, .slope_s = 0, .m = 0, .slope_m = 0};
  const double t = std::clamp(y / length_, 0.0, 1.0);
  const double slope = y > 0 && y < length_ ? 1 / length_ : 0;
  const double rest = 1 - t;
  const double w = y < 0 ? y : std::max(0.0, y - length_);
  return {w,
          t,
          slope,
          t * t * (3 - 2 * t),
          6 * t * rest * slope,
          16 * t * t * rest * rest,
          32 * t * rest * (rest - t) * slope};
}

PreparedPrimitive::PreparedPrimitive(const Primitive& primitive, const std::string& group) : primitive_(primitive) {
  const bool plane = primitive.solid == Primitive::Solid::kHalfSpace;
  length_ = plane ? 0 : (primitive.b - primitive.a).norm();
  const Vector3d w = length_ > 0 ? Vector3d((primitive.b - primitive.a) / length_) : primitive.axis.normalized();
  Vector3d u = primitive.side - w * w.dot(primitive.side);
  if (plane) u = w.unitOrthogonal();
  if (u.norm() < 1e-3) throw UsageError(fmt::format("sculpture: group '{}': a side is parallel to its limb", group));
  u.normalize();
  local_from_model_.row(0) = w.transpose();
  local_from_model_.row(1) = u.transpose();
  local_from_model_.row(2) = w.cross(u).transpose();
  bend_u_ = u.dot(primitive.bend);
  bend_v_ = local_from_model_.row(2).dot(primitive.bend);
  const bool solid =
      std::min({Smallest(primitive.section_a), Smallest(primitive.section_b), primitive.cap_a, primitive.cap_b}) > 0 &&
      primitive.exponent >= 2;
  if (!plane && !solid) {
    throw UsageError(
        fmt::format("sculpture: group '{}': sections and caps must be positive, exponents 2 or more", group));
  }
  const Section &from = primitive.section_a, &to = primitive.section_b, &bulge = primitive.bulge;
  sides_[0] = {from.plus_u, to.plus_u, bulge.plus_u};
  sides_[1] = {from.minus_u, to.minus_u, bulge.minus_u};
  sides_[2] = {from.plus_v, to.plus_v, bulge.plus_v};
  sides_[3] = {from.minus_v, to.minus_v, bulge.minus_v};
  SetBounds();
}

void PreparedPrimitive::SetBounds() {
  if (primitive_.solid == Primitive::Solid::kHalfSpace) {
    box_ = {Vector3d::Constant(-1e9), Vector3d::Constant(1e9)};
    return;
  }
  const Primitive& p = primitive_;
  const Section middle_a = Sum(p.section_a, p.bulge), middle_b = Sum(p.section_b, p.bulge);
  const double wide = std::max({Largest(p.section_a), Largest(p.section_b), Largest(middle_a), Largest(middle_b)});
  const double thin = std::min({Smallest(p.section_a), Smallest(p.section_b), Smallest(middle_a), Smallest(middle_b)});
  const Vector3d margin = Vector3d::Constant(std::max({wide, p.cap_a, p.cap_b}) + std::hypot(bend_u_, bend_v_));
  box_.setEmpty();
  box_.extend(p.a - margin).extend(p.a + margin).extend(p.b - margin).extend(p.b + margin);
  // Kantorovich's inequality bounds how far the first-order distance of an ellipsoid falls short.
  const double aspect = std::max({wide, p.cap_a, p.cap_b}) / std::max(1e-9, std::min({thin, p.cap_a, p.cap_b}));
  reach_ = 0.8 * 2 * aspect / (1 + aspect * aspect);
}

PreparedPrimitive::Width PreparedPrimitive::WidthAt(const Along& at, const Side& side) {
  return {side.from + (side.to - side.from) * at.s + side.bulge * at.m,
          (side.to - side.from) * at.slope_s + side.bulge * at.slope_m};
}

// With q = (w, u, v) off the centreline, r the radii there, A = sum |q/r|^n and k = A^(1/n) the solid's norm (k = 1 on
// the surface), the value is (k - 1) / |grad k| = (A - A^(1 - 1/n)) / sqrt(C), C = sum |q/r|^(2n - 2) / r^2.
Sample PreparedPrimitive::Evaluate(const Vector3d& point) const {
  if (primitive_.solid == Primitive::Solid::kHalfSpace) {
    const Vector3d normal = local_from_model_.row(0).transpose();
    return {normal.dot(point - primitive_.a), normal};
  }
  const Vector3d local = local_from_model_ * (point - primitive_.a);
  const Along at = At(local.x());
  const double u = local.y() - bend_u_ * at.m;
  const double v = local.z() - bend_v_ * at.m;
  const Width width_u = WidthAt(at, sides_[u < 0 ? 1 : 0]);
  const Width width_v = WidthAt(at, sides_[v < 0 ? 3 : 2]);
  const double n = primitive_.exponent;
  const AxisTerm tw = Term(at.w, at.w < 0 ? primitive_.cap_a : primitive_.cap_b, n);
  const AxisTerm tu = Term(u, width_u.radius, n), tv = Term(v, width_v.radius, n);
  const double a = std::max(tw.a + tu.a + tv.a, 1e-12);
  const double c = std::max(tw.c + tu.c + tv.c, 1e-12);
  const double k = n == 2 ? std::sqrt(a) : std::pow(a, 1 / n);
  const double root_c = std::sqrt(c);
  const double value = (a - a / k) / root_c;
  const double by_a = (1 - (n - 1) / (n * k)) / root_c;
  const double by_c = -value / (2 * c);
  const double by_u = by_a * tu.a_q + by_c * tu.c_q, by_v = by_a * tv.a_q + by_c * tv.c_q;
  const double by_ru = by_a * tu.a_r + by_c * tu.c_r, by_rv = by_a * tv.a_r + by_c * tv.c_r;
  const double by_w = at.slope_t > 0 ? 0 : by_a * tw.a_q + by_c * tw.c_q;
  const double by_y =
      by_w + by_ru * width_u.slope + by_rv * width_v.slope - (by_u * bend_u_ + by_v * bend_v_) * at.slope_m;
  return {value, local_from_model_.transpose() * Vector3d(by_y, by_u, by_v)};
}

Vector3d PreparedPrimitive::ToLocal(const Vector3d& point) const {
  const Vector3d local = local_from_model_ * (point - primitive_.a);
  if (primitive_.solid == Primitive::Solid::kHalfSpace) return local;
  const Along at = At(local.x());
  const double u = local.y() - bend_u_ * at.m;
  const double v = local.z() - bend_v_ * at.m;
  const double along = at.w < 0 ? at.w / primitive_.cap_a : at.w > 0 ? 1 + at.w / primitive_.cap_b : at.t;
  return {along, u / WidthAt(at, sides_[u < 0 ? 1 : 0]).radius, v / WidthAt(at, sides_[v < 0 ? 3 : 2]).radius};
}

Vector3d PreparedPrimitive::FromLocal(const Vector3d& local) const {
  const Eigen::Matrix3d model_from_local = local_from_model_.transpose();
  if (primitive_.solid == Primitive::Solid::kHalfSpace) return primitive_.a + model_from_local * local;
  const double along = local.x();
  const double y = along < 0   ? along * primitive_.cap_a
                   : along > 1 ? length_ + (along - 1) * primitive_.cap_b
                               : along * length_;
  const Along at = At(y);
  const double u = bend_u_ * at.m + local.y() * WidthAt(at, sides_[local.y() < 0 ? 1 : 0]).radius;
  const double v = bend_v_ * at.m + local.z() * WidthAt(at, sides_[local.z() < 0 ? 3 : 2]).radius;
  return primitive_.a + model_from_local * Vector3d(y, u, v);
}

}  // namespace sinew::embedded
