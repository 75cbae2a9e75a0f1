// Table of anatomical ranges, in degrees. docs/formats/limits.md has their sources and says which could not be checked.
#include "sinew/offline/anatomy/anatomy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/anatomy/human_motion.h"
#include "sinew/offline/anatomy/turn.h"

namespace sinew {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using enum JointKind;
constexpr double kDegree = std::numbers::pi / 180;

// Range of a joint from neutral, in degrees; Build() mirrors its twist for a right limb.
using Reach = HumanReach;

Reach operator*(Reach r, double s) {
  return {r.toward * s, r.away * s, r.out * s, r.in * s, r.twist_positive * s, r.twist_negative * s};
}

Reach Wider(const Reach& a, const Reach& b) {
  return {std::max(a.toward, b.toward),
          std::max(a.away, b.away),
          std::max(a.out, b.out),
          std::max(a.in, b.in),
          std::max(a.twist_positive, b.twist_positive),
          std::max(a.twist_negative, b.twist_negative)};
}

// The bend alone, for joints that do nothing else.
Reach BendOnly(const Reach& r) { return {.toward = r.toward, .away = r.away}; }

Reach SwingOnly(Reach r) {
  r.twist_positive = r.twist_negative = 0;
  return r;
}

// Returns the component of v orthogonal to the unit vector `axis`.
Vector3d Across(const Vector3d& v, const Vector3d& axis) { return v - v.dot(axis) * axis; }

// Finds the limit of one joint.
class Anatomist {
 public:
  Anatomist(const RestBody& body, int joint, RangeSource source)
      : body_(body), joint_(joint), source_(source), identity_(body.identities[joint]), bone_(body.bones[joint]) {}

  std::optional<JointLimit> Run() {
    // Roots, fingers and joints of four-legged bodies have rules of their own.
    if (body_.parents[joint_] < 0) return Free();
    if (IsFinger(identity_.kind)) return Finger();
    if (body_.quadruped) {
      if (auto limit = Quadruped()) return limit;
    }
    // All other joints take the human range of their kind; the joints of a chain share its range evenly.
    switch (identity_.kind) {
      case kRoot:
      case kPelvis:
        return Free();
      case kTip:
        return Fixed();
      case kSpine:
        return AtRest(body_.forward, Wider(Reach{80, 25, 35, 35, 45, 45} * (1.0 / Count(kSpine)), OfSpine()));
      case kNeck:
      case kHead:
        return AtRest(body_.forward,
                      Wider(Reach{45, 45, 45, 45, 60, 60} * (1.0 / (Count(kNeck) + Count(kHead))), OfNeckOrHead()));
      case kJaw:
        return AtRest(-body_.up, {25, 0, 4, 4, 0, 0});
      case kEye:
        return AtRest(body_.up, {25, 30, 35, 35, 0, 0});
      case kEar:
        return AtRest(body_.up, {20, 20, 20, 20, 10, 10});
      case kTail:
        return AtRest(body_.up, {35, 35, 35, 35, 10, 10});
      case kCollar:
        return Collar();
      case kShoulder:
        return Shoulder();
      case kElbow:
        return Hinge(body_.forward, Wider({150, 0, 0, 0, 45, 45}, BendOnly(Measured(kElbow, 1))));
      case kWrist:
        return Wrist();
      case kHand:
        return AtRest(body_.Palm(identity_.side), {60, 10, 5, 5, 0, 0});
      case kHip:
        return Hip();
      case kKnee:
        return Hinge(-body_.forward, Wider({135, 0, 0, 0, 0, 0}, BendOnly(Measured(kKnee, 1))));
      case kAnkle:
        return AtRest(body_.up, Wider({20, 50, 15, 15, 25, 35}, Measured(kAnkle, 1)));
      case kFoot:
        return AtRest(body_.up, Wider({70, 30, 10, 10, 0, 0}, SwingOnly(Measured(kFoot, 1))));
      default:
        return std::nullopt;
    }
  }

