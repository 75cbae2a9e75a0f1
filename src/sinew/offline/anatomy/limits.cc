#include "sinew/offline/anatomy/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace sinew {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;
constexpr double kPi = std::numbers::pi;

Quaterniond FromRotationVector(const Vector3d& v) {
  const double angle = v.norm();
  if (angle < 1e-12) return Quaterniond(1, 0.5 * v.x(), 0.5 * v.y(), 0.5 * v.z()).normalized();
  return Quaterniond(Eigen::AngleAxisd(angle, v / angle));
}

Vector3d ToRotationVector(Quaterniond q) {
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  if (sine < 1e-12) return 2 * q.vec();
  return q.vec() * (2 * std::atan2(sine, q.w()) / sine);
}

// Returns the point of the ellipse with half axes a >= b > 0 that is nearest to (x, y), where x, y >= 0. That point is
// (a^2 x / (t + a^2), b^2 y / (t + b^2)) for the one root t > -b^2 of a function that decreases with t, so bisection
// cannot fail; for very flat ellipses nothing faster is as safe near the root.
Vector2d NearestOnEllipse(double a, double b, double x, double y) {
  if (y == 0) {
    const double focus = (a * a - b * b) / a;
    if (x >= focus) return {a, 0};
    const double ratio = x / focus;
    return {a * ratio, b * std::sqrt(std::max(0.0, 1 - ratio * ratio))};
  }
  const auto excess = [&](double t) { return std::pow(a * x / (t + a * a), 2) + std::pow(b * y / (t + b * b), 2) - 1; };
  double low = -b * b + b * y, high = -b * b + std::hypot(a * x, b * y);
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (excess(middle) > 0 ? low : high) = middle;
  }
  const double t = 0.5 * (low + high);
  return {a * a * x / (t + a * a), b * b * y / (t + b * b)};
}

// Returns the half axis of a range on the side of `angle`.
double Reach(const AngleRange& range, double angle) { return angle < 0 ? -range.min : range.max; }

// Signed distance to the boundary of the swing region (negative inside), and the nearest (bend, side) of the region.
struct Nearest {
  double distance;
  Vector2d point;
};

Nearest NearestSwing(const JointLimit& limit, double bend, double side) {
  const double a = Reach(limit.bend, bend), b = Reach(limit.side, side);
  const double x = std::abs(bend), y = std::abs(side);
  if (a == 0 || b == 0) {
    const Vector2d point(std::clamp(bend, limit.bend.min, limit.bend.max),
                         std::clamp(side, limit.side.min, limit.side.max));
    return {std::hypot(bend - point.x(), side - point.y()), point};
  }
  const Vector2d corner = a >= b ? NearestOnEllipse(a, b, x, y) : NearestOnEllipse(b, a, y, x).reverse().eval();
  const double distance = std::hypot(x - corner.x(), y - corner.y());
  const bool inside = std::pow(x / a, 2) + std::pow(y / b, 2) <= 1;
  if (inside) return {-distance, {bend, side}};
  return {distance, {std::copysign(corner.x(), bend), std::copysign(corner.y(), side)}};
}

// Returns the signed distance of an angle to the nearer end of a range: positive outside.
double OutsideRange(const AngleRange& range, double angle) { return std::max(range.min - angle, angle - range.max); }

// Maps `unit` in [0, 1] linearly onto the range and returns that angle as a fraction, in [-1, 1], of the reach on its
// side.
double Fraction(const AngleRange& range, double unit) {
  const double angle = range.min + unit * range.width();
  const double reach = Reach(range, angle);
  return reach > 0 ? std::clamp(angle / reach, -1.0, 1.0) : 0;
}

