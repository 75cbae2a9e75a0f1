#include "sinew/offline/embedded/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::embedded {
namespace {

double Average(const Section& s) { return (s.plus_u + s.minus_u + s.plus_v + s.minus_v) / 4; }
double Smallest(const Section& s) { return std::min({s.plus_u, s.minus_u, s.plus_v, s.minus_v}); }

// Contribution of one axis, x = |q| / r, to A = sum x^n and to C = sum x^(2n-2) / r^2 of EvaluateNear(), with the
// derivatives by q and r.
struct AxisTerm {
  double a, a_q, a_r;
  double c, c_q, c_r;
};

AxisTerm Term(double q, double r, double n) {
  if (n == 2) {
    const double inverse = 1 / r, x = q * inverse, slope = x * inverse, c = slope * slope;
    return {x * x, 2 * slope, -2 * x * slope, c, 2 * slope * inverse * inverse, -4 * c * inverse};
  }
  const double x = std::abs(q) / r;
  const double sign = q < 0 ? -1 : 1;
  const double x_n1 = std::pow(x, n - 1);
  const double c = x_n1 * x_n1 / (r * r);
  const double x_2n3 = x > 0 ? x_n1 * x_n1 / x : 0;
  return {x_n1 * x,      sign * n * x_n1 / r, -n * x_n1 * x / r, c, sign * (2 * n - 2) * x_2n3 / (r * r * r),
          -2 * n * c / r};
}

// Returns the slopes at the knots of the cubic spline through (t, value) with zero slope at its ends: solves the
// tridiagonal system of equal second derivatives at the inner knots by forward and backward elimination.
std::vector<double> SplineSlopes(const std::vector<double>& t, const std::vector<double>& value) {
  const int n = static_cast<int>(t.size());
  std::vector<double> slope(n, 0), over(n, 0);
  for (int i = 1; i + 1 < n; ++i) {
    const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
    const double right = 3 * ((value[i] - value[i - 1]) * after / before + (value[i + 1] - value[i]) * before / after);
    const double pivot = 2 * (before + after) - after * over[i - 1];
    over[i] = before / pivot;
    slope[i] = (right - after * slope[i - 1]) / pivot;
  }
  for (int i = n - 2; i >= 1; --i) slope[i] -= over[i] * slope[i + 1];
  return slope;
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

Primitive Loft(const Vector3d& a, const Vector3d& b, const std::vector<Station>& stations, double blend) {
  Primitive loft = Limb(a, stations.front().section, b, stations.back().section, blend);
  loft.stations = stations;
  return loft;
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

// Quantities at one place along the centreline. Profiles have zero slope at its ends, so that caps join smoothly
// whatever the taper and bend.
struct PreparedPrimitive::Along {
  double w;           // distance beyond a (negative) or b (positive); exactly 0 between them
  double t, slope_t;  // 0 at a, 1 at b, and its derivative by y
  double s, slope_s;  // 0 to 1: blend from section_a to section_b
  double m, slope_m;  // 0 to 1 to 0: factor of bulge and bend
  int span;           // index of the span between two stations
};

PreparedPrimitive::Along PreparedPrimitive::At(double y) const {
  if (length_ == 0) return {.w = y, .t = 0, .slope_t = 0, .s = 0, .slope_s = 0, .m = 0, .slope_m = 0, .span = 0};
  const double t = std::clamp(y / length_, 0.0, 1.0);
  const double slope = y > 0 && y < length_ ? 1 / length_ : 0;
  const double rest = 1 - t;
  const double w = y < 0 ? y : std::max(0.0, y - length_);
  int span = 0;
  const int spans = static_cast<int>(primitive_.stations.size()) - 1;
  while (span + 1 < spans && t > primitive_.stations[span + 1].t) ++span;
  return {w,
          t,
          slope,
          t * t * (3 - 2 * t),
          6 * t * rest * slope,
          16 * t * t * rest * rest,
          32 * t * rest * (rest - t) * slope,
          span};
}

PreparedPrimitive::PreparedPrimitive(const Primitive& primitive, const std::string& group) : primitive_(primitive) {
  // Local frame.
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
  // Checks, then everything that evaluation needs.
  const bool solid =
      std::min({Smallest(primitive.section_a), Smallest(primitive.section_b), primitive.cap_a, primitive.cap_b}) > 0 &&
      primitive.exponent >= 2;
  if (!plane && !solid) {
    throw UsageError(
        fmt::format("sculpture: group '{}': sections and caps must be positive, exponents 2 or more", group));
  }
  CheckStations(group);
  SetProfiles();
  if (!primitive.stations.empty()) SetSplines();
  SetBounds();
}

void PreparedPrimitive::CheckStations(const std::string& group) const {
  const std::vector<Station>& stations = primitive_.stations;
  if (stations.empty()) return;
  bool good = stations.size() >= 2 && length_ > 0 && stations.front().t == 0 && stations.back().t == 1;
  for (size_t i = 0; i < stations.size(); ++i) {
    good = good && Smallest(stations[i].section) > 0 && (i == 0 || stations[i].t > stations[i - 1].t);
  }
  if (!good) {
    throw UsageError(
        fmt::format("sculpture: group '{}': stations must go from 0 to 1, increasing, with positive sections", group));
  }
}

void PreparedPrimitive::SetProfiles() {
  const Section &from = primitive_.section_a, &to = primitive_.section_b, &bulge = primitive_.bulge;
  profiles_[kPlusU] = {from.plus_u, to.plus_u, bulge.plus_u};
  profiles_[kMinusU] = {from.minus_u, to.minus_u, bulge.minus_u};
  profiles_[kPlusV] = {from.plus_v, to.plus_v, bulge.plus_v};
  profiles_[kMinusV] = {from.minus_v, to.minus_v, bulge.minus_v};
  profiles_[kCentreU] = {0, 0, local_from_model_.row(1).dot(primitive_.bend)};
  profiles_[kCentreV] = {0, 0, local_from_model_.row(2).dot(primitive_.bend)};
}

void PreparedPrimitive::SetSplines() {
  const std::vector<Station>& stations = primitive_.stations;
  const int spans = static_cast<int>(stations.size()) - 1;
  splines_.resize(static_cast<size_t>(spans) * kChannels);
  std::vector<double> t, value;
  for (const Station& station : stations) t.push_back(station.t);
  for (int channel = 0; channel < kChannels; ++channel) {
    value.clear();
    for (const Station& s : stations) {
      const double of[kChannels] = {s.section.plus_u, s.section.minus_u, s.section.plus_v, s.section.minus_v, s.u, s.v};
      value.push_back(of[channel]);
    }
    const std::vector<double> slope = SplineSlopes(t, value);
    for (int i = 0; i < spans; ++i) {
      const double h = t[i + 1] - t[i], rise = (value[i + 1] - value[i]) / h;
      splines_[i * kChannels + channel] = {value[i], slope[i], (3 * rise - 2 * slope[i] - slope[i + 1]) / h,
                                           (slope[i] + slope[i + 1] - 2 * rise) / (h * h)};
    }
  }
}

std::pair<double, double> PreparedPrimitive::Range(Channel channel) const {
  const Profile& p = profiles_[channel];
  if (splines_.empty()) {
    return {std::min(p.from, p.to) + std::min(0.0, p.bulge), std::max(p.from, p.to) + std::max(0.0, p.bulge)};
  }
  double low = splines_[channel].c0, high = low;
  const std::vector<Station>& stations = primitive_.stations;
  for (size_t i = 0; i + 1 < stations.size(); ++i) {
    const Cubic& c = splines_[i * kChannels + channel];
    const double h = stations[i + 1].t - stations[i].t;
    // A cubic stays inside the range of its Bezier points.
    const double b1 = c.c0 + c.c1 * h / 3, b2 = b1 + (c.c1 + c.c2 * h) * h / 3;
    const double b3 = c.c0 + h * (c.c1 + h * (c.c2 + h * c.c3));
    low = std::min({low, b1, b2, b3});
    high = std::max({high, b1, b2, b3});
  }
  return {low, high};
}

void PreparedPrimitive::SetBounds() {
  if (primitive_.solid == Primitive::Solid::kHalfSpace) {
    box_ = {Vector3d::Constant(-1e9), Vector3d::Constant(1e9)};
    return;
  }
  const Primitive& p = primitive_;
  double wide = std::max(p.cap_a, p.cap_b), thin = std::min(p.cap_a, p.cap_b);
  for (const Channel channel : {kPlusU, kMinusU, kPlusV, kMinusV}) {
    const auto [low, high] = Range(channel);
    wide = std::max(wide, high);
    thin = std::min(thin, low);
  }
  const auto [low_u, high_u] = Range(kCentreU);
  const auto [low_v, high_v] = Range(kCentreV);
  const double off = std::hypot(std::max(-low_u, high_u), std::max(-low_v, high_v));
  const Vector3d margin = Vector3d::Constant(wide + off);
  box_.setEmpty();
  box_.extend(p.a - margin).extend(p.a + margin).extend(p.b - margin).extend(p.b + margin);
  // Kantorovich's inequality bounds how much the first-order distance of an ellipsoid underestimates the true one.
  const double aspect = wide / std::max(1e-9, thin);
  reach_ = 0.8 * 2 * aspect / (1 + aspect * aspect);
}

PreparedPrimitive::Place PreparedPrimitive::PlaceAt(const Along& at, Channel channel) const {
  if (splines_.empty()) {
    const Profile& p = profiles_[channel];
    return {p.from + (p.to - p.from) * at.s + p.bulge * at.m, (p.to - p.from) * at.slope_s + p.bulge * at.slope_m};
  }
  const Cubic& c = splines_[at.span * kChannels + channel];
  const double x = at.t - primitive_.stations[at.span].t;
  return {c.c0 + x * (c.c1 + x * (c.c2 + x * c.c3)), (c.c1 + x * (2 * c.c2 + x * 3 * c.c3)) * at.slope_t};
}

double PreparedPrimitive::LeastValue(double distance) const { return std::max(reach_ * distance, FarValue(distance)); }

// Far from a flat or long solid, where the first-order distance is lowest against the true one, the distance from the
// bounding box is the better estimate.
Sample PreparedPrimitive::Evaluate(const Vector3d& point) const {
  Sample near = EvaluateNear(point);
  if (primitive_.solid == Primitive::Solid::kHalfSpace) return near;
  const Vector3d beyond = point - point.cwiseMax(box_.min()).cwiseMin(box_.max());
  const double distance = beyond.norm();
  const double far = FarValue(distance);
  return distance > 0 && far > near.value ? Sample{far, kFarSlope / distance * beyond} : near;
}

// With q = (w, u, v) off the centreline, r the radii there, A = sum |q/r|^n and k = A^(1/n) the solid's norm (k = 1 on
// the surface), the value is (k - 1) / |grad k| = (A - A^(1 - 1/n)) / sqrt(C), C = sum |q/r|^(2n - 2) / r^2.
Sample PreparedPrimitive::EvaluateNear(const Vector3d& point) const {
  if (primitive_.solid == Primitive::Solid::kHalfSpace) {
    const Vector3d normal = local_from_model_.row(0).transpose();
    return {normal.dot(point - primitive_.a), normal};
  }
  const Vector3d local = local_from_model_ * (point - primitive_.a);
  const Along at = At(local.x());
  const Place centre_u = PlaceAt(at, kCentreU), centre_v = PlaceAt(at, kCentreV);
  const double u = local.y() - centre_u.value;
  const double v = local.z() - centre_v.value;
  const Place width_u = PlaceAt(at, u < 0 ? kMinusU : kPlusU);
  const Place width_v = PlaceAt(at, v < 0 ? kMinusV : kPlusV);
  const double n = primitive_.exponent;
  const AxisTerm tw = Term(at.w, at.w < 0 ? primitive_.cap_a : primitive_.cap_b, n);
  const AxisTerm tu = Term(u, width_u.value, n), tv = Term(v, width_v.value, n);
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
      by_w + by_ru * width_u.slope + by_rv * width_v.slope - by_u * centre_u.slope - by_v * centre_v.slope;
  return {value, local_from_model_.transpose() * Vector3d(by_y, by_u, by_v)};
}

Vector3d PreparedPrimitive::ToLocal(const Vector3d& point) const {
  Vector3d local = local_from_model_ * (point - primitive_.a);
  if (primitive_.solid == Primitive::Solid::kHalfSpace) return local;
  const Along at = At(local.x());
  const double u = local.y() - PlaceAt(at, kCentreU).value;
  const double v = local.z() - PlaceAt(at, kCentreV).value;
  const double along = at.w < 0 ? at.w / primitive_.cap_a : at.w > 0 ? 1 + at.w / primitive_.cap_b : at.t;
  return {along, u / PlaceAt(at, u < 0 ? kMinusU : kPlusU).value, v / PlaceAt(at, v < 0 ? kMinusV : kPlusV).value};
}

Vector3d PreparedPrimitive::FromLocal(const Vector3d& local) const {
  const Eigen::Matrix3d model_from_local = local_from_model_.transpose();
  if (primitive_.solid == Primitive::Solid::kHalfSpace) return primitive_.a + model_from_local * local;
  const double along = local.x();
  const double y = along < 0   ? along * primitive_.cap_a
                   : along > 1 ? length_ + (along - 1) * primitive_.cap_b
                               : along * length_;
  const Along at = At(y);
  const double u = PlaceAt(at, kCentreU).value + local.y() * PlaceAt(at, local.y() < 0 ? kMinusU : kPlusU).value;
  const double v = PlaceAt(at, kCentreV).value + local.z() * PlaceAt(at, local.z() < 0 ? kMinusV : kPlusV).value;
  return primitive_.a + model_from_local * Vector3d(y, u, v);
}

}  // namespace sinew::embedded