 private:
  double Count(JointKind kind) const {
    return static_cast<double>(std::count_if(body_.identities.begin(), body_.identities.end(),
                                             [&](const JointIdentity& i) { return i.kind == kind; }));
  }

  Reach Measured(JointKind kind, int order) const {
    return source_ == RangeSource::kTableAndMotion ? MeasuredReach(kind, order) : Reach{};
  }

  // Turns that were measured on a spine of three joints, of which the lowest turns most.
  Reach OfSpine() const {
    const double count = Count(kSpine);
    if (count == 1) return Measured(kSpine, 0);
    if (identity_.order <= 1) return Measured(kSpine, 1);
    return Measured(kSpine, 2) * std::min(1.0, 2 / (count - 1));
  }

  Reach OfNeckOrHead() const {
    if (Count(kNeck) + Count(kHead) == 1) return Measured(kNeck, 0);
    return identity_.kind == kHead ? Measured(kHead, 1) : Measured(kNeck, 1) * (1 / Count(kNeck));
  }

  Vector3d Out() const { return identity_.side == Side::kRight ? Vector3d(-body_.left) : body_.left; }

  // Returns a limit that allows no rotation, with the joint's bone and canonical name filled in.
  JointLimit Named() const {
    JointLimit limit;
    limit.origin = LimitOrigin::kNames;
    limit.known_as = CanonicalName(identity_);
    limit.bone = body_.orientations[joint_].conjugate() * bone_;
    limit.bend_toward = limit.bone.unitOrthogonal();
    return limit;
  }

  JointLimit Free() const {
    JointLimit limit = Named();
    limit.free = true;
    return limit;
  }
  JointLimit Fixed() const { return Named(); }

  // Builds a limit from arguments in model space: `neutral` rotates the bone at rest into its neutral direction,
  // `toward` is the direction of positive bend, `outward` the one that Reach::out refers to.
  JointLimit Build(const Quaterniond& neutral, const Vector3d& toward, const Vector3d& outward,
                   const Reach& reach) const {
    JointLimit limit = Named();
    const Quaterniond& orientation = body_.orientations[joint_];
    const Vector3d bone = neutral * bone_;
    Vector3d bend = Across(toward, bone);
    if (bend.norm() < 0.1) bend = Across(body_.up, bone);
    if (bend.norm() < 0.1) bend = Across(body_.forward, bone);
    bend.normalize();
    limit.neutral = orientation.conjugate() * neutral * orientation;
    limit.bend_toward = orientation.conjugate() * (neutral.conjugate() * bend);
    limit.bend = {-reach.away * kDegree, reach.toward * kDegree};
    const bool side_is_out = bone.cross(bend).dot(outward) > 0;
    const double plus = side_is_out ? reach.out : reach.in, minus = side_is_out ? reach.in : reach.out;
    limit.side = {-minus * kDegree, plus * kDegree};
    limit.twist = {-reach.twist_negative * kDegree, reach.twist_positive * kDegree};
    if (identity_.side == Side::kRight) limit.twist = {-limit.twist.max, -limit.twist.min};
    IncludeRest(limit);
    return limit;
  }

  // Builds a limit whose neutral is the rest pose.
  JointLimit AtRest(const Vector3d& toward, const Reach& reach) const { return AtRest(toward, reach, Out()); }
  JointLimit AtRest(const Vector3d& toward, const Reach& reach, const Vector3d& outward) const {
    return Build(Quaterniond::Identity(), toward, outward, reach);
  }

  // Returns the unit direction of the bone that ends in this joint.
  Vector3d Before() const {
    const int parent = body_.parents[joint_];
    if (parent < 0) return bone_;
    const Vector3d before = body_.positions[joint_] - body_.positions[parent];
    return before.norm() > 1e-6 * body_.Size() ? before.normalized() : bone_;
  }

