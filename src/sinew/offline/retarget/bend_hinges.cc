#include "sinew/offline/retarget/bend_hinges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::retarget {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
constexpr double kPi = std::numbers::pi;

constexpr double kDegree = kPi / 180;
// Bends between which the direction of a hinge goes from unknown to known.
constexpr double kStraight = 8 * kDegree, kBent = 30 * kDegree;

bool IsHinge(JointKind kind) { return kind == JointKind::kElbow || kind == JointKind::kKnee; }

// Returns 0 up to `from`, 1 beyond `to`, and a smooth step between.
double Rise(double from, double to, double x) {
  const double u = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

// Returns the angle by which the upper bone must be rotated about itself for the lower bone to lie where the hinge
// bends it to, faded out where that is uncertain. All in the upper joint's frame: `bone` is the direction of the upper
// bone, `lower` that of the lower bone, `bend_toward` the direction that the hinge bends the lower bone to.
double TurnFor(const Vector3d& bone, const Vector3d& lower, const Vector3d& bend_toward) {
  const Vector3d is = lower - lower.dot(bone) * bone, wanted = bend_toward - bend_toward.dot(bone) * bone;
  const double angle = std::atan2(wanted.cross(is).dot(bone), wanted.dot(is));
  const double bent = std::atan2(is.norm(), lower.dot(bone));
  const double certain = Rise(kStraight, kBent, bent) * (1 - Rise(120 * kDegree, 170 * kDegree, std::abs(angle)));
  return certain * angle;
}

// Rotations away from rest of a pose's joints, while twists are passed along an arm.
class Arms {
 public:
  Arms(const RestBody& body, const JointLimits& limits, std::vector<Quaterniond>& deltas, std::vector<bool>& turned)
      : body_(body), limits_(limits), deltas_(deltas), turned_(turned) {}

  // Passes on twists that are beyond a limit, from the upper arm to a straight elbow, from the elbow to the wrist, and
  // from the wrist back to the elbow as far as its limit allows.
  void ShareTwists(int shoulder, int elbow, int wrist) {
    const SwingTwist bend = ToSwingTwist(limits_[elbow], deltas_[elbow]);
    const double bent = std::hypot(bend.bend, bend.side);
    Pass(shoulder, elbow, Excess(shoulder) * (1 - Rise(kStraight, kBent, bent)));
    Pass(elbow, wrist, Excess(elbow));
    const double room = TwistOf(elbow) + Excess(wrist);
    const AngleRange& range = limits_[elbow].twist;
    Pass(elbow, wrist, TwistOf(elbow) - std::clamp(room, range.min, range.max));
  }

 private:
  double TwistOf(int joint) const { return ToSwingTwist(limits_[joint], deltas_[joint]).twist; }

  // Angle of a joint's twist beyond its limit. It fades out towards half a turn, where one way is as long as the other.
  double Excess(int joint) const {
    const double twist = TwistOf(joint);
    const AngleRange& range = limits_[joint].twist;
    return (twist - std::clamp(twist, range.min, range.max)) *
           (1 - Rise(165 * kDegree, 179 * kDegree, std::abs(twist)));
  }

  // Turns the bone of `from` back by `angle` about itself, and what hangs on it forward by as much.
  void Pass(int from, int to, double angle) {
    if (angle == 0) return;
    const Vector3d bone = limits_[from].bone;
    const Quaterniond rest = body_.orientations[from].conjugate() * body_.orientations[to];
    deltas_[from] = deltas_[from] * Quaterniond(AngleAxisd(-angle, bone));
    deltas_[to] = rest.conjugate() * Quaterniond(AngleAxisd(angle, bone)) * rest * deltas_[to];
    turned_[from] = turned_[to] = true;
  }

  const RestBody& body_;
  const JointLimits& limits_;
  std::vector<Quaterniond>& deltas_;
  std::vector<bool>& turned_;
};

}  // namespace

Pose BendHinges(const Articulation& articulation, const JointLimits& limits, const Pose& pose) {
  const RestBody& body = articulation.body();
  std::vector<Quaterniond> deltas = articulation.Deltas(pose);
  std::vector<bool> turned(deltas.size(), false);
  for (int j = 0; j < body.joint_count(); ++j) {
    const int upper = body.parents[j];
    if (!IsHinge(body.identities[j].kind) || upper < 0 || body.next[upper] != j || limits[upper].free) continue;
    const Quaterniond rest = body.orientations[upper].conjugate() * body.orientations[j];
    const Vector3d bone = limits[upper].bone;
    const double wanted =
        TurnFor(bone, rest * (deltas[j] * limits[j].bone), rest * (limits[j].neutral * limits[j].bend_toward));
    const double twist = ToSwingTwist(limits[upper], deltas[upper]).twist;
    const AngleRange& range = limits[upper].twist;
    const double turn = std::clamp(twist + wanted, std::min(range.min, twist), std::max(range.max, twist)) - twist;
    if (turn == 0) continue;
    deltas[upper] = deltas[upper] * Quaterniond(AngleAxisd(turn, bone));
    deltas[j] = rest.conjugate() * Quaterniond(AngleAxisd(-turn, bone)) * rest * deltas[j];
    turned[upper] = turned[j] = true;
  }
  Arms arms(body, limits, deltas, turned);
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const int shoulder = FindJoint(body.identities, JointKind::kShoulder, side);
    const int elbow = FindJoint(body.identities, JointKind::kElbow, side);
    const int wrist = FindJoint(body.identities, JointKind::kWrist, side);
    if (shoulder < 0 || elbow < 0 || wrist < 0 || body.parents[elbow] != shoulder || body.parents[wrist] != elbow)
      continue;
    arms.ShareTwists(shoulder, elbow, wrist);
  }
  return articulation.WithDeltas(pose, deltas, turned);
}

}  // namespace sinew::retarget
