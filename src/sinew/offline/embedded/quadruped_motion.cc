// Limbs bend as far as a Labrador's do when moved passively: G. Jaegger, D. J. Marcellin-Little, D. Levine,
// "Reliability of goniometry in Labrador Retrievers", American Journal of Veterinary Research 63(7), 2002, mean angles
// of flexion and extension (not yet checked against the printed table). Standing angles are measured on the figure
// itself, so breeds of other proportions reach the same flexion and extension.
#include "sinew/offline/embedded/quadruped_motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>

#include "sinew/offline/embedded/motion.h"

namespace sinew::embedded {
namespace {

const Vector3d kUp(0, 1, 0), kForward(0, 0, 1);

// Range of a hinge joint: angles between a bone and the one above it, degrees, fully flexed and fully extended.
struct Hinge {
  double toward;  // direction of the bone in flexion: 1 forward, -1 back
  double flexed, extended;
  double side, twist;  // half ranges, the same to both sides
};

const std::map<std::string_view, Hinge>& Hinges() {
  static const std::map<std::string_view, Hinge> hinges = {
      {"shoulder", {-1, 57, 165, 15, 10}}, {"elbow", {1, 36, 165, 0, 8}}, {"wrist", {-1, 32, 196, 5, 0}},
      {"hip", {1, 50, 162, 25, 15}},       {"knee", {-1, 42, 162, 0, 5}}, {"ankle", {1, 39, 164, 3, 0}},
  };
  return hinges;
}

// Ranges relative to rest of the joints that are no hinges of limbs.
const std::map<std::string_view, JointRange>& Ranges() {
  static const std::map<std::string_view, JointRange> ranges = {
      {"spine1", {kUp, {-14, 10}, {-10, 10}, {-6, 6}}},      {"spine2", {kUp, {-14, 10}, {-12, 12}, {-8, 8}}},
      {"spine3", {kUp, {-10, 8}, {-10, 10}, {-8, 8}}},       {"spine4", {kUp, {-8, 8}, {-8, 8}, {-8, 8}}},
      {"neck1", {kUp, {-40, 25}, {-30, 30}, {-15, 15}}},     {"neck2", {kUp, {-25, 25}, {-25, 25}, {-20, 20}}},
      {"head", {kUp, {-40, 30}, {-30, 30}, {-30, 30}}},      {"jaw", {-kUp, {0, 35}, {-3, 3}, {0, 0}}},
      {"ear", {-kForward, {-15, 50}, {-15, 15}, {-30, 30}}}, {"scapula", {-kForward, {-15, 15}, {-4, 4}, {-3, 3}}},
      {"front_paw", {kUp, {-45, 60}, {-6, 6}, {0, 0}}},      {"hind_paw", {kUp, {-45, 60}, {-6, 6}, {0, 0}}},
      {"tail1", {kUp, {-25, 80}, {-40, 40}, {-10, 10}}},     {"tail2", {kUp, {-25, 40}, {-30, 30}, {-10, 10}}},
      {"tail3", {kUp, {-30, 40}, {-30, 30}, {-10, 10}}},     {"tail4", {kUp, {-30, 40}, {-30, 30}, {-10, 10}}},
      {"tail5", {kUp, {-30, 40}, {-30, 30}, {-10, 10}}},
  };
  return ranges;
}

// Returns the angle between a joint's bone and the one above it in the standing figure, degrees. For the thigh, the
// bone above is the pelvis, which points forward and up.
double StandingAngle(const Figure& figure, const FigureJoint& joint) {
  const Vector3d bone = joint.tip - joint.position;
  const Vector3d above = figure.joints[joint.parent].name == "pelvis"
                             ? Vector3d(0, std::sin(Radians(30)), std::cos(Radians(30)))
                             : Vector3d(figure.joints[joint.parent].position - joint.position);
  const Vector3d a = Vector3d(0, above.y(), above.z()).normalized(), b = Vector3d(0, bone.y(), bone.z()).normalized();
  return std::acos(std::clamp(a.dot(b), -1.0, 1.0)) * 180 / std::numbers::pi;
}

JointRange RangeOf(const Figure& figure, const FigureJoint& joint, const Hinge& hinge) {
  const double standing = StandingAngle(figure, joint);
  JointRange range;
  range.toward = hinge.toward * kForward;
  range.bend = {-std::max(1.0, hinge.extended - standing), std::max(1.0, standing - hinge.flexed)};
  range.side = {-hinge.side, hinge.side};
  range.twist = {-hinge.twist, hinge.twist};
  return range;
}

// One leg in the plane of the walk: a root (shoulder, hip), a hinge (elbow, knee), an end (wrist, ankle), a paw.
struct LegJoints {
  int root, hinge, end, paw;
};

LegJoints FindLeg(const Figure& figure, const std::string& side, bool front) {
  const auto at = [&](const char* name) { return IndexOf(figure, side + name); };
  if (front) return {at("shoulder"), at("elbow"), at("wrist"), at("front_paw")};
  return {at("hip"), at("knee"), at("ankle"), at("hind_paw")};
}

constexpr double kStance = 0.62;  // share of a cycle in which a paw is on the ground
constexpr double kPi = std::numbers::pi;

// State of a leg within the step: displacement of its end relative to rest, in lengths of the leg, and rotations of its
// last bones (radians about +X; positive swings a hanging bone back).
struct Step {
  double forward, up;
  double end, paw;
};

Step StepAt(double phase, bool front) {
  const double p = phase - std::floor(phase);
  const double reach = front ? 0.17 : 0.2;
  if (p < kStance) {
    // The heel comes up late, over toes that stay flat.
    const double t = p / kStance, late = std::max(0.0, (t - 0.6) / 0.4);
    return {reach * (1 - 2 * t), 0.045 * late * late, 0.5 * late * late, 0};
  }
  const double t = (p - kStance) / (1 - kStance), lift = std::sin(kPi * t), ease = 0.5 - 0.5 * std::cos(kPi * t);
  const double fold = (1 - t) * (1 - t) * 0.5 + (front ? 1.1 : 0.4) * lift * (1 - t);
  return {reach * (2 * ease - 1), 0.045 * (1 - t) * (1 - t) + (front ? 0.17 : 0.14) * lift, fold, 0.5 * lift};
}

double AngleOf(const Vector3d& bone) { return std::atan2(-bone.z(), -bone.y()); }

// Rotations of the leg's four joints about +X, radians, relative to their parents.
struct LegPose {
  double root, hinge, end, paw;
};

// Solves planar two-bone inverse kinematics for the leg's end, then turns the last bones as `step` says in model space.
// root_moved: displacement of the leg's root relative to rest, metres.
// carried: rotation of the root's parent, radians.
LegPose SolveLeg(const Figure& figure, const LegJoints& leg, const Step& step, const Vector3d& root_moved,
                 double carried) {
  const auto flat = [&](int joint) {
    return Vector3d(0, figure.joints[joint].position.y(), figure.joints[joint].position.z());
  };
  const Vector3d root = flat(leg.root), hinge = flat(leg.hinge), end = flat(leg.end);
  const double length = (root - end).norm(), upper = (hinge - root).norm(), lower = (end - hinge).norm();
  const Vector3d target = end + length * Vector3d(0, step.up, step.forward) - root - root_moved;
  const double distance = std::min(target.norm(), 0.999 * (upper + lower));
  const auto corner = [](double a, double b, double c) {
    return std::acos(std::clamp((a * a + b * b - c * c) / (2 * a * b), -1.0, 1.0));
  };
  // The hinge keeps the side of the line from root to end on which it is at rest.
  const double side = (hinge - root).cross(end - root).x() > 0 ? -1 : 1;
  const double at_root = AngleOf(target) + side * corner(upper, distance, lower);
  const double at_hinge = at_root - side * (kPi - corner(upper, lower, distance));
  const double root_turn = at_root - AngleOf(hinge - root), hinge_turn = at_hinge - AngleOf(end - hinge);
  return {root_turn - carried, hinge_turn - root_turn, step.end - hinge_turn, step.paw - step.end};
}

double Wrap(double angle) { return std::remainder(angle, 2 * kPi); }

void AddLeg(LoopBuilder& loop, const Figure& figure, const LegJoints& leg, bool front, double offset) {
  // Shoulder blades swing with the step, which lengthens it.
  const int blade = figure.joints[leg.root].parent;
  const auto swing = [=](double phase) {
    return front ? Radians(7) * -std::cos(2 * kPi * (phase + offset - 0.02)) : 0.0;
  };
  const auto pose = [=, &figure](double phase) {
    Vector3d moved = Vector3d::Zero();
    if (front) {
      const Vector3d arm = figure.joints[leg.root].position - figure.joints[blade].position;
      moved = Eigen::AngleAxisd(swing(phase), Vector3d::UnitX()) * arm - arm;
    }
    return SolveLeg(figure, leg, StepAt(phase + offset, front), moved, swing(phase));
  };
  const auto about_x = [](double angle) { return Vector3d(Wrap(angle), 0, 0); };
  if (front) loop.Rotate(blade, [=](double phase) { return about_x(swing(phase)); });
  loop.Rotate(leg.root, [=](double phase) { return about_x(pose(phase).root); });
  loop.Rotate(leg.hinge, [=](double phase) { return about_x(pose(phase).hinge); });
  loop.Rotate(leg.end, [=](double phase) { return about_x(pose(phase).end); });
  loop.Rotate(leg.paw, [=](double phase) { return about_x(pose(phase).paw); });
}

// Adds small, soft motions of neck, head, jaw, tail and ears that accompany the walk.
void AddSway(LoopBuilder& loop, const Figure& figure) {
  const auto wave = [](double phase, double shift, double times = 1) {
    return std::sin(2 * kPi * (times * phase + shift));
  };
  loop.Rotate(IndexOf(figure, "neck1"),
              [=](double p) { return Vector3d(0.05 * wave(p, 0.1, 2), 0.02 * wave(p, 0), 0); });
  loop.Rotate(IndexOf(figure, "neck2"), [=](double p) { return Vector3d(0.03 * wave(p, 0.2, 2), 0, 0); });
  loop.Rotate(IndexOf(figure, "head"),
              [=](double p) { return Vector3d(-0.06 * wave(p, 0.1, 2), -0.02 * wave(p, 0), 0); });
  loop.Rotate(IndexOf(figure, "jaw"), [=](double p) { return Vector3d(0.06 + 0.05 * wave(p, 0, 2), 0, 0); });
  for (int k = 1; k <= 5; ++k) {
    loop.Rotate(IndexOf(figure, "tail" + std::to_string(k)), [=](double p) {
      return Vector3d(0.03 * wave(p, 0.3 - 0.1 * k, 2), 0, 0.08 * wave(p, 0.1 - 0.09 * k));
    });
  }
  for (const double side : {1.0, -1.0}) {
    const int ear = IndexOf(figure, side > 0 ? "left_ear" : "right_ear");
    loop.Rotate(ear, [=](double p) { return Vector3d(-0.15 * Swell(p, side > 0 ? 0.3 : 0.7, 0.25), 0, 0); });
  }
}

}  // namespace

JointLimits QuadrupedLimits(const Figure& figure) {
  JointLimits limits;
  for (const FigureJoint& joint : figure.joints) {
    const std::string_view name = WithoutSide(joint.name);
    if (const auto hinge = Hinges().find(name); hinge != Hinges().end()) {
      limits.push_back(MakeLimit(joint, RangeOf(figure, joint, hinge->second)));
    } else if (const auto range = Ranges().find(name); range != Ranges().end()) {
      limits.push_back(MakeLimit(joint, range->second));
    } else {
      limits.push_back(MakeLimit(joint, JointRange{}));
      limits.back().free = true;
    }
  }
  return limits;
}

std::vector<Animation> QuadrupedAnimations(const Figure& figure) {
  LoopBuilder loop(figure, QuadrupedLimits(figure), "walk", 1.0, 31);
  // Order of the steps in a walk: left hind, left front, right hind, right front, a quarter of a cycle apart.
  AddLeg(loop, figure, FindLeg(figure, "left_", false), false, 0);
  AddLeg(loop, figure, FindLeg(figure, "left_", true), true, 0.75);
  AddLeg(loop, figure, FindLeg(figure, "right_", false), false, 0.5);
  AddLeg(loop, figure, FindLeg(figure, "right_", true), true, 0.25);
  AddSway(loop, figure);
  return {loop.Take()};
}

}  // namespace sinew::embedded
