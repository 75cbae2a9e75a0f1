#include "sinew/offline/autorig/costume.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

namespace sinew::autorig {
namespace {

using Eigen::Vector3d;
using Weights = Eigen::Matrix<float, 1, kJoints>;

enum Joint : int { kPelvis = 0, kLeftHip = 1, kRightHip = 2, kSpine1 = 3, kLeftKnee = 4, kRightKnee = 5, kSpine2 = 6 };
enum : int { kLeftAnkle = 7, kRightAnkle = 8, kNeck = 12, kHead = 15, kLeftShoulder = 16 };

constexpr int kSectors = 48;    // of a ring
constexpr int kRows = 14;       // of a skirt
constexpr int kSmoothings = 3;  // of a skirt's radii around it
constexpr double kSolid = 0.3;  // share of the skirts that are

// A closed curve around the body, of kSectors points from the left to the front.
using Ring = std::array<Vector3d, kSectors>;

double AngleOf(int sector) { return 2 * std::numbers::pi * sector / kSectors; }

Ring Ellipse(const Vector3d& middle, double wide, double deep) {
  Ring ring;
  for (int s = 0; s < kSectors; ++s) {
    ring[s] = middle + Vector3d(wide * std::cos(AngleOf(s)), 0, deep * std::sin(AngleOf(s)));
  }
  return ring;
}

double Between(double from, double to, double share) { return from + share * (to - from); }

// A number from 0 to 1 that rises smoothly between two values.
double Rise(double low, double high, double value) {
  const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Vector3d MiddleOf(const Ring& ring) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& point : ring) sum += point;
  return sum / kSectors;
}

// Adds a surface through rings that follow each other from the top to the bottom, seen from outside. around: whether
// the first follows the last, as in a skirt with an inside; otherwise both ends are closed by a point in their middle.
WeightedBody AddRings(WeightedBody body, const std::vector<Ring>& rings, bool around,
                      const std::function<Weights(const Vector3d&)>& weights) {
  std::vector<Vector3d> points;
  std::vector<Eigen::Vector3i> triangles;
  const int count = static_cast<int>(rings.size()), first = body.surface.vertex_count();
  for (const Ring& ring : rings) points.insert(points.end(), ring.begin(), ring.end());
  const auto at = [&](int row, int s) { return first + row % count * kSectors + s % kSectors; };
  for (int row = 0; row + (around ? 0 : 1) < count; ++row) {
    for (int s = 0; s < kSectors; ++s) {
      triangles.emplace_back(at(row, s), at(row, s + 1), at(row + 1, s));
      triangles.emplace_back(at(row, s + 1), at(row + 1, s + 1), at(row + 1, s));
    }
  }
  if (!around) {
    const int top = first + static_cast<int>(points.size()), bottom = top + 1;
    points.push_back(MiddleOf(rings.front()));
    points.push_back(MiddleOf(rings.back()));
    for (int s = 0; s < kSectors; ++s) {
      triangles.emplace_back(top, at(0, s + 1), at(0, s));
      triangles.emplace_back(bottom, at(count - 1, s), at(count - 1, s + 1));
    }
  }
  const Eigen::Index old = body.surface.triangles.rows();
  body.surface.positions.conservativeResize(first + static_cast<Eigen::Index>(points.size()), 3);
  body.weights.conservativeResize(body.surface.positions.rows(), kJoints);
  for (size_t v = 0; v < points.size(); ++v) {
    const Eigen::Index row = first + static_cast<Eigen::Index>(v);
    body.surface.positions.row(row) = points[v].cast<float>().transpose();
    body.weights.row(row) = weights(points[v]);
  }
  body.surface.triangles.conservativeResize(old + static_cast<Eigen::Index>(triangles.size()), 3);
  for (size_t t = 0; t < triangles.size(); ++t) {
    body.surface.triangles.row(old + static_cast<Eigen::Index>(t)) = triangles[t].transpose();
  }
  return body;
}

Weights HeadAlone(const Vector3d& /*point*/) {
  Weights weights = Weights::Zero();
  weights[kHead] = 1;
  return weights;
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
  return {.low = random.Uniform(0.15, 0.5),
          .height = random.Uniform(0.3, 1.6),
          .brim = random.Uniform(1.05, 2.2),
          .tip = random.Uniform(0.02, 1.1),
          .bend = random.Uniform(-0.1, 0.5)};
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
  return AddRings(body, rings, false, HeadAlone);
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
  return AddRings(body, rings, false, HeadAlone);
}

WeightedBody PutOnCostume(WeightedBody body, double share, Random& random) {
  if (share <= 0 || random.Uniform() >= share) return body;
  const int kind = static_cast<int>(random.Below(4));  // 0, 1: a skirt; 2: something on the head; 3: both
  if (kind != 2) body = PutOn(body, DrawSkirt(random));
  if (kind < 2) return body;
  if (random.Uniform() < 0.5) return PutOn(body, DrawHat(random));
  return PutOn(body, Hair{.length = random.Uniform(0, 1), .width = random.Uniform(0.4, 1.3)});
}

}  // namespace sinew::autorig
