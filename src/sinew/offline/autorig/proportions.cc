#include "sinew/offline/autorig/proportions.h"

#include <algorithm>
#include <cmath>

namespace sinew::autorig {
namespace {

using Eigen::Vector3d;

enum Joint : int { kPelvis = 0, kLeftHip = 1, kLeftKnee = 4, kSpine2 = 6, kLeftAnkle = 7, kSpine3 = 9, kNeck = 12 };
enum : int { kHead = 15, kLeftShoulder = 16 };

constexpr double kLargerHeads = 2.5;  // how much more heads grow than other parts
constexpr double kMinGap = 1e-3;      // between heights, as a share of their range

// A number from 0 to 1 that rises smoothly between two heights.
double Rise(double low, double high, double y) {
  const double t = std::clamp((y - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

Proportions::Proportions(const JointPositions& joints) {
  heights_ = {joints(kLeftAnkle, 1), joints(kLeftKnee, 1), joints(kLeftHip, 1),
              joints(kSpine3, 1),    joints(kNeck, 1),     joints(kHead, 1)};
  const double gap = kMinGap * std::max(heights_.back() - heights_.front(), 1e-9);
  for (int k = 1; k < kKnots; ++k) heights_[k] = std::max(heights_[k], heights_[k - 1] + gap);
  shoulder_ = std::abs(joints(kLeftShoulder, 0) - joints(kPelvis, 0));
  chest_ = joints(kSpine2, 1);
  middle_ = joints(kPelvis, 2);
}

void Proportions::MoveKnots() {
  // Lengths are interpolated between knots, so that the height of a knot is the integral of a trapezium.
  moved_[0] = heights_[0] * lengths_[0];
  for (int k = 1; k < kKnots; ++k) {
    moved_[k] = moved_[k - 1] + (heights_[k] - heights_[k - 1]) * (lengths_[k] + lengths_[k - 1]) / 2;
  }
}

Proportions::Proportions(const JointPositions& joints, double strength, Random& random) : Proportions(joints) {
  const auto factor = [&](double share) { return std::exp(share * strength * random.Uniform(-1, 1)); };
  const double legs = factor(1), trunk = factor(1), wide = factor(1), deep = factor(1);
  const double head = std::exp(kLargerHeads * strength * random.Uniform(-0.2, 1));
  lengths_ = {factor(0.5) * legs, legs, std::sqrt(legs * trunk), trunk, factor(0.5) * trunk, head};
  for (int k = 0; k < kKnots; ++k) {
    widths_[k] = wide * factor(0.5);
    depths_[k] = deep * factor(0.5);
  }
  widths_.back() = head * factor(0.3);
  depths_.back() = head * factor(0.3);
  arms_ = factor(1);
  MoveKnots();
}

Proportions Proportions::Chibi(const JointPositions& joints, Random& random) {
  Proportions chibi(joints);
  // Evenly in the logarithm.
  const auto draw = [&](double low, double high) { return low * std::pow(high / low, random.Uniform()); };
  const double head = draw(1.3, 2.5), legs = draw(0.4, 0.85), trunk = draw(0.6, 0.95);
  const double wide = draw(0.95, 1.5), deep = draw(1.05, 1.6);
  chibi.lengths_ = {draw(0.7, 1.2), legs, std::sqrt(legs * trunk), trunk, draw(0.6, 1), head};
  for (int k = 0; k < kKnots; ++k) {
    chibi.widths_[k] = wide * draw(0.9, 1.1);
    chibi.depths_[k] = deep * draw(0.9, 1.1);
  }
  chibi.widths_.back() = head * draw(0.9, 1.25);
  chibi.depths_.back() = head * draw(0.9, 1.25);
  chibi.arms_ = draw(0.5, 0.95) / wide;
  chibi.MoveKnots();
  return chibi;
}

Vector3d Proportions::Apply(const Vector3d& point) const {
  const double y = point.y();
  const auto above = std::upper_bound(heights_.begin(), heights_.end(), y);
  const auto next = static_cast<int>(above - heights_.begin());
  const int low = std::max(0, next - 1), high = std::min(next, kKnots - 1);
  const double t = low == high ? 0 : (y - heights_[low]) / (heights_[high] - heights_[low]);
  const auto between = [&](const std::array<double, kKnots>& values) {
    return values[low] + t * (values[high] - values[low]);
  };
  const double length = low == high ? lengths_[low] : (lengths_[low] + between(lengths_)) / 2;
  double x = point.x() * between(widths_);
  const double beyond = std::abs(point.x()) - shoulder_;
  if (beyond > 0) {
    // Arms: what is beyond the shoulders and above the chest. They may be as high as the neck, but no wider head makes
    // them longer.
    std::array<double, kKnots> headless = widths_;
    headless.back() = headless[kKnots - 2];
    const double arms = 1 + (arms_ - 1) * Rise(chest_, heights_[3], y);
    x = std::copysign(shoulder_ * between(widths_) + arms * beyond * between(headless), point.x());
  }
  return {x, moved_[low] + length * (y - heights_[low]), middle_ + (point.z() - middle_) * between(depths_)};
}

}  // namespace sinew::autorig
