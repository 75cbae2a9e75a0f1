#include "sinew/offline/autorig/costume.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/offline/autorig/props.h"
#include "sinew/offline/autorig/rings.h"

namespace sinew::autorig {
namespace {

using Eigen::Vector3d;
using Weights = JointWeights;

enum Joint : int { kPelvis = 0, kLeftHip = 1, kRightHip = 2, kSpine1 = 3, kLeftKnee = 4, kRightKnee = 5, kSpine2 = 6 };
enum : int { kLeftAnkle = 7, kRightAnkle = 8, kSpine3 = 9, kNeck = 12, kLeftCollar = 13, kRightCollar = 14 };
enum : int { kHead = 15, kLeftShoulder = 16, kRightShoulder = 17 };

constexpr int kRows = 14;       // of a skirt
constexpr int kSmoothings = 3;  // of a skirt's radii around it
constexpr double kSolid = 0.3;  // share of the skirts that are

double Between(double from, double to, double share) { return from + share * (to - from); }

// A number from 0 to 1 that rises smoothly between two values.
double Rise(double low, double high, double value) {
  const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Radii of a skirt's rows in all directions: as far as the body reaches at their heights, and never less than above, as
// cloth hangs.
std::vector<std::array<double, kSectors>> Radii(const WeightedBody& body, const Skirt& skirt, const Vector3d& middle,
                                                double top, double step, double height) {
  std::vector<std::array<double, kSectors>> radii(kRows);
  for (auto& row : radii) row.fill(0);
  for (int v = 0; v < body.surface.vertex_count(); ++v) {
    if (body.weights.row(v).tail<kJoints - kLeftShoulder>().sum() > 0.5F) continue;  // arms
    const Vector3d from = body.surface.positions.row(v).transpose().cast<double>() - middle;
    const double at = (top - from.y() - middle.y()) / step;
    // A row reaches around what is up to a row away from it.
    for (int row = std::max(0, static_cast<int>(std::ceil(at - 1))); row < kRows && row <= at + 1; ++row) {
      for (int s = 0; s < kSectors; ++s) {
        const double reach = from.x() * std::cos(AngleOf(s)) + from.z() * std::sin(AngleOf(s));
        radii[row][s] = std::max(radii[row][s], reach);
      }
    }
  }
  for (int row = 0; row < kRows; ++row) {
    for (int s = 0; s < kSectors; ++s) {
      radii[row][s] += skirt.clearance * height;
      if (row > 0) radii[row][s] = std::max(radii[row][s], radii[row - 1][s]);
    }
  }
  for (auto& row : radii) {
    for (int pass = 0; pass < kSmoothings; ++pass) {
      const auto before = row;
      for (int s = 0; s < kSectors; ++s) {
        row[s] = std::max(before[s], (before[(s + 1) % kSectors] + before[(s + kSectors - 1) % kSectors]) / 2);
      }
    }
  }
  for (int row = 0; row < kRows; ++row) {
    const double down = static_cast<double>(row) / (kRows - 1);
    for (int s = 0; s < kSectors; ++s) {
      radii[row][s] += skirt.flare * step * row;
      radii[row][s] *= 1 + skirt.fold_depth * down * (1 + std::cos(skirt.folds * AngleOf(s))) / 2;
    }
  }
  return radii;
}

Weights SkirtWeights(const JointPositions& joints, double looseness, const Vector3d& point) {
  const double hips = (joints(kLeftHip, 1) + joints(kRightHip, 1)) / 2;
  const double knees = (joints(kLeftKnee, 1) + joints(kRightKnee, 1)) / 2, thigh = std::max(hips - knees, 1e-9);
  const double apart = std::max(std::abs(joints(kLeftHip, 0) - joints(kRightHip, 0)), 1e-9);
  const auto legs = static_cast<float>(looseness * Rise(0, 0.6 * thigh, hips - point.y()));
  const auto shin = static_cast<float>(Rise(-0.25 * thigh, 0.25 * thigh, knees - point.y()));
  const auto left = static_cast<float>(Rise(-apart, apart, point.x() - joints(kPelvis, 0)));
  Weights weights = Weights::Zero();
  weights[kPelvis] = 1 - legs;
  weights[kLeftHip] = legs * left * (1 - shin);
  weights[kLeftKnee] = legs * left * shin;
  weights[kRightHip] = legs * (1 - left) * (1 - shin);
  weights[kRightKnee] = legs * (1 - left) * shin;
  return weights;
}

// Measures of the skin that follows the head: half its width and depth, its lowest and highest place, its middle.
struct HeadSize {
  Vector3d middle = Vector3d::Zero();
  double radius = 0, low = 0, high = 0;
};

HeadSize MeasureHead(const WeightedBody& body) {
  Box box;
  for (int v = 0; v < body.surface.vertex_count(); ++v) {
    if (body.weights(v, kHead) > 0.5F) box.extend(body.surface.positions.row(v).transpose());
  }
  HeadSize head;
  if (box.isEmpty()) return head;
  head.middle = box.center().cast<double>();
  head.radius = std::max(box.sizes().x(), box.sizes().z()) / 2.0;
  head.low = box.min().y();
  head.high = box.max().y();
  return head;
}

double HeightOf(const WeightedBody& body) { return BoundingBox(body.surface.positions).sizes().y(); }

Skirt DrawSkirt(Random& random) {
  Skirt skirt;
  skirt.waist = random.Uniform(-0.3, 1.2);
  skirt.hem = random.Uniform(0.25, 0.98);
  skirt.clearance = random.Uniform(0.004, 0.02);
  skirt.thickness = random.Uniform(0.003, 0.008);
  skirt.flare = random.Uniform(0, 0.45);
  skirt.folds = static_cast<int>(3 + random.Below(7));
  skirt.fold_depth = std::max(0.0, random.Uniform(-0.12, 0.12));
  skirt.looseness = random.Uniform(0.6, 1);
  skirt.solid = random.Uniform() < kSolid;
  return skirt;
}

Hat DrawHat(Random& random) {
  return {.low = random.Uniform(0.15, random.Uniform() < 0.3 ? 1.0 : 0.5),
          .height = random.Uniform(0.3, 1.6),
          .brim = random.Uniform(1.05, 2.2),
          .tip = random.Uniform(0.02, 1.1),
          .bend = random.Uniform(-0.1, 0.5)};
}

Cape DrawCape(Random& random) {
  return {.hem = random.Uniform(0.3, 0.95),
          .width = random.Uniform(0.6, 1.2),
          .flare = random.Uniform(0, 0.8),
          .clearance = random.Uniform(0.002, 0.02),
          .thickness = random.Uniform(0.003, 0.012)};
}

}  // namespace

WeightedBody PutOn(const WeightedBody& body, const Skirt& skirt) {
  const JointPositions& joints = body.joints;
  const double hips = (joints(kLeftHip, 1) + joints(kRightHip, 1)) / 2;
  const double ankles = (joints(kLeftAnkle, 1) + joints(kRightAnkle, 1)) / 2;
  const double top = Between(joints(kPelvis, 1), joints(kSpine1, 1), skirt.waist);
  const double hem = std::min(Between(hips, ankles, skirt.hem), top - 1e-6), height = HeightOf(body);
  const double step = (top - hem) / (kRows - 1);
  const Vector3d middle(joints(kPelvis, 0), 0, joints(kPelvis, 2));
  const auto radii = Radii(body, skirt, middle, top, step, height);
  const auto ring = [&](int row, double inside) {
    Ring points;
    for (int s = 0; s < kSectors; ++s) {
      const double radius = radii[row][s] - inside;
      points[s] = middle + Vector3d(radius * std::cos(AngleOf(s)), top - step * row, radius * std::sin(AngleOf(s)));
    }
    return points;
  };
  std::vector<Ring> rings;
  for (int row = 0; row < kRows; ++row) rings.push_back(ring(row, 0));
  for (int row = kRows - 1; row >= 0 && !skirt.solid; --row) rings.push_back(ring(row, skirt.thickness * height));
  return AddRings(body, rings, !skirt.solid,
                  [&](const Vector3d& point) { return SkirtWeights(joints, skirt.looseness, point); });
}

WeightedBody PutOn(const WeightedBody& body, const Hat& hat) {
  constexpr int kCrownRows = 6;
  constexpr double kThickness = 0.08, kFit = 1.06;
  const HeadSize head = MeasureHead(body);
  if (!(head.radius > 0)) return body;
  const double tall = head.high - head.low, low = head.high - hat.low * tall;
  const auto ring = [&](double radius, double y, double back) {
    return Ellipse({head.middle.x(), y, head.middle.z() - back * head.radius}, radius * head.radius,
                   radius * head.radius);
  };
  std::vector<Ring> rings;
  for (int row = kCrownRows; row >= 0; --row) {
    const double up = static_cast<double>(row) / kCrownRows;
    rings.push_back(
        ring(Between(kFit, hat.tip, up), low + kThickness * head.radius + up * hat.height * tall, hat.bend * up * up));
  }
  rings.push_back(ring(hat.brim, low + kThickness * head.radius, 0));
  rings.push_back(ring(hat.brim, low, 0));
  rings.push_back(ring(0.9 * kFit, low, 0));
  return AddRings(body, rings, false, [](const Vector3d&) { return AloneWith(kHead); });
}

WeightedBody PutOn(const WeightedBody& body, const Hair& hair) {
  constexpr int kHairRows = 10;
  constexpr double kFlat = 0.35, kBehind = 0.55;  // of half the head's width: half the depth, and how far behind it is
  const HeadSize head = MeasureHead(body);
  if (!(head.radius > 0)) return body;
  const double top = Between(head.low, head.high, 0.85);
  const double bottom = std::min(Between(body.joints(kNeck, 1), body.joints(kSpine2, 1), hair.length), top - 1e-6);
  std::vector<Ring> rings;
  for (int row = 0; row <= kHairRows; ++row) {
    const double down = static_cast<double>(row) / kHairRows;
    const double width = Between(1.1, hair.width, down) * std::sqrt(std::min(1.0, 0.35 + 3 * down));
    rings.push_back(Ellipse({head.middle.x(), Between(top, bottom, down), head.middle.z() - kBehind * head.radius},
                            width * head.radius, kFlat * head.radius));
  }
  return AddRings(body, rings, false, [](const Vector3d&) { return AloneWith(kHead); });
}

WeightedBody PutOn(const WeightedBody& body, const Cape& cape) {
  constexpr int kCapeRows = 12;
  const JointPositions& joints = body.joints;
  const double height = HeightOf(body), top = (joints(kLeftCollar, 1) + joints(kRightCollar, 1)) / 2;
  const double ankles = (joints(kLeftAnkle, 1) + joints(kRightAnkle, 1)) / 2;
  const double bottom = std::min(Between(top, ankles, cape.hem), top - 1e-6), step = (top - bottom) / kCapeRows;
  const double half = cape.width * std::abs(joints(kLeftShoulder, 0) - joints(kRightShoulder, 0)) / 2;
  // How far back the body reaches at the height of each row. Cloth hangs straight down from there.
  std::array<double, kCapeRows + 1> back;
  back.fill(joints(kSpine3, 2));
  for (int v = 0; v < body.surface.vertex_count(); ++v) {
    if (body.weights.row(v).tail<kJoints - kLeftShoulder>().sum() > 0.5F || body.weights(v, kHead) > 0.5F) continue;
    const double at = (top - body.surface.positions(v, 1)) / step;
    for (int row = std::max(0, static_cast<int>(std::ceil(at - 1))); row <= kCapeRows && row <= at + 1; ++row) {
      back[row] = std::min(back[row], static_cast<double>(body.surface.positions(v, 2)));
    }
  }
  std::vector<Ring> rings;
  for (int row = 0; row <= kCapeRows; ++row) {
    if (row > 0) back[row] = std::min(back[row], back[row - 1]);
    const double down = static_cast<double>(row) / kCapeRows, deep = cape.thickness * height;
    rings.push_back(Ellipse({joints(kPelvis, 0), top - step * row, back[row] - cape.clearance * height - deep},
                            half * (1 + cape.flare * down), deep));
  }
  // Down the spine, from joint to joint.
  const auto weights = [&joints](const Vector3d& point) {
    constexpr std::array<int, 4> kSpine = {kPelvis, kSpine1, kSpine2, kSpine3};
    Weights along = AloneWith(kPelvis);
    for (size_t k = 1; k < kSpine.size(); ++k) {
      const auto share = static_cast<float>(Rise(joints(kSpine[k - 1], 1), joints(kSpine[k], 1), point.y()));
      along = (1 - share) * along + share * AloneWith(kSpine[k]);
    }
    return along;
  };
  return AddRings(body, rings, false, weights);
}

WeightedBody PutOnCostume(WeightedBody body, double share, Random& random) {
  constexpr double kClothes = 0.7, kPropsToo = 0.35, kCapes = 0.2;
  if (share <= 0 || random.Uniform() >= share) return body;
  const bool clothes = random.Uniform() < kClothes, props = !clothes || random.Uniform() < kPropsToo;
  if (clothes) {
    const int kind = static_cast<int>(random.Below(4));  // 0, 1: a skirt; 2: something on the head; 3: both
    if (kind != 2) body = PutOn(body, DrawSkirt(random));
    if (kind >= 2 && random.Uniform() < 0.5) {
      body = PutOn(body, DrawHat(random));
    } else if (kind >= 2) {
      body = PutOn(body, Hair{.length = random.Uniform(0, 1), .width = random.Uniform(0.4, 1.3)});
    }
  }
  if (random.Uniform() < kCapes) body = PutOn(body, DrawCape(random));
  return props ? PutOnProps(std::move(body), random) : body;
}

}  // namespace sinew::autorig
