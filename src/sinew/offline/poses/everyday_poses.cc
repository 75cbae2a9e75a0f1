#include "sinew/offline/poses/everyday_poses.h"

#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numbers>

#include "sinew/offline/anatomy/turn.h"

namespace sinew::poses {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180;
constexpr Side kSides[] = {Side::kLeft, Side::kRight};

// Direction in the frame of the body; `out` is away from its middle, on either side.
struct Direction {
  double out = 0, up = 0, forward = 0;
};

// A limb of two bones: where the first points, and by how many degrees the joint between bends the second towards a
// direction. A straight limb has none.
struct Limb {
  Direction first;
  double bend = 0;
  Direction toward = {};
};

// Poses one skeleton, joint by joint, parents first.
class Figure {
 public:
  Figure(const Articulation& articulation, const JointLimits& limits)
      : articulation_(articulation),
        limits_(limits),
        body_(articulation.body()),
        deltas_(limits.size(), Quaterniond::Identity()) {}

  Pose pose() const { return articulation_.ToPose(deltas_); }

  Figure& Arms(const Limb& limb) { return Arm(Side::kLeft, limb).Arm(Side::kRight, limb); }
  Figure& Arm(Side side, const Limb& limb) {
    return Bent(Joint(JointKind::kShoulder, side), Joint(JointKind::kElbow, side), side, limb);
  }
  Figure& Leg(Side side, const Limb& limb) {
    return Bent(Joint(JointKind::kHip, side), Joint(JointKind::kKnee, side), side, limb);
  }
  // Turns joints of a kind by shares of their ranges; negative ones of the other end.
  Figure& Turn(JointKind kind, Side side, double bend, double twist = 0) {
    for (const int j : FindChain(body_.identities, kind, side)) {
      const auto share = [](const AngleRange& range, double s) { return s < 0 ? -s * range.min : s * range.max; };
      Set(j, {.bend = share(limits_[j].bend, bend), .side = 0, .twist = share(limits_[j].twist, twist)});
    }
    return *this;
  }
  // Tilts the whole trunk to the front; legs that are to stay are posed afterwards.
  Figure& Lean(double degrees) {
    const int pelvis = Joint(JointKind::kPelvis, Side::kNone);
    if (pelvis < 0) return *this;
    const Quaterniond turn(Eigen::AngleAxisd(degrees * kDegree, body_.left));
    deltas_[pelvis] = body_.orientations[pelvis].conjugate() * turn * body_.orientations[pelvis];
    Set(pelvis, ToSwingTwist(limits_[pelvis], deltas_[pelvis]));
    return *this;
  }
  // Points thighs where they point at rest, so that they stay when the pelvis leans.
  Figure& StandingLegs() {
    for (const Side side : kSides) {
      const int hip = Joint(JointKind::kHip, side), knee = Joint(JointKind::kKnee, side);
      Point(hip, body_.bones[hip]);
      Point(knee, body_.bones[knee]);
    }
    return *this;
  }

 private:
  int Joint(JointKind kind, Side side) const { return FindJoint(body_.identities, kind, side); }

  Vector3d InModel(const Direction& d, Side side) const {
    const double out = side == Side::kRight ? -d.out : d.out;
    return (out * body_.left + d.up * body_.up + d.forward * body_.forward).normalized();
  }

  // Returns the orientation in model space that the joint would have with the rotation of rest.
  Quaterniond Base(int joint) const {
    const Eigen::Matrix3d turned =
        ToEigen(ToTransform(LocalToModel(articulation_.skeleton(), pose())[joint]).rotation).cast<double>().matrix();
    return Quaterniond(turned).normalized() * deltas_[joint].conjugate();
  }

  void Set(int joint, const SwingTwist& angles) {
    deltas_[joint] = FromSwingTwist(limits_[joint], Clamp(limits_[joint], angles));
  }

  // Swings the joint's bone to a direction in model space, as far as its limit lets it, without turning it about
  // itself.
  void Point(int joint, const Vector3d& direction) {
    const JointLimit& limit = limits_[joint];
    const Vector3d bone = body_.orientations[joint].conjugate() * body_.bones[joint];
    const Vector3d goal = (Base(joint) * limit.neutral).conjugate() * direction;
    Set(joint, ToSwingTwist(limit, limit.neutral * TurnBetween(bone, goal)));
  }

  // Turns the joint about its bone until the hinge at its end bends towards a direction in model space.
  void FaceHinge(int joint, int hinge, const Vector3d& toward) {
    const Vector3d bone = Base(joint) * deltas_[joint] * body_.orientations[joint].conjugate() * body_.bones[joint];
    const auto across = [&](const Vector3d& v) { return Vector3d(v - v.dot(bone) * bone); };
    const Vector3d now = across(Base(hinge) * limits_[hinge].neutral * limits_[hinge].bend_toward);
    const Vector3d goal = across(toward);
    SwingTwist angles = ToSwingTwist(limits_[joint], deltas_[joint]);
    angles.twist =
        std::remainder(angles.twist + std::atan2(now.cross(goal).dot(bone), now.dot(goal)), 2 * std::numbers::pi);
    Set(joint, angles);
  }

