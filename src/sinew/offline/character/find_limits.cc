#include "sinew/offline/character/find_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/character/anatomy.h"
#include "sinew/offline/character/articulation.h"
#include "sinew/offline/character/limits_file.h"
#include "sinew/offline/character/rest_body.h"

namespace sinew {
namespace {

using Eigen::Quaterniond;
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kDefaultSwing = 20 * kDegree;
constexpr double kDefaultTwist = 10 * kDegree;
constexpr double kMost = 175 * kDegree;
constexpr float kSampleRate = 30;

// What stands above the pelvis places the whole body.
bool AbovePelvis(const RestBody& body, int joint) {
  int above = FindJoint(body.identities, JointKind::kPelvis);
  if (above >= 0) above = body.parents[above];
  while (above >= 0 && above != joint) above = body.parents[above];
  return above >= 0;
}

JointLimit DefaultLimit(const RestBody& body, const Joint& joint, int j) {
  JointLimit limit;
  limit.origin = LimitOrigin::kDefault;
  limit.bone = body.orientations[j].conjugate() * body.bones[j];
  limit.bend_toward = limit.bone.unitOrthogonal();
  limit.free = body.parents[j] < 0 || AbovePelvis(body, j);
  // What carries no weight, spreads another's twist or ends a chain has nothing of its own to turn.
  if (limit.free || joint.helper || body.identities[j].kind == JointKind::kTwist) return limit;
  limit.bend = limit.side = {-kDefaultSwing, kDefaultSwing};
  limit.twist = {-kDefaultTwist, kDefaultTwist};
  return limit;
}

void Stretch(AngleRange& range, double angle) {
  range.min = std::min(range.min, angle);
  range.max = std::max(range.max, angle);
}

void Widen(AngleRange& range, double factor) {
  const auto wider = [&](double angle) { return angle * factor * 1.2; };
  range.min = std::max(wider(range.min) - 5 * kDegree, -kMost);
  range.max = std::min(wider(range.max) + 5 * kDegree, kMost);
}

void Narrow(AngleRange& range) {
  range.min = std::max(range.min, -kMost);
  range.max = std::min(range.max, kMost);
}

// What an artist has a joint do it must be able to do, whatever its name promises. Less than a degree is an exporter's
// rounding, and leaves a hinge a hinge.
void AllowAngles(JointLimit& limit, std::vector<SwingTwist> angles) {
  std::erase_if(angles, [&](const SwingTwist& a) { return Outside(limit, a) < kDegree; });
  for (SwingTwist& a : angles) {
    if (limit.side.width() == 0 && std::abs(a.side) < kDegree) a.side = 0;
    if (limit.twist.width() == 0 && std::abs(a.twist) < kDegree) a.twist = 0;
  }
  // Each range by itself first: the ellipse then has the least to grow for what is in its corners.
  for (const SwingTwist& a : angles) {
    Stretch(limit.bend, a.bend), Stretch(limit.side, a.side), Stretch(limit.twist, a.twist);
  }
  for (const SwingTwist& a : angles) Include(limit, a);
  Narrow(limit.bend), Narrow(limit.side);
}

void AllowMotions(const Articulation& articulation, const std::vector<Motion>& motions, JointLimits& limits) {
  std::vector<std::vector<SwingTwist>> angles(limits.size());
  for (const Motion& motion : motions) {
    for (const Pose& pose : motion.frames) {
      const std::vector<Quaterniond> deltas = articulation.Deltas(pose);
      for (size_t j = 0; j < limits.size(); ++j) angles[j].push_back(ToSwingTwist(limits[j], deltas[j]));
    }
  }
  for (size_t j = 0; j < limits.size(); ++j) {
    if (limits[j].origin == LimitOrigin::kNames && !limits[j].free) AllowAngles(limits[j], std::move(angles[j]));
  }
}

std::vector<Motion> SampleAll(const Skeleton& skeleton, const std::vector<Animation>& animations) {
  std::vector<Motion> motions;
  motions.reserve(animations.size());
  for (const Animation& animation : animations) motions.push_back(SampleAnimation(skeleton, animation, kSampleRate));
  return motions;
}

}  // namespace

bool LimitFromMotions(const Skeleton& skeleton, const std::vector<Motion>& motions, int joint, JointLimit& limit) {
  std::vector<SwingTwist> angles;
  for (const Motion& motion : motions) {
    for (const Pose& pose : motion.frames) {
      angles.push_back(ToSwingTwist(limit, DeltaFromRest(skeleton.joints[joint], pose[joint])));
    }
  }
  AngleRange bend, side, twist;
  for (const SwingTwist& a : angles) Stretch(bend, a.bend), Stretch(side, a.side), Stretch(twist, a.twist);
  if (bend.width() + side.width() + twist.width() < kDegree) return false;
  // The box's ellipse misses its corners: grow until every frame is inside.
  double grow = 1;
  for (const SwingTwist& a : angles) {
    const double u = a.bend / (a.bend < 0 ? std::min(bend.min, -1e-6) : std::max(bend.max, 1e-6));
    const double v = a.side / (a.side < 0 ? std::min(side.min, -1e-6) : std::max(side.max, 1e-6));
    grow = std::max(grow, std::hypot(u, v));
  }
  Widen(bend, grow), Widen(side, grow), Widen(twist, 1);
  limit.bend = bend, limit.side = side, limit.twist = twist;
  limit.origin = LimitOrigin::kAnimations;
  return true;
}

JointLimits FindLimits(const Skeleton& skeleton, const std::vector<Animation>& animations) {
  const Articulation articulation(skeleton);
  const RestBody& body = articulation.body();
  const std::vector<Motion> motions = SampleAll(skeleton, animations);
  JointLimits limits;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const auto named = AnatomicalLimit(body, j);
    limits.push_back(named ? *named : DefaultLimit(body, skeleton.joints[j], j));
    if (!named && !limits[j].free) LimitFromMotions(skeleton, motions, j, limits[j]);
  }
  AllowMotions(articulation, motions, limits);
  return limits;
}

JointLimits FindLimits(const Character& character, const std::string& file) {
  JointLimits limits = FindLimits(character.skeleton, character.animations);
  if (const Json* own = LimitsInExtras(character)) ApplyLimits(*own, file, character.skeleton, limits);
  return limits;
}

}  // namespace sinew
