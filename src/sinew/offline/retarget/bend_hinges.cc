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
  constexpr double kDegree = kPi / 180;
  const double certain =
      Rise(8 * kDegree, 30 * kDegree, bent) * (1 - Rise(120 * kDegree, 170 * kDegree, std::abs(angle)));
  return certain * angle;
}

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
  return articulation.WithDeltas(pose, deltas, turned);
}

}  // namespace sinew::retarget
