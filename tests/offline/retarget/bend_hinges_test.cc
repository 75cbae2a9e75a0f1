#include "sinew/offline/retarget/bend_hinges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/poses/sample_poses.h"
#include "tests/support/rigs.h"

namespace sinew::retarget {
namespace {

double SquaredExcess(const Articulation& articulation, const JointLimits& limits, const Pose& pose) {
  double sum = 0;
  const auto deltas = articulation.Deltas(pose);
  for (size_t j = 0; j < limits.size(); ++j) {
    sum += std::pow(std::max(0.0, Outside(limits[j], ToSwingTwist(limits[j], deltas[j]))), 2);
  }
  return sum;
}

// A pose with upper arms and thighs turned about themselves, lower bones turned back: what another rig's frames do.
Pose Twisted(const Articulation& articulation, const JointLimits& limits, const Pose& pose, Random& random) {
  const RestBody& body = articulation.body();
  std::vector<Eigen::Quaterniond> deltas = articulation.Deltas(pose);
  std::vector<bool> turned(deltas.size(), false);
  for (int j = 0; j < body.joint_count(); ++j) {
    const JointKind kind = body.identities[j].kind;
    if (kind != JointKind::kElbow && kind != JointKind::kKnee) continue;
    const int upper = body.parents[j];
    const Eigen::Quaterniond rest = body.orientations[upper].conjugate() * body.orientations[j];
    const double turn = random.Uniform(-1, 1);
    deltas[upper] = deltas[upper] * Eigen::Quaterniond(Eigen::AngleAxisd(turn, limits[upper].bone));
    deltas[j] = rest.conjugate() * Eigen::Quaterniond(Eigen::AngleAxisd(-turn, limits[upper].bone)) * rest * deltas[j];
    turned[upper] = turned[j] = true;
  }
  return articulation.WithDeltas(pose, deltas, turned);
}

// Whatever the rig's frames: joints stay where they are, what is not a limb keeps its bits, and limits are kept better.
TEST(BendHinges, KeepsBonesAndComesNearerToLimits) {
  double before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const Skeleton rig = testing::MakeRig({.arm_down = random.Uniform(0, 0.8), .frames_seed = seed, .names = {}});
    const Articulation articulation(rig);
    const JointLimits limits = FindLimits(rig, {});
    for (const Pose& inside : poses::SamplePoses(articulation, limits, {.count = 10, .seed = seed})) {
      const Pose pose = Twisted(articulation, limits, inside, random);
      const Pose bent = BendHinges(articulation, limits, pose);
      const auto was = LocalToModel(rig, pose), is = LocalToModel(rig, bent);
      for (int j = 0; j < rig.joint_count(); ++j) {
        EXPECT_LT((was[j].translation() - is[j].translation()).norm(), 1e-4f) << rig.joints[j].name;
      }
      const int spine = rig.Find("spine1");
      EXPECT_EQ(ToEigen(bent[spine].rotation).coeffs(), ToEigen(pose[spine].rotation).coeffs());
      before += SquaredExcess(articulation, limits, pose);
      after += SquaredExcess(articulation, limits, bent);
    }
  }
  EXPECT_LT(after, 0.3 * before);
}

// An elbow that bends as it should is left alone; one that bends sideways by a turned upper arm is found out.
TEST(BendHinges, FindsTheTurnOfTheUpperArm) {
  const Skeleton rig = testing::MakeRig({.frames_seed = 5, .names = {}});
  const Articulation articulation(rig);
  const JointLimits limits = FindLimits(rig, {});
  const int shoulder = rig.Find("left_shoulder"), elbow = rig.Find("left_elbow");
  std::vector<Eigen::Quaterniond> deltas(rig.joint_count(), Eigen::Quaterniond::Identity());
  deltas[elbow] = FromSwingTwist(limits[elbow], {.bend = 1.2, .side = 0, .twist = 0});
  const Pose good = articulation.ToPose(deltas);
  const auto angles = [&](const Pose& pose, int joint) {
    return ToSwingTwist(limits[joint], articulation.Deltas(pose)[joint]);
  };
  EXPECT_NEAR(angles(BendHinges(articulation, limits, good), elbow).side, 0, 0.05);
  EXPECT_NEAR(angles(BendHinges(articulation, limits, good), shoulder).twist, angles(good, shoulder).twist, 0.05);
  deltas[elbow] = FromSwingTwist(limits[elbow], {.bend = 0.9, .side = 0.7, .twist = 0});
  const Pose sideways = articulation.ToPose(deltas);
  EXPECT_GT(angles(sideways, elbow).side, 0.6);
  EXPECT_LT(std::abs(angles(BendHinges(articulation, limits, sideways), elbow).side), 0.1);
}

// An arm that is twisted far one way at the shoulder and back at the wrist is untwisted where nothing else tells: with
// a straight elbow at both, with a bent one between elbow and wrist. Hands keep their orientation.
TEST(BendHinges, PassesTwistsAlongArms) {
  for (const uint64_t seed : {0, 3, 8}) {
    const Skeleton rig = testing::MakeRig({.arm_down = 0.3, .frames_seed = seed, .names = {}});
    const Articulation articulation(rig);
    const JointLimits limits = FindLimits(rig, {});
    const int shoulder = rig.Find("right_shoulder"), elbow = rig.Find("right_elbow"), wrist = rig.Find("right_wrist");
    for (const double bend : {0.05, 1.2}) {
      std::vector<Eigen::Quaterniond> deltas(rig.joint_count(), Eigen::Quaterniond::Identity());
      const double far = bend > 1 ? 0 : 2.1;
      deltas[shoulder] = FromSwingTwist(limits[shoulder], {.bend = 0.1, .side = 0.2, .twist = far});
      deltas[elbow] = FromSwingTwist(limits[elbow], {.bend = bend, .side = 0, .twist = 0});
      deltas[wrist] = FromSwingTwist(limits[wrist], {.bend = 0, .side = 0, .twist = -2.0});
      const Pose pose = articulation.ToPose(deltas), shared = BendHinges(articulation, limits, pose);
      const auto was = LocalToModel(rig, pose), is = LocalToModel(rig, shared);
      EXPECT_LT((was[wrist].matrix() - is[wrist].matrix()).norm(), 1e-4f);
      const auto after = articulation.Deltas(shared);
      for (const int joint : {shoulder, elbow, wrist}) {
        // A straight elbow keeps its little bend, whichever way that is; with a bent one, the elbow takes what it can.
        const double most = joint == wrist && bend > 1 ? 0.5 : joint == elbow && bend < 1 ? 0.02 + bend : 0.02;
        EXPECT_LT(Outside(limits[joint], ToSwingTwist(limits[joint], after[joint])), most)
            << rig.joints[joint].name << " " << bend;
      }
    }
  }
}

}  // namespace
}  // namespace sinew::retarget
