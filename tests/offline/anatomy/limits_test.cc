#include "sinew/offline/anatomy/limits.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
constexpr double kDegree = std::numbers::pi / 180;

Vector3d Direction(Random& random) {
  return Vector3d{random.Normal(), random.Normal(), random.Normal() + 1e-6}.normalized();
}

Quaterniond Rotation(Random& random) {
  return Quaterniond{random.Normal(), random.Normal(), random.Normal(), random.Normal() + 1e-6}.normalized();
}

// Any limit that the format allows, hinges, one-sided ranges and fixed joints among them.
JointLimit AnyLimit(Random& random) {
  JointLimit limit;
  limit.bone = Direction(random);
  limit.bend_toward = limit.bone.cross(Direction(random)).normalized();
  limit.neutral = Rotation(random);
  const auto reach = [&](double most) { return random.Below(4) == 0 ? 0 : random.Uniform(0, most); };
  limit.bend = {-reach(2), reach(2.5)};
  limit.side = {-reach(1.5), reach(2)};
  limit.twist = {-reach(3), reach(3)};
  return limit;
}

RC_GTEST_PROP(Limits, AnglesAndRotationsAreTwoWritingsOfOneThing, (uint32_t seed)) {
  Random random(seed);
  const JointLimit limit = AnyLimit(random);
  const Quaterniond delta = Rotation(random);
  const Quaterniond back = FromSwingTwist(limit, ToSwingTwist(limit, delta));
  RC_ASSERT(back.angularDistance(delta) < 1e-6);
}

RC_GTEST_PROP(Limits, BendTiltsTheBoneTowardsTheBendAxis, (uint32_t seed)) {
  Random random(seed);
  JointLimit limit = AnyLimit(random);
  limit.neutral = Quaterniond::Identity();
  const double angle = random.Uniform(0.01, 3);
  const Vector3d bent = FromSwingTwist(limit, {angle, 0, 0}) * limit.bone;
  RC_ASSERT((bent - (std::cos(angle) * limit.bone + std::sin(angle) * limit.bend_toward)).norm() < 1e-9);
  const Vector3d aside = FromSwingTwist(limit, {0, angle, 0}) * limit.bone;
  const Vector3d across = limit.bone.cross(limit.bend_toward);
  RC_ASSERT((aside - (std::cos(angle) * limit.bone + std::sin(angle) * across)).norm() < 1e-9);
}

RC_GTEST_PROP(Limits, ClampedIsInsideAndStays, (uint32_t seed)) {
  Random random(seed);
  const JointLimit limit = AnyLimit(random);
  const SwingTwist angles = ToSwingTwist(limit, Rotation(random));
  const SwingTwist clamped = Clamp(limit, angles);
  RC_ASSERT(Outside(limit, clamped) <= 1e-9);
  const SwingTwist again = Clamp(limit, clamped);
  RC_ASSERT(std::hypot(again.bend - clamped.bend, again.side - clamped.side, again.twist - clamped.twist) < 1e-9);
  // Through a rotation and back, as a pose file would carry it.
  RC_ASSERT(IsInside(limit, ToSwingTwist(limit, FromSwingTwist(limit, clamped).cast<float>().cast<double>())));
}

RC_GTEST_PROP(Limits, ClampGoesToTheNearestByBruteForce, (uint32_t seed)) {
  Random random(seed);
  const JointLimit limit = AnyLimit(random);
  const SwingTwist angles = ToSwingTwist(limit, Rotation(random));
  const SwingTwist nearest = Clamp(limit, angles);
  const auto distance = [&](const SwingTwist& to) {
    return std::hypot(to.bend - angles.bend, to.side - angles.side, to.twist - angles.twist);
  };
  RC_ASSERT(std::abs(std::max(Outside(limit, angles), 0.0) - distance(nearest)) < 1e-9);
  for (int i = 0; i < 300; ++i) {
    const Vector3d unit{random.Uniform(), random.Uniform(), random.Uniform()};
    RC_ASSERT(distance(SampleInside(limit, unit)) >= distance(nearest) - 1e-9);
  }
}

RC_GTEST_PROP(Limits, SamplesAreInside, (uint32_t seed)) {
  Random random(seed);
  const JointLimit limit = AnyLimit(random);
  for (int i = 0; i < 100; ++i) {
    const Vector3d unit{random.Uniform(), random.Uniform(), random.Uniform()};
    RC_ASSERT(Outside(limit, SampleInside(limit, unit)) <= 1e-9);
  }
}

TEST(Limits, SamplesFillEachQuarterByItsArea) {
  JointLimit limit;
  limit.bend = {-0.5, 1.5};
  limit.side = {-0.2, 0.6};
  Random random(5);
  int positive_bend = 0, both = 0, inner = 0;
  constexpr int kCount = 40000;
  for (int i = 0; i < kCount; ++i) {
    const SwingTwist a = SampleInside(limit, {random.Uniform(), random.Uniform(), 0.5});
    positive_bend += a.bend > 0;
    both += a.bend > 0 && a.side > 0;
    const double u = a.bend / (a.bend > 0 ? 1.5 : 0.5), v = a.side / (a.side > 0 ? 0.6 : 0.2);
    inner += u * u + v * v < 0.25;
  }
  EXPECT_NEAR(positive_bend, 0.75 * kCount, 0.01 * kCount);
  EXPECT_NEAR(both, 0.75 * 0.75 * kCount, 0.01 * kCount);
  EXPECT_NEAR(inner, 0.25 * kCount, 0.01 * kCount);
}

