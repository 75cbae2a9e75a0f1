// The skirt is fitted to the body: the body's outline is measured at several heights, cloth is laid around it with
// clearance, and hangs from there: below the hips it never narrows again.
#include "sinew/offline/embedded/skirt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "sinew/offline/embedded/biped.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/motion.h"

namespace sinew::embedded {
namespace {

constexpr double kClearance = 0.014;  // between body and cloth
constexpr double kBeyond = 0.06;      // extent of the solid above the waist and below the hem, where it is cut off
constexpr int kLevels = 9;            // heights at which the body is measured, waist and hem included
constexpr int kDirections = 25;       // directions measured around half of the body, front and back included
constexpr double kFarAway = 0.6;      // radius outside of any body's trunk and legs, but inside of its hands
constexpr int kChainJoints = 3;
// Positions of a chain's joints, and of the hem, as fractions of the way from waist to hem.
constexpr std::array<double, kChainJoints + 1> kAlong = {0.12, 0.42, 0.72, 1};

struct ChainPlan {
  const char* name;
  double angle;  // around the body, degrees: 0 front, 90 left
};
constexpr std::array<ChainPlan, 5> kChains = {{{"skirt_front", 0},
                                               {"skirt_back", 180},
                                               {"left_skirt_fore", 45},
                                               {"left_skirt_side", 90},
                                               {"left_skirt_rear", 135}}};
// Angles of the folds, degrees from the front to the left; slightly irregular, as in real cloth.
constexpr std::array<double, 6> kFoldAngles = {16, 43, 74, 107, 136, 165};

Vector3d Outward(double degrees) {
  const double a = degrees * std::numbers::pi / 180;
  return {std::sin(a), 0, std::cos(a)};
}

std::vector<ShapeParameter> Parameters() {
  std::vector<ShapeParameter> parameters = BipedKind().parameters;
  parameters.push_back({"skirt-length", "waist to hem, 1 reaches the ankles", 0.4, 0.68, 0.9, 0.08});
  parameters.push_back({"flare", "how fast it widens, metres a metre", 0.1, 0.22, 0.45, 0.05});
  parameters.push_back({"folds", "how deep folds are at the hem, 0 to 2", 0, 1, 2, 0.3});
  return parameters;
}

// One level of cloth: its height, and its half widths to the side, the front and the back of x = z = 0.
struct Cloth {
  double y, side, front, back;