  // Returns the direction in which a hinge bends its bone away from the straight limb. A limb that rests bent by more
  // than 12 degrees gives that direction itself, if trust_measured or if it agrees with `expected`.
  Vector3d BendDirection(const Vector3d& expected, bool trust_measured) const {
    const Vector3d straight = Before();
    const Vector3d measured = Across(bone_, straight);
    const bool bent = measured.norm() > std::sin(12 * kDegree);
    if (bent && (trust_measured || measured.dot(expected) > 0)) return measured.normalized();
    return expected;
  }

  // Builds a limit measured from the straight limb. The hinge axis is chosen orthogonal to the bone at rest, so that
  // the rest pose is a pure bend from straight.
  JointLimit Hinge(const Vector3d& expected, const Reach& reach, bool trust_measured = false) const {
    const Vector3d straight = Before();
    const Vector3d axis = Across(straight.cross(BendDirection(expected, trust_measured)), bone_);
    const Vector3d from = Across(straight, axis.normalized());
    if (axis.norm() < 0.1 || from.norm() < 0.1) return AtRest(expected, reach);
    const Vector3d unit = axis.normalized();
    const double angle = std::atan2(from.cross(bone_).dot(unit), from.dot(bone_));
    const Quaterniond neutral(AngleAxisd(-angle, unit));
    return Build(neutral, unit.cross(neutral * bone_), Out(), reach);
  }

  // Uses sideways, a little down and forward as neutral, the middle of what an upper arm reaches: a wide cone about it
  // contains the arm at the side, swung back, across the chest and (with the collar bone's help) overhead, and excludes
  // all other directions.
  JointLimit Shoulder() const {
    const Vector3d middle = (0.8 * Out() - 0.45 * body_.up + 0.4 * body_.forward).normalized();
    const bool collar = FindJoint(body_.identities, kCollar, identity_.side) >= 0;
    const Reach reach = Wider({collar ? 90.0 : 115.0, 78, 78, 92, 70, 70}, Measured(kShoulder, 1));
    // Seen from the middle, forward and across the chest is the inner side.
    return Build(TurnBetween(bone_, middle), body_.up, -body_.forward, reach);
  }

  JointLimit Hip() const {
    return Build(TurnBetween(bone_, -body_.up), body_.forward, Out(),
                 Wider({120, 20, 45, 30, 45, 45}, Measured(kHip, 1)));
  }

  // The shoulder blade has a third of the arm's elevation, from the hanging arm to the one overhead: how far the collar
  // may turn from rest follows from how the arm rests.
  JointLimit Collar() const {
    constexpr double kShare = 1.0 / 3, kLeast = 10, kUp = 180;
    const int arm = FindJoint(body_.identities, kShoulder, identity_.side);
    const double hanging = arm < 0 ? 0.0 : std::clamp(-body_.bones[arm].dot(body_.up), -1.0, 1.0);
    const double elevation = std::acos(hanging) / kDegree;
    return AtRest(body_.up,
                  {std::max(kLeast, kShare * (kUp - elevation)), std::max(kLeast, kShare * elevation), 25, 25, 15, 15},
                  body_.forward);
  }

  // The forearm's twist (80 degrees either way) is shared half and half by elbow and wrist, as it is spread along the
  // forearm.
  JointLimit Wrist() const {
    const Vector3d palm = body_.Palm(identity_.side);
    return AtRest(palm, Wider({80, 70, 20, 30, 35, 35}, Measured(kWrist, 1)), ThumbSide(palm));
  }

  std::optional<JointLimit> Finger() const {
    const auto [kind, side, order] = identity_;
    const Vector3d palm = body_.Palm(side);
    if (order == 4) return Fixed();
    if (palm.norm() == 0) return std::nullopt;
    if (kind == kThumb) return Thumb(palm);
    switch (order) {
      case 0:
        return AtRest(palm, {5, 2, 2, 2, 0, 0});
      case 1:
        return Build(ToStraight(palm), palm, ThumbSide(palm), {90, 30, 15, 15, 0, 0});
      case 2:
        return Hinge(palm, {100, 0, 0, 0, 0, 0});
      default:
        return Hinge(palm, {80, 5, 0, 0, 0, 0});
    }
  }