  Figure& Bent(int joint, int hinge, Side side, const Limb& limb) {
    Point(joint, InModel(limb.first, side));
    if (limb.bend > 0) FaceHinge(joint, hinge, InModel(limb.toward, side));
    Set(hinge, {.bend = limb.bend * kDegree, .side = 0, .twist = 0});
    return *this;
  }

  const Articulation& articulation_;
  const JointLimits& limits_;
  const RestBody& body_;
  std::vector<Quaterniond> deltas_;
};

// Limbs that several poses share.
constexpr Direction kForward = {.forward = 1}, kBack = {.forward = -1};
constexpr Direction kBeside = {.out = 0.25, .up = -1, .forward = 0.05};  // upper arm
constexpr Direction kUnder = {.out = 0.06, .up = -1};                    // thigh of a leg to stand on
constexpr Direction kLevel = {.out = 0.15, .forward = 1};                // thigh of one who sits
constexpr Limb kRelaxed = {kBeside, 15, kForward};

// Name of a pose in everyday words.
struct PoseLabel {
  std::string_view name;
  const char* label;
};
constexpr PoseLabel kLabels[] = {{"elbow_90", "elbows bent by 90 degrees"},
                                 {"elbow_140", "elbows bent by 140 degrees"},
                                 {"knee_90", "a knee bent by 90 degrees"},
                                 {"knee_130", "a knee bent by 130 degrees"},
                                 {"sit", "sitting"},
                                 {"kneel", "kneeling on one knee"},
                                 {"arms_up", "arms up"},
                                 {"arms_down", "arms down"},
                                 {"arms_front", "arms to the front"},
                                 {"hug", "a hug"},
                                 {"twist", "turned to the left"},
                                 {"bow", "a bow"}};
static_assert(std::size(kLabels) == kEverydayCount);

}  // namespace

bool IsBiped(const RestBody& body) {
  if (!body.has_frame || body.quadruped) return false;
  for (const Side side : kSides) {
    for (const JointKind kind : {JointKind::kShoulder, JointKind::kElbow, JointKind::kHip, JointKind::kKnee}) {
      if (FindJoint(body.identities, kind, side) < 0) return false;
    }
  }
  return true;
}

std::vector<NamedPose> EverydayPoses(const Articulation& articulation, const JointLimits& limits) {
  if (!IsBiped(articulation.body())) return {};
  const auto figure = [&] { return Figure(articulation, limits); };
  const Limb seat = {kLevel, 90, {.up = -1}};
  std::vector<NamedPose> poses;
  const auto add = [&](const char* name, const Figure& posed) {
    poses.push_back({name, EverydayLabel(name), posed.pose()});
  };
  add("elbow_90", figure().Arms({kBeside, 90, kForward}));
  add("elbow_140", figure().Arms({kBeside, 140, kForward}));
  add("knee_90", figure().Arms(kRelaxed).Leg(Side::kLeft, {kUnder, 90, kBack}));
  add("knee_130", figure().Arms(kRelaxed).Leg(Side::kLeft, {kUnder, 130, kBack}));
  add("sit", figure()
                 .Arms({{.out = 0.2, .up = -1, .forward = 0.2}, 55, kForward})
                 .Leg(Side::kLeft, seat)
                 .Leg(Side::kRight, seat));
  add("kneel", figure()
                   .Arms(kRelaxed)
                   .Leg(Side::kLeft, {kUnder, 90, kBack})
                   .Turn(JointKind::kAnkle, Side::kLeft, -0.9)
                   .Leg(Side::kRight, seat));
  Figure raised = figure();
  for (const Side side : kSides) raised.Turn(JointKind::kCollar, side, 0.9);
  add("arms_up", raised.Arms({.first = {.out = 0.2, .up = 1}}));
  add("arms_down", figure().Arms({.first = {.out = 0.12, .up = -1, .forward = 0.05}}));
  add("arms_front", figure().Arms({.first = {.out = 0.05, .forward = 1}}));
  const Direction inward = {.out = -1, .up = 0.1};
  add("hug", figure()
                 .Arm(Side::kLeft, {{.out = 0.3, .up = -0.25, .forward = 1}, 80, inward})
                 .Arm(Side::kRight, {{.out = 0.3, .up = -0.6, .forward = 1}, 80, inward}));
  add("twist",
      figure().Turn(JointKind::kSpine, Side::kNone, 0, 0.9).Turn(JointKind::kNeck, Side::kNone, 0, 0.5).Arms(kRelaxed));
  add("bow", figure()
                 .Lean(35)
                 .Turn(JointKind::kSpine, Side::kNone, 0.6)
                 .Turn(JointKind::kNeck, Side::kNone, 0.3)
                 .Arms(kRelaxed)
                 .StandingLegs());
  return poses;
}

std::string EverydayLabel(std::string_view name) {
  for (const PoseLabel& label : kLabels) {
    if (label.name == name) return label.label;
  }
  return std::string(name);
}

}  // namespace sinew::poses
