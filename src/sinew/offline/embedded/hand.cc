// Lengths of the bones: A. Buryanov, V. Kotiuk, "Proportions of Hand Segments", International Journal of Morphology
// 28(3), 2010, table of mean lengths (metacarpals, phalanges and the soft tip beyond them); not yet checked against the
// printed table.
#include "sinew/offline/embedded/hand.h"

#include <array>
#include <cmath>
#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/motion.h"

namespace sinew::embedded {
namespace {

constexpr double kDrawnLength = 0.183;  // from the wrist to the tip of the middle finger
constexpr int kWrist = 0;

// A finger of the drawing. Angles in degrees.
struct FingerPlan {
  const char* name;
  Vector3d knuckle;         // metacarpophalangeal joint
  Vector3d root;            // beginning of its metacarpal
  double proximal, middle;  // lengths of the bones
  double distal, tip;       // lengths of the last bone, and of the soft tissue beyond it
  double spread;            // angle towards the thumb's side
  double width;             // half width at the first phalanx
};

constexpr int kFingers = 4;
const std::array<FingerPlan, kFingers>& Fingers() {
  static const std::array<FingerPlan, kFingers> fingers = {{
      {"index", {0.087, 0.001, 0.0245}, {0.022, 0, 0.011}, 0.03978, 0.02238, 0.01582, 0.00384, 6, 0.0093},
      {"middle", {0.088, 0.003, 0.003}, {0.022, 0.002, 0.001}, 0.04463, 0.02633, 0.0174, 0.00395, 0.5, 0.0093},
      {"ring", {0.082, 0.002, -0.0165}, {0.022, 0.001, -0.008}, 0.04137, 0.02565, 0.0173, 0.00395, -6, 0.0088},
      {"pinky", {0.0735, -0.001, -0.034}, {0.021, -0.002, -0.016}, 0.03274, 0.01811, 0.01596, 0.00373, -14, 0.0078},
  }};
  return fingers;
}

std::vector<ShapeParameter> Parameters() {
  return {
      {"length", "wrist to the tip of the middle finger, metres", 0.15, 0.183, 0.215, 0.01},
      {"breadth", "width of the palm and the fingers, 1 is average", 0.88, 1, 1.15, 0.05},
      {"fingers", "length of the fingers against the palm's", 0.9, 1, 1.12, 0.04},
      {"thickness", "from the back to the palm", 0.85, 1, 1.2, 0.06},
      {"knuckles", "how far knuckles stand out, 0 to 2", 0, 1, 2, 0.35},
      {"spread", "how far fingers spread, 1 is relaxed", 0.8, 1, 1.8, 0.15},
  };
}

// Parameter values of a shape, and the map from the drawing to the shape.
struct Plan {
  explicit Plan(const Shape& shape)
      : breadth(shape("breadth")),
        fingers(shape("fingers")),
        thickness(shape("thickness")),
        knuckles(shape("knuckles")),
        spread(shape("spread")) {}

  Vector3d At(double x, double y, double z) const { return {x, y * thickness + kLift * thickness, z * breadth}; }
  Vector3d At(const Vector3d& p) const { return At(p.x(), p.y(), p.z()); }
  // Section across the hand or a finger, from half width and half thickness above and below.
  Section Across(double width, double back, double palm) const {
    return {back * thickness, palm * thickness, width * breadth, width * breadth};
  }