  // Returns the direction from the wrist's bone towards the thumb's side of the hand.
  Vector3d ThumbSide(const Vector3d& palm) const {
    return body_.Handedness(identity_.side) * palm.cross(body_.bones[Wrist(identity_.side)]);
  }
  int Wrist(Side side) const { return FindJoint(body_.identities, kWrist, side); }

  // Returns the rotation from a relaxed, slightly curled finger to one that lies in the plane of the palm.
  Quaterniond ToStraight(const Vector3d& palm) const {
    const Vector3d flat = Across(bone_, palm);
    return flat.norm() > 0.3 ? TurnBetween(bone_, flat) : Quaterniond::Identity();
  }

  // The thumb closes over the palm, towards the root of the little finger.
  JointLimit Thumb(const Vector3d& palm) const {
    Vector3d target = body_.positions[Wrist(identity_.side)];
    for (const JointKind kind : {kPinky, kRing, kMiddle, kIndex}) {
      const int root = FindJoint(body_.identities, kind, identity_.side, 1);
      if (root < 0) continue;
      target = body_.positions[root];
      break;
    }
    const Vector3d closing = (target - body_.positions[joint_]).normalized() + 0.3 * palm;
    if (identity_.order <= 1) return AtRest(closing, {25, 20, 25, 25, 10, 10}, palm);
    if (identity_.order == 2) return Hinge(closing, {50, 5, 0, 0, 0, 0});
    return Hinge(closing, {80, 10, 0, 0, 0, 0});
  }

  std::optional<JointLimit> Quadruped() const {
    switch (identity_.kind) {
      case kSpine:
        return AtRest(-body_.up, Reach{40, 30, 35, 35, 25, 25} * (1.0 / Count(kSpine)));
      case kNeck:
      case kHead:
        return AtRest(-body_.up, Reach{60, 60, 70, 70, 50, 50} * (1.0 / (Count(kNeck) + Count(kHead))));
      case kCollar:
        return AtRest(body_.forward, {15, 15, 5, 5, 5, 5});
      case kShoulder:
        return AtRest(body_.forward, {40, 40, 15, 10, 10, 10});
      case kHip:
        return AtRest(body_.forward, {45, 40, 20, 10, 10, 10});
      case kElbow:
        return BentHinge(body_.forward, 15, 144);
      case kKnee:
        return BentHinge(-body_.forward, 18, 138);
      case kAnkle:
        return BentHinge(body_.forward, 16, 141);
      case kWrist:
        return AtRest(-body_.forward, {110, 20, 10, 10, 5, 5});
      case kFoot:
        return AtRest(-body_.forward, {30, 30, 0, 0, 0, 0});
      default:
        return std::nullopt;
    }
  }

  // Builds the limit of a leg joint that rests bent: at most 60 degrees either way from rest, and between the angles
  // `least` and `most` (degrees) from the straight leg.
  JointLimit BentHinge(const Vector3d& expected, double least, double most) const {
    const Vector3d bend = BendDirection(expected, true);
    const double rest = std::acos(std::clamp(bone_.dot(Before()), -1.0, 1.0)) / kDegree;
    const double open = std::clamp(rest - least, 0.0, 60.0), close = std::clamp(most - rest, 0.0, 60.0);
    return AtRest(bend, {close, open, 0, 0, 0, 0});
  }

  const RestBody& body_;
  const int joint_;
  const RangeSource source_;
  const JointIdentity identity_;
  const Vector3d bone_;
};

}  // namespace

std::optional<JointLimit> AnatomicalLimit(const RestBody& body, int joint, RangeSource source) {
  return Anatomist(body, joint, source).Run();
}

}  // namespace sinew