// Maps the square [-1, 1]^2 onto the unit disk, equal areas to equal areas and quadrants onto quadrants: P. Shirley and
// K. Chiu, "A Low Distortion Map Between Disk and Square", 1997.
Vector2d SquareToDisk(double x, double y) {
  if (x == 0 || y == 0) return {x, y};
  const bool wide = std::abs(x) > std::abs(y);
  const double radius = wide ? x : y;
  const double angle = wide ? kPi / 4 * (y / x) : kPi / 2 - kPi / 4 * (x / y);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

void Stretch(AngleRange& range, double angle) {
  range.min = std::min(range.min, angle);
  range.max = std::max(range.max, angle);
}

// Returns the half axis that an ellipse needs along the axis of `angle` to contain the point (angle, other), given its
// half axis `reach` along the axis of `other`. Infinite if no length is enough.
double NeededReach(double angle, double other, double reach) {
  if (other == 0 || angle == 0) return std::abs(angle);
  const double share = other / reach;
  return std::abs(share) < 1 ? std::abs(angle) / std::sqrt(1 - share * share) : std::numeric_limits<double>::infinity();
}

// Factor on the cost of a region with an undesired property, which is chosen only if there is no other.
constexpr double kAvoid = 100;

// Whether a range is longer than given at an end that no angle exceeded (`reached` equals `given` there). Such ends
// should stay as they are, so that a limit by name changes only where angles exceed it.
bool Outgrows(const AngleRange& range, const AngleRange& given, const AngleRange& reached) {
  return (reached.min == given.min && range.min < given.min) || (reached.max == given.max && range.max > given.max);
}

// Returns the cost of a region of swings: proportional to its area, with each end counted as 5 degrees longer. The
// margin lets a joint that hardly leaves a plane leave it by a degree more rather than bend much farther than it was
// seen to. Regions that swing by more than 175 degrees are avoided.
double RegionCost(const AngleRange& bend, const AngleRange& side) {
  constexpr double kMargin = 2 * 5 * kPi / 180, kMax = 175 * kPi / 180;
  const bool around = std::max({-bend.min, bend.max, -side.min, side.max}) > kMax;
  return (around ? kAvoid : 1) * (bend.width() + kMargin) * (side.width() + kMargin);
}

void CheckRange(const AngleRange& range, double most, const char* field) {
  const bool ok = std::isfinite(range.min) && std::isfinite(range.max) && range.min <= 0 && range.max >= 0 &&
                  range.min >= -most - 1e-9 && range.max <= most + 1e-9;
  if (!ok) {
    throw std::invalid_argument(std::string(field) + " must be two angles [min, max], min at most 0, max at least 0, " +
                                "both within " + (most < kPi ? "179" : "180") + " degrees");
  }
}

void MakeUnit(Vector3d& axis, const char* field) {
  if (!(std::abs(axis.norm() - 1) < 1e-3)) throw std::invalid_argument(std::string(field) + " must be a unit vector");
  axis.normalize();
}

}  // namespace

const char* Name(LimitOrigin origin) {
  constexpr const char* kNames[] = {"file", "names", "animations", "default"};
  return kNames[static_cast<int>(origin)];
}

SwingTwist ToSwingTwist(const JointLimit& limit, const Quaterniond& delta) {
  const Quaterniond q = limit.neutral.conjugate() * delta;
  const double along = q.vec().dot(limit.bone);
  // A swing of 180 degrees leaves the twist undetermined: take 0.
  Quaterniond twist(q.w(), along * limit.bone.x(), along * limit.bone.y(), along * limit.bone.z());
  if (twist.norm() < 1e-9) twist = Quaterniond::Identity();
  twist.normalize();
  const Vector3d swing = ToRotationVector(q * twist.conjugate());
  const Vector3d across = limit.bone.cross(limit.bend_toward);
  return {swing.dot(across), -swing.dot(limit.bend_toward), ToRotationVector(twist).dot(limit.bone)};
}

Quaterniond FromSwingTwist(const JointLimit& limit, const SwingTwist& angles) {
  const Vector3d across = limit.bone.cross(limit.bend_toward);
  const Quaterniond swing = FromRotationVector(angles.bend * across - angles.side * limit.bend_toward);
  return limit.neutral * swing * FromRotationVector(angles.twist * limit.bone);
}

double Outside(const JointLimit& limit, const SwingTwist& angles) {
  if (limit.free) return -kPi;
  const double swing = NearestSwing(limit, angles.bend, angles.side).distance;
  const double twist = OutsideRange(limit.twist, angles.twist);
  if (swing <= 0 && twist <= 0) return std::max(swing, twist);
  return std::hypot(std::max(swing, 0.0), std::max(twist, 0.0));
}

SwingTwist Clamp(const JointLimit& limit, const SwingTwist& angles) {
  if (limit.free) return angles;
  const Vector2d swing = NearestSwing(limit, angles.bend, angles.side).point;
  return {swing.x(), swing.y(), std::clamp(angles.twist, limit.twist.min, limit.twist.max)};
}