  static constexpr double kLift = 0.0262;  // height of the wrist's middle above the ground
  double breadth, fingers, thickness, knuckles, spread;
};

// Returns the direction +X turned to the thumb's side and then down; degrees.
Vector3d Direction(double aside, double down) {
  const double a = aside * std::numbers::pi / 180, d = down * std::numbers::pi / 180;
  return {std::cos(a) * std::cos(d), -std::sin(d), std::sin(a) * std::cos(d)};
}

// Positions of the three joints of one finger and of its tip.
using Chain = std::array<Vector3d, 4>;

Chain FingerChain(const Plan& plan, const FingerPlan& finger) {
  const double aside = finger.spread * plan.spread, f = plan.fingers;
  Chain chain;
  chain[0] = plan.At(finger.knuckle);
  chain[1] = chain[0] + f * finger.proximal * Direction(aside, 3);
  chain[2] = chain[1] + f * finger.middle * Direction(aside, 9);
  chain[3] = chain[2] + f * (finger.distal + finger.tip) * Direction(aside, 14);
  return chain;
}

Chain ThumbChain(const Plan& plan) {
  const double aside = 40 + 6 * (plan.spread - 1), f = plan.fingers;
  Chain chain;
  chain[0] = plan.At(0.02, -0.005, 0.021);
  chain[1] = chain[0] + 0.04622 * Direction(aside, 10);
  chain[2] = chain[1] + f * 0.03157 * Direction(aside - 8, 5);
  chain[3] = chain[2] + f * (0.02167 + 0.00567) * Direction(aside - 18, 2);
  return chain;
}

// Index of the first joint of a digit, 0 (thumb) to 4 (pinky).
constexpr int FirstJoint(int digit) { return 1 + 3 * digit; }

void AddChain(SkeletonBuilder& skeleton, const std::string& name, const Chain& chain) {
  int parent = kWrist;
  for (int k = 0; k < 3; ++k) {
    parent = skeleton.Add("left_" + name + std::to_string(k + 1), parent, chain[k], chain[k + 1]);
  }
}

std::vector<FigureJoint> Joints(const Plan& plan) {
  SkeletonBuilder skeleton;
  skeleton.Add("left_wrist", -1, plan.At(0, 0, 0), plan.At(Fingers()[1].knuckle));
  AddChain(skeleton, "thumb", ThumbChain(plan));
  for (const FingerPlan& finger : Fingers()) AddChain(skeleton, finger.name, FingerChain(plan, finger));
  return skeleton.Take();
}

int AddPalm(Sculpture& sculpture, const Plan& plan) {
  const int palm = sculpture.AddGroup("palm", -1, 0);
  sculpture.groups[palm].sibling_blend = 0.002;
  const auto add = [&](const std::vector<Ring>& rings, double blend) -> Primitive& {
    return sculpture.Add(palm, kWrist, LoftThrough(rings, Vector3d::UnitY(), blend));
  };
  // Body of the palm, from the wrist to the knuckles.
  Primitive& body = add({{plan.At(-0.022, 0, 0), plan.Across(0.0272, 0.0185, 0.019)},
                         {plan.At(0, 0, 0), plan.Across(0.0275, 0.0175, 0.0185)},
                         {plan.At(0.028, 0.001, -0.001), plan.Across(0.0335, 0.0145, 0.018)},
                         {plan.At(0.055, 0.001, -0.003), plan.Across(0.038, 0.0125, 0.0155)},
                         {plan.At(0.08, 0.001, -0.0035), plan.Across(0.036, 0.0105, 0.0132)}},
                        0);
  body.exponent = 2.3;
  body.cap_a = 0.026;
  body.cap_b = 0.016;
  // Metacarpals and the knuckles at their ends.
  for (const FingerPlan& finger : Fingers()) {
    add({{plan.At(finger.root), plan.Across(0.011, 0.012, 0.012)},
         {plan.At(finger.knuckle), plan.Across(finger.width * 1.05, 0.0105, 0.0115)}},
        0.012);
    const Vector3d head = finger.knuckle + Vector3d(-0.001, 0.0045, 0);
    const double out = 0.006 + 0.0018 * plan.knuckles;
    sculpture.Add(palm, kWrist, Ellipsoid(plan.At(head), {0.011, out * plan.thickness, 0.0075 * plan.breadth}, 0.009));
  }
  // The web between the fingers.
  const double reach = plan.fingers * 0.011;
  const Vector3d to_index = Vector3d(reach, 0, 0) + plan.At(0.0865, -0.0055, 0.023);
  const Vector3d to_pinky = Vector3d(reach, 0, 0) + plan.At(0.0745, -0.0065, -0.034);
  Primitive& web = sculpture.Add(palm, kWrist,
                                 Limb(to_index, Section::Oval(0.0075 * plan.thickness, 0.009), to_pinky,
                                      Section::Oval(0.0068 * plan.thickness, 0.009), 0.01));
  web.side = Vector3d::UnitY();
  web.bend = Vector3d(0.005, 0.001, 0);
  // The heel of the hand on the little finger's side, then the ball of the thumb.
  add({{plan.At(0.012, -0.009, -0.018), plan.Across(0.012, 0.01, 0.0105)},
       {plan.At(0.035, -0.0095, -0.026), plan.Across(0.013, 0.011, 0.0115)},
       {plan.At(0.062, -0.006, -0.031), plan.Across(0.0105, 0.01, 0.0095)}},
      0.016);
  add({{plan.At(0.016, -0.009, 0.014), plan.Across(0.012, 0.009, 0.0105)},
       {plan.At(0.036, -0.0105, 0.024), plan.Across(0.015, 0.01, 0.0135)},
       {plan.At(0.054, -0.0085, 0.031), plan.Across(0.011, 0.009, 0.009)}},
      0.016);
  // The ulna's head.
  sculpture.Add(palm, kWrist, Ellipsoid(plan.At(-0.014, 0.0095, -0.0165), {0.012, 0.0085, 0.009}, 0.014));
  // The hollow of the palm.
  Primitive& hollow = sculpture.Add(
      palm, kWrist, Ellipsoid(plan.At(0.052, -0.0225, -0.002), {0.026, 0.0085 * plan.thickness, 0.015}, 0.012));
  hollow.operation = Primitive::Operation::kCarve;
  return palm;
}

// Section of a phalanx: place along it (0 to 1), and half width and half thicknesses as fractions of the finger's half
// width at its root.
struct Girth {
  double along, width, back, palm;
};

void AddPhalanx(Sculpture& sculpture, const Plan& plan, int group, int joint, const Vector3d& from, const Vector3d& to,
                double width, const std::vector<Girth>& girths) {
  std::vector<Ring> rings;
  rings.reserve(girths.size());
  for (const Girth& g : girths) {
    rings.push_back({from + g.along * (to - from), plan.Across(width * g.width, width * g.back, width * g.palm)});
  }
  sculpture.Add(group, joint, LoftThrough(rings, Vector3d::UnitY(), 0.3 * width));
}

// Adds a nail: a flat place on the last phalanx, a little deeper than the skin around it.
void AddNail(Sculpture& sculpture, const Plan& plan, int group, int joint, const Vector3d& from, const Vector3d& to,
             double width) {
  const Vector3d along = to - from, up = Vector3d::UnitY() * plan.thickness * width;
  const Section plate = plan.Across(0.5 * width, 0.4 * width, 0.4 * width);
  Primitive& nail = sculpture.Add(
      group, joint, Limb(from + 0.56 * along + 0.98 * up, plate, from + 0.98 * along + 0.84 * up, plate, 0.15 * width));
  nail.operation = Primitive::Operation::kCarve;
  nail.side = Vector3d::UnitY();
  nail.cap_a = nail.cap_b = 0.25 * width;
  nail.exponent = 3;
}

void AddFinger(Sculpture& sculpture, const Plan& plan, int palm, int digit) {
  const FingerPlan& finger = Fingers()[digit - 1];
  const Chain c = FingerChain(plan, finger);
  const int group = sculpture.AddGroup(finger.name, palm, 0.009), joint = FirstJoint(digit);
  const double w = finger.width, k = 0.03 * plan.knuckles;
  AddPhalanx(sculpture, plan, group, joint, c[0], c[1], w,
             {{-0.02, 0.98, 0.95, 1.1}, {0.3, 1, 0.93, 1.12}, {0.65, 0.93, 0.86, 1.04}, {1, 0.93 + k, 0.87 + k, 0.9}});
  AddPhalanx(sculpture, plan, group, joint + 1, c[1], c[2], w,
             {{0, 0.92 + k, 0.87 + k, 0.9}, {0.45, 0.86, 0.77, 0.97}, {1, 0.83 + 0.6 * k, 0.72 + 0.6 * k, 0.82}});
  AddPhalanx(sculpture, plan, group, joint + 2, c[2], c[3], w,
             {{0, 0.83 + 0.6 * k, 0.71 + 0.6 * k, 0.82}, {0.4, 0.82, 0.66, 0.87}, {0.66, 0.73, 0.58, 0.78}});
  sculpture.groups[group].primitives.back().cap_b = 0.34 * (c[3] - c[2]).norm();
  AddNail(sculpture, plan, group, joint + 2, c[2], c[3], w);
}

void AddThumb(Sculpture& sculpture, const Plan& plan, int palm) {
  const Chain c = ThumbChain(plan);
  const int group = sculpture.AddGroup("thumb", palm, 0.024), joint = FirstJoint(0);
  const double w = 0.0105, k = 0.03 * plan.knuckles;
  AddPhalanx(sculpture, plan, group, joint, c[0], c[1], w,
             {{-0.05, 1.35, 1, 1.45}, {0.45, 1.5, 1.08, 1.55}, {0.8, 1.22, 1, 1.15}, {1.02, 1.04 + k, 0.95 + k, 0.95}});
  AddPhalanx(sculpture, plan, group, joint + 1, c[1], c[2], w,
             {{0, 1.02 + k, 0.95 + k, 0.95}, {0.5, 0.9, 0.82, 0.95}, {1, 0.97 + 0.7 * k, 0.78 + 0.7 * k, 0.85}});
  AddPhalanx(sculpture, plan, group, joint + 2, c[2], c[3], w,
             {{0, 0.97 + 0.7 * k, 0.78 + 0.7 * k, 0.85}, {0.35, 0.98, 0.7, 0.92}, {0.6, 0.86, 0.6, 0.8}});
  sculpture.groups[group].primitives.back().cap_b = 0.4 * (c[3] - c[2]).norm();
  AddNail(sculpture, plan, group, joint + 2, c[2], c[3], 1.15 * w);
}

// Makes one loop: fingers close to a fist one after another, from the little one to the thumb, and open again.
std::vector<Animation> Animations(const Figure& figure) {
  LoopBuilder loop(figure, FindLimits(SkeletonOf(figure.joints), {}), "fist", 3.0, 61);
  // Degrees that each joint of a finger bends.
  constexpr std::array<double, 3> kCurl = {78, 92, 55};
  const auto closed = [](double phase, int order) {
    const auto ease = [](double t) { return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t); };
    return ease((phase - 0.04 - 0.06 * order) / 0.2) - ease((phase - 0.62 - 0.03 * order) / 0.22);
  };
  for (int digit = 1; digit <= kFingers; ++digit) {
    const double aside = Radians(Fingers()[digit - 1].spread);
    for (int k = 0; k < 3; ++k) {
      // Bends about the axis across the finger; the first joint also brings the fingers together.
      const Vector3d bend = -Radians(kCurl[k]) * Vector3d(-std::sin(aside), 0, std::cos(aside));
      const Vector3d gather = k == 0 ? Vector3d(0, 0.8 * aside, 0) : Vector3d::Zero();
      loop.Rotate(FirstJoint(digit) + k,
                  [=](double p) { return Vector3d(closed(p, kFingers - digit) * (bend + gather)); });
    }
  }
  // The thumb comes over the fingers: swings across the palm, then bends.
  const int thumb = FirstJoint(0);
  loop.Rotate(thumb, [=](double p) { return Vector3d(closed(p, 4) * Vector3d(0.55, 0.1, -0.35)); });
  loop.Rotate(thumb + 1, [=](double p) { return Vector3d(closed(p, 4) * Vector3d(0.2, 0.75, 0.1)); });
  loop.Rotate(thumb + 2, [=](double p) { return Vector3d(closed(p, 4) * Vector3d(0.2, 0.9, 0.1)); });
  return {loop.Take()};
}

Figure Build(const Shape& shape) {
  const Plan plan(shape);
  Figure figure;
  figure.joints = Joints(plan);
  const int palm = AddPalm(figure.sculpture, plan);
  AddThumb(figure.sculpture, plan, palm);
  for (int digit = 1; digit <= kFingers; ++digit) AddFinger(figure.sculpture, plan, palm, digit);
  Scale(figure, shape("length") / kDrawnLength);
  return figure;
}

}  // namespace

Kind HandKind() {
  Kind kind;
  kind.name = "hand";
  kind.description = "a left hand, palm down, fingers a little spread";
  kind.parameters = Parameters();
  kind.build = Build;
  kind.animations = Animations;
  kind.symmetric = false;
  kind.grid = 0.0012;
  return kind;
}

}  // namespace sinew::embedded