RC_GTEST_PROP(Limits, RestCanBeIncluded, (uint32_t seed)) {
  Random random(seed);
  JointLimit limit = AnyLimit(random);
  IncludeRest(limit);
  RC_ASSERT(IsInside(limit, ToSwingTwist(limit, Quaterniond::Identity()), 1e-6));
}

std::vector<SwingTwist> SomeAngles(Random& random) {
  std::vector<SwingTwist> angles(1 + random.Below(30));
  for (SwingTwist& a : angles) a = {random.Uniform(-1, 1.2), random.Uniform(-0.4, 0.9), random.Uniform(-1, 1)};
  return angles;
}

RC_GTEST_PROP(Limits, HoldAllThatTheyEncloseAndWhatTheyHeld, (uint32_t seed)) {
  Random random(seed);
  const JointLimit given = AnyLimit(random);
  const std::vector<SwingTwist> angles = SomeAngles(random);
  JointLimit limit = given;
  Enclose(limit, angles);
  for (const SwingTwist& a : angles) RC_ASSERT(IsInside(limit, a, 1e-9));
  for (const auto range : {&JointLimit::bend, &JointLimit::side, &JointLimit::twist}) {
    RC_ASSERT((limit.*range).min <= (given.*range).min && (limit.*range).max >= (given.*range).max);
  }
  JointLimit again = limit;
  Enclose(again, angles);
  RC_ASSERT(again.bend.width() <= 1.02 * limit.bend.width() && again.side.width() <= 1.02 * limit.side.width());
}

// The ellipses of the ranges, all grown alike until every angle is inside, would do too.
RC_GTEST_PROP(Limits, EncloseInLittleRoom, (uint32_t seed)) {
  Random random(seed);
  const std::vector<SwingTwist> angles = SomeAngles(random);
  JointLimit limit;
  Enclose(limit, angles);
  AngleRange bend, side;
  for (const SwingTwist& a : angles) {
    bend = {std::min(bend.min, a.bend), std::max(bend.max, a.bend)};
    side = {std::min(side.min, a.side), std::max(side.max, a.side)};
  }
  double grown = 1;
  for (const SwingTwist& a : angles) {
    grown = std::max(
        grown, std::hypot(a.bend / (a.bend < 0 ? bend.min : bend.max), a.side / (a.side < 0 ? side.min : side.max)));
  }
  const double margin = 10 * kDegree;
  RC_ASSERT((limit.bend.width() + margin) * (limit.side.width() + margin) <=
            1.02 * (grown * bend.width() + margin) * (grown * side.width() + margin));
}

// A knee that is seen to leave its plane: its bend stays what it was.
TEST(Limits, EndsThatNothingLeavesStay) {
  JointLimit knee;
  knee.bend = {0, 135 * kDegree};
  Enclose(knee, std::vector<SwingTwist>{{86 * kDegree, 17 * kDegree, 0}});
  EXPECT_EQ(knee.bend.max, 135 * kDegree);
  EXPECT_EQ(knee.bend.min, 0);
  EXPECT_EQ(knee.side.min, 0);
  EXPECT_NEAR(knee.side.max, 22.1 * kDegree, 0.3 * kDegree);
}

TEST(Limits, AHingeStaysAHinge) {
  JointLimit knee;
  knee.bend = {-3 * kDegree, 140 * kDegree};
  EXPECT_TRUE(knee.hinge());
  const SwingTwist clamped = Clamp(knee, {160 * kDegree, 20 * kDegree, 10 * kDegree});
  EXPECT_NEAR(clamped.bend, 140 * kDegree, 1e-12);
  EXPECT_EQ(clamped.side, 0);
  EXPECT_EQ(clamped.twist, 0);
  EXPECT_NEAR(Outside(knee, {150 * kDegree, 0, 0}), 10 * kDegree, 1e-9);
}

TEST(Limits, FreeJointsAllowAll) {
  JointLimit root;
  root.free = true;
  EXPECT_LT(Outside(root, {3, 1, 2}), 0);
  EXPECT_EQ(Clamp(root, {3, 1, 2}).bend, 3);
  EXPECT_EQ(SampleInside(root, {1, 1, 1}).bend, 0);
}

// What Normalize() says about a limit that `spoil` has changed.
template <typename Spoil>
std::string NormalizeMessage(const Spoil& spoil) {
  JointLimit limit;
  spoil(limit);
  try {
    Normalize(limit);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "fine";
}

TEST(Limits, SaysWhichFieldIsWrong) {
  using L = JointLimit;
  EXPECT_EQ(NormalizeMessage([](L&) {}), "fine");
  EXPECT_EQ(NormalizeMessage([](L& l) { l.bone = {1, 1, 0}; }), "bone must be a unit vector");
  EXPECT_EQ(NormalizeMessage([](L& l) { l.bend_toward = {0, 1, 0}; }), "bend_toward must be orthogonal to bone");
  EXPECT_EQ(NormalizeMessage([](L& l) { l.neutral.w() = 2; }), "neutral must be a unit quaternion");
  EXPECT_EQ(NormalizeMessage([](L& l) { l.bend = {0.1, 0.2}; }).substr(0, 12), "bend must be");
  EXPECT_EQ(NormalizeMessage([](L& l) { l.side = {-4, 0.2}; }).substr(0, 12), "side must be");
  EXPECT_EQ(NormalizeMessage([](L& l) { l.twist = {0, std::nan("")}; }).substr(0, 13), "twist must be");
}

}  // namespace
}  // namespace sinew