  // Distance of the cloth from the vertical axis in a direction.
  double Radius(const Vector3d& outward) const {
    const double depth = outward.z() > 0 ? front : back;
    return 1 / std::hypot(outward.x() / side, outward.z() / depth);
  }
};

// Returns the distance of the body's surface from the vertical axis in one direction, by sphere tracing inwards; 0 if
// there is no body in that direction.
double Reach(const Implicit& body, double y, const Vector3d& outward) {
  double radius = kFarAway;
  while (radius > 0) {
    const double value = body.Evaluate(Vector3d(0, y, 0) + radius * outward, nullptr);
    if (value < 1e-4) return radius;
    radius -= value;
  }
  return 0;
}

// Returns the smallest cloth that clears the body at a height.
Cloth Around(const Implicit& body, double y) {
  std::array<double, kDirections> reach;
  Cloth cloth{y, 0.02, 0.02, 0.02};
  for (int i = 0; i < kDirections; ++i) {
    const Vector3d outward = Outward(180.0 * i / (kDirections - 1));
    reach[i] = Reach(body, y, outward);
    cloth.side = std::max(cloth.side, reach[i] * outward.x());
    (outward.z() > 0 ? cloth.front : cloth.back) =
        std::max(outward.z() > 0 ? cloth.front : cloth.back, reach[i] * std::abs(outward.z()));
  }
  double fit = 1;
  for (int i = 0; i < kDirections; ++i) {
    fit = std::max(fit, reach[i] / cloth.Radius(Outward(180.0 * i / (kDirections - 1))));
  }
  return {y, cloth.side * fit + kClearance, cloth.front * fit + kClearance, cloth.back * fit + kClearance};
}

Vector3d PlaceOf(const Figure& figure, std::string_view name) { return figure.joints[IndexOf(figure, name)].position; }

// Returns the levels of cloth from the waist to the hem.
std::vector<Cloth> Measure(const Figure& body, const Shape& shape) {
  const Implicit surface(body.sculpture);
  const double waist = PlaceOf(body, "spine1").y(), ankle = PlaceOf(body, "left_ankle").y();
  const double hip = PlaceOf(body, "left_hip").y();
  const double hem = waist + shape("skirt-length") * (ankle - waist);
  std::vector<Cloth> levels;
  for (int i = 0; i < kLevels; ++i) {
    Cloth now = Around(surface, waist + (hem - waist) * i / (kLevels - 1));
    if (i > 0) {
      const Cloth& above = levels.back();
      const double widening = shape("flare") * std::min(above.y - now.y, std::max(0.0, hip - now.y));
      now.side = std::max(now.side, above.side + widening);
      now.front = std::max(now.front, above.front + widening);
      now.back = std::max(now.back, above.back + widening);
    }
    levels.push_back(now);
  }
  return levels;
}

Cloth Between(const std::vector<Cloth>& levels, double along) {
  const double place = along * (kLevels - 1);
  const int i = std::min(static_cast<int>(place), kLevels - 2);
  const double t = place - i;
  const Cloth &a = levels[i], &b = levels[i + 1];
  return {a.y + t * (b.y - a.y), a.side + t * (b.side - a.side), a.front + t * (b.front - a.front),
          a.back + t * (b.back - a.back)};
}

Vector3d OnCloth(const std::vector<Cloth>& levels, double along, double degrees) {
  const Cloth cloth = Between(levels, along);
  const Vector3d outward = Outward(degrees);
  return Vector3d(0, cloth.y, 0) + cloth.Radius(outward) * outward;
}

std::vector<FigureJoint> Joints(const Figure& body, const std::vector<Cloth>& levels) {
  SkeletonBuilder skeleton;
  const Vector3d pelvis = PlaceOf(body, "pelvis");
  const int root = skeleton.Add("pelvis", -1, pelvis, Vector3d(0, levels.front().y, pelvis.z()));
  for (const ChainPlan& chain : kChains) {
    int parent = root;
    for (int k = 0; k < kChainJoints; ++k) {
      parent = skeleton.Add(chain.name + std::to_string(k + 1), parent, OnCloth(levels, kAlong[k], chain.angle),
                            OnCloth(levels, kAlong[k + 1], chain.angle));
    }
  }
  skeleton.AddMirrorImages();
  return skeleton.Take();
}

// Ring of the loft at a level. Along a limb that goes down, u is to the left, v to the front.
Ring Across(const Cloth& cloth) {
  return {Vector3d(0, cloth.y, 0), Section{cloth.side, cloth.side, cloth.front, cloth.back}};
}

Cloth Moved(Cloth cloth, double up, double wider) {
  return {cloth.y + up, cloth.side + wider, cloth.front + wider, cloth.back + wider};
}

void AddCloth(Sculpture& sculpture, const std::vector<Cloth>& levels, double flare) {
  const int group = sculpture.AddGroup("cloth", -1, 0);
  std::vector<Ring> rings = {Across(Moved(levels.front(), kBeyond, 0))};
  for (const Cloth& cloth : levels) rings.push_back(Across(cloth));
  rings.push_back(Across(Moved(levels.back(), -kBeyond, flare * kBeyond)));
  sculpture.Add(group, 0, LoftThrough(rings, Vector3d::UnitX(), 0));
}

// A fold begins inside the cloth at the hip and comes out towards the hem.
void AddFolds(Sculpture& sculpture, const std::vector<Cloth>& levels, double depth, double flare) {
  constexpr double kFrom = 0.3, kRadius = 0.03;
  for (const double angle : kFoldAngles) {
    const Vector3d outward = Outward(angle);
    const Vector3d from = OnCloth(levels, kFrom, angle) - 1.6 * kRadius * outward;
    const Vector3d hem = OnCloth(levels, 1, angle) + (0.45 * depth - 1.1) * kRadius * outward;
    const Vector3d to = hem + kBeyond * (flare * outward - Vector3d::UnitY());
    Primitive& fold =
        sculpture.Add(0, 0, Limb(from, Section::Round(kRadius), to, Section::Round(kRadius), 1.3 * kRadius));
    fold.side = Vector3d(outward.z(), 0, -outward.x());
    fold.mirrored = true;
    fold.mirror_blend = 0;
  }
}

// Returns the horizontal direction from the axis to a joint.
Vector3d OutwardAt(const FigureJoint& joint) {
  return Vector3d(joint.position.x(), 0, joint.position.z()).normalized();
}

// Cloth swings out freely, in only as far as the legs let it, and hardly stretches to the sides.
JointLimits Limits(const Figure& figure) {
  JointLimits limits;
  limits.reserve(figure.joints.size());
  for (const FigureJoint& joint : figure.joints) {
    JointRange range{.toward = Vector3d::UnitZ(), .bend = {}, .side = {}, .twist = {}};
    if (joint.parent >= 0) {
      const bool first = joint.parent == 0;
      range.toward = OutwardAt(joint);
      range.bend = first ? AngleRange{-8, 55} : AngleRange{-15, 25};
      range.side = first ? AngleRange{-12, 12} : AngleRange{-8, 8};
      range.twist = {-6, 6};
    }
    limits.push_back(MakeLimit(joint, range));
    limits.back().free = joint.parent < 0;
  }
  return limits;
}

// Makes the hem sway as if the hips turned from side to side; the lower cloth lags behind the upper.
std::vector<Animation> Animations(const Figure& figure) {
  LoopBuilder loop(figure, Limits(figure), "sway", 2.0, 41);
  for (size_t j = 1; j < figure.joints.size(); ++j) {
    const FigureJoint& joint = figure.joints[j];
    const Vector3d outward = OutwardAt(joint);
    const double around = std::atan2(outward.x(), outward.z()) / (2 * std::numbers::pi);
    const bool first = joint.parent == 0;
    const double lag = 0.08 * (joint.name.back() - '1');
    // Rotation about this axis lifts a hanging bone outward.
    const Vector3d axis = outward.cross(Vector3d::UnitY());
    loop.Rotate(static_cast<int>(j), [=](double p) {
      const double swing = std::sin(2 * std::numbers::pi * (p - lag - around));
      return Vector3d(axis * (first ? Radians(6 + 8 * swing) : Radians(5 * swing)));
    });
  }
  return {loop.Take()};
}

Figure Build(const Shape& shape) {
  const Kind biped = BipedKind();
  Shape body_shape(biped.parameters);
  for (const ShapeParameter& parameter : biped.parameters) body_shape.Set(parameter.name, shape(parameter.name));
  const Figure body = biped.build(body_shape);
  const std::vector<Cloth> levels = Measure(body, shape);
  Figure figure;
  figure.joints = Joints(body, levels);
  AddCloth(figure.sculpture, levels, shape("flare"));
  AddFolds(figure.sculpture, levels, shape("folds"), shape("flare"));
  figure.domain.max().y() = levels.front().y;
  figure.domain.min().y() = levels.back().y;
  return figure;
}

}  // namespace

Kind SkirtKind() {
  Kind kind;
  kind.name = "skirt";
  kind.description = "a skirt for the biped of the same shape, open at waist and hem";
  kind.parameters = Parameters();
  kind.build = Build;
  kind.limits = Limits;
  kind.animations = Animations;
  kind.symmetric = true;
  kind.grid = 0.008;
  return kind;
}

}  // namespace sinew::embedded