SwingTwist SampleInside(const JointLimit& limit, const Vector3d& unit) {
  if (limit.free) return {};
  const Vector2d disk = SquareToDisk(Fraction(limit.bend, unit.x()), Fraction(limit.side, unit.y()));
  return {disk.x() * Reach(limit.bend, disk.x()), disk.y() * Reach(limit.side, disk.y()),
          limit.twist.min + unit.z() * limit.twist.width()};
}

Quaterniond DeltaFromRest(const Joint& joint, const Transform& local) {
  const Quaterniond rest = ToEigen(joint.rest.rotation).cast<double>().normalized();
  return rest.conjugate() * ToEigen(local.rotation).cast<double>().normalized();
}

Transform WithDelta(const Joint& joint, const Transform& local, const Quaterniond& delta) {
  Transform out = local;
  const Quaterniond rest = ToEigen(joint.rest.rotation).cast<double>().normalized();
  out.rotation = ToQuaternion((rest * delta).normalized().cast<float>());
  return out;
}

void Enclose(JointLimit& limit, std::span<const SwingTwist> angles) {
  // Extend each range to the largest angle of its own.
  const JointLimit given = limit;
  for (const SwingTwist& a : angles) {
    Stretch(limit.bend, a.bend), Stretch(limit.side, a.side), Stretch(limit.twist, a.twist);
  }
  // Angles in the corners of the box of ranges are still outside the ellipses. For each of kLengths lengths of either
  // half axis of `side`, find the half axes of `bend` that contain them.
  constexpr int kLengths = 230;
  std::array<double, kLengths> grown = {1};
  for (int k = 1; k < kLengths; ++k) grown[k] = 1.01 * grown[k - 1];
  const std::array<double, 2> bend = {-limit.bend.min, limit.bend.max}, side = {-limit.side.min, limit.side.max};
  std::array<std::array<std::array<double, kLengths>, 2>, 2> needed = {};  // [end of the bend][end of the side][length]
  bool corners = false;
  for (const SwingTwist& a : angles) {
    const int i = a.bend > 0 ? 1 : 0, j = a.side > 0 ? 1 : 0;
    if (NeededReach(a.bend, a.side, side[j]) <= bend[i]) continue;
    corners = true;
    for (int k = 0; k < kLengths; ++k) {
      needed[i][j][k] = std::max(needed[i][j][k], NeededReach(a.bend, a.side, grown[k] * side[j]));
    }
  }
  if (!corners) return;
  // Choose the pair of lengths whose region has the lowest cost.
  const JointLimit reached = limit;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kLengths; ++k) {
    for (int l = 0; l < kLengths; ++l) {
      const auto reach = [&](int i) { return std::max({bend[i], needed[i][0][k], needed[i][1][l]}); };
      const AngleRange across = {-reach(0), reach(1)}, along = {-grown[k] * side[0], grown[l] * side[1]};
      const bool more = Outgrows(across, given.bend, reached.bend) || Outgrows(along, given.side, reached.side);
      const double cost = (more ? kAvoid : 1) * RegionCost(across, along);
      if (cost < least) least = cost, limit.bend = across, limit.side = along;
    }
  }
}

void IncludeRest(JointLimit& limit) {
  // Angles within rounding of 0 are set to 0, so that a hinge stays exactly a hinge.
  SwingTwist rest = ToSwingTwist(limit, Quaterniond::Identity());
  for (double* angle : {&rest.bend, &rest.side, &rest.twist}) *angle = std::abs(*angle) < 1e-9 ? 0 : *angle;
  Enclose(limit, {&rest, 1});
}

void Normalize(JointLimit& limit) {
  MakeUnit(limit.bone, "bone");
  MakeUnit(limit.bend_toward, "bend_toward");
  if (!(std::abs(limit.bone.dot(limit.bend_toward)) < 1e-2)) {
    throw std::invalid_argument("bend_toward must be orthogonal to bone");
  }
  limit.bend_toward = (limit.bend_toward - limit.bend_toward.dot(limit.bone) * limit.bone).normalized();
  if (!(std::abs(limit.neutral.norm() - 1) < 1e-3)) throw std::invalid_argument("neutral must be a unit quaternion");
  limit.neutral.normalize();
  CheckRange(limit.bend, kPi * 179 / 180, "bend");
  CheckRange(limit.side, kPi * 179 / 180, "side");
  CheckRange(limit.twist, kPi, "twist");
}

}  // namespace sinew
