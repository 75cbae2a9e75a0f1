#include "sinew/offline/anatomy/find_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/anatomy/anatomy.h"
#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/core/json.h"

namespace sinew {
namespace {

using Eigen::Quaterniond;
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kDefaultSwing = 20 * kDegree;
constexpr double kDefaultTwist = 10 * kDegree;
constexpr double kMax = 175 * kDegree;
constexpr float kSampleRate = 30;

// Whether a joint is an ancestor of the pelvis, and so places the whole body.
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
  // Joints that carry no weight, spread another joint's twist or end a chain have nothing of their own to turn: they
  // stay fixed.
  if (limit.free || joint.helper || body.identities[j].kind == JointKind::kTwist) return limit;
  limit.bend = limit.side = {-kDefaultSwing, kDefaultSwing};
  limit.twist = {-kDefaultTwist, kDefaultTwist};
  return limit;
}

// Widens a range by a fifth and 5 degrees.
void Widen(AngleRange& range) {
  range.min = std::max(1.2 * range.min - 5 * kDegree, -kMax);
  range.max = std::min(1.2 * range.max + 5 * kDegree, kMax);
}

// Cuts a range to at most 175 degrees either way.
void Narrow(AngleRange& range) {
  range.min = std::max(range.min, -kMax);
  range.max = std::min(range.max, kMax);
}

// Widens a limit by name to contain the angles that animations use: a joint must be able to do what an artist has it
// do. Less than a degree outside is taken for an exporter's rounding, so that a hinge stays a hinge.
void AllowAngles(JointLimit& limit, std::vector<SwingTwist> angles) {
  std::erase_if(angles, [&](const SwingTwist& a) { return Outside(limit, a) < kDegree; });
  for (SwingTwist& a : angles) {
    if (limit.side.width() == 0 && std::abs(a.side) < kDegree) a.side = 0;
    if (limit.twist.width() == 0 && std::abs(a.twist) < kDegree) a.twist = 0;
  }
  Enclose(limit, angles);
  Narrow(limit.bend), Narrow(limit.side);
}

// Limits a joint of which nothing else is known to the angles that animations use, widened by a fifth and 5 degrees. A
// joint that moves by less than a degree keeps its limit.
void LimitToAngles(JointLimit& limit, const std::vector<SwingTwist>& angles) {
  JointLimit seen = limit;
  seen.bend = seen.side = seen.twist = {};
  Enclose(seen, angles);
  if (seen.bend.width() + seen.side.width() + seen.twist.width() < kDegree) return;
  Widen(seen.bend), Widen(seen.side), Widen(seen.twist);
  seen.origin = LimitOrigin::kAnimations;
  limit = seen;
}

void LearnFromMotions(const Articulation& articulation, const std::vector<Motion>& motions, JointLimits& limits) {
  std::vector<std::vector<SwingTwist>> angles(limits.size());
  for (const Motion& motion : motions) {
    for (const Pose& pose : motion.frames) {
      const std::vector<Quaterniond> deltas = articulation.Deltas(pose);
      for (size_t j = 0; j < limits.size(); ++j) angles[j].push_back(ToSwingTwist(limits[j], deltas[j]));
    }
  }
  for (size_t j = 0; j < limits.size(); ++j) {
    if (limits[j].free) continue;
    if (limits[j].origin == LimitOrigin::kNames) {
      AllowAngles(limits[j], std::move(angles[j]));
    } else {
      LimitToAngles(limits[j], angles[j]);
    }
  }
}

std::vector<Motion> SampleAll(const Skeleton& skeleton, const std::vector<Animation>& animations) {
  std::vector<Motion> motions;
  motions.reserve(animations.size());
  for (const Animation& animation : animations) motions.push_back(SampleAnimation(skeleton, animation, kSampleRate));
  return motions;
}

JointLimits LimitsFrom(const Skeleton& skeleton, const std::vector<Motion>& motions) {
  const Articulation articulation(skeleton);
  const RestBody& body = articulation.body();
  JointLimits limits;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const auto named = AnatomicalLimit(body, j);
    limits.push_back(named ? *named : DefaultLimit(body, skeleton.joints[j], j));
  }
  LearnFromMotions(articulation, motions, limits);
  return limits;
}

}  // namespace

JointLimits FindLimits(const Skeleton& skeleton, const std::vector<Animation>& animations) {
  return LimitsFrom(skeleton, SampleAll(skeleton, animations));
}

JointLimits FindLimits(const Character& character, const std::string& file, const std::vector<Motion>& motions) {
  JointLimits limits = LimitsFrom(character.skeleton, motions);
  if (const Json* own = LimitsInExtras(character)) ApplyLimits(*own, file, character.skeleton, limits);
  return limits;
}

JointLimits FindLimits(const Character& character, const std::string& file) {
  return FindLimits(character, file, SampleAll(character.skeleton, character.animations));
}

}  // namespace sinew
