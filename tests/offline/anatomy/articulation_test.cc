// Poses of bodies whose joints are carried by others than their parents.
#include "sinew/offline/anatomy/articulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/character/carriers.h"
#include "sinew/runtime/pose/features.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

using testing::FreeFeet;

FreeFeet Carried(uint64_t seed) {
  FreeFeet feet = testing::MakeFreeFeet(seed);
  const std::vector<int> carriers = FindCarriers(feet.character);
  for (size_t j = 0; j < carriers.size(); ++j) feet.character.skeleton.joints[j].carrier = carriers[j];
  return feet;
}

TEST(Articulation, FeetStayAtTheLegsThatCarryThem) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const FreeFeet feet = Carried(seed);
    const Skeleton& skeleton = feet.character.skeleton;
    const Articulation articulation(skeleton);
    const std::vector<Eigen::Affine3f> rest = LocalToModel(skeleton, skeleton.RestPose());
    Random random(seed + 10);
    const std::vector<Eigen::Quaterniond> deltas = testing::RandomDeltas(skeleton.joints.size(), random, 1.2);
    const Pose pose = articulation.ToPose(deltas);
    const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
    for (size_t i = 0; i < feet.ankles.size(); ++i) {
      const int ankle = feet.ankles[i], knee = feet.knees[i];
      const Eigen::Vector3f place = rest[knee].inverse() * rest[ankle].translation();
      EXPECT_LT((models[knee] * place - models[ankle].translation()).norm(), 1e-5) << seed;
    }
    const std::vector<Eigen::Quaterniond> again = articulation.Deltas(pose);
    for (size_t j = 0; j < deltas.size(); ++j) EXPECT_LT(deltas[j].angularDistance(again[j]), 1e-3) << seed << " " << j;
  }
}

// An ankle that turns further and further: it stays as it is, then comes back to its limit, without a jump.
TEST(Articulation, BringsBackWhatWasLost) {
  const Skeleton skeleton = testing::MakeRig({.frames_seed = 3});
  const Articulation articulation(skeleton);
  JointLimit narrow;
  narrow.bend = narrow.side = narrow.twist = {-0.3, 0.2};
  narrow.origin = LimitOrigin::kNames;
  JointLimits limits(skeleton.joints.size(), narrow);
  const int ankle = skeleton.Find("left_ankle");
  constexpr double kLost = 1.0;
  double before = 0;
  for (double bend = 0; bend < 2.5; bend += 0.01) {
    std::vector<Eigen::Quaterniond> deltas(skeleton.joints.size(), Eigen::Quaterniond::Identity());
    deltas[ankle] = FromSwingTwist(narrow, {bend, 0, 0});
    const Pose pose = articulation.ToPose(deltas), back = articulation.BringBackLost(limits, pose, kLost);
    const double at = ToSwingTwist(narrow, articulation.Deltas(back)[ankle]).bend;
    if (bend <= 0.2 + kLost / 2) {
      EXPECT_NEAR(at, bend, 1e-6);
    }
    if (bend >= 0.2 + kLost) {
      EXPECT_NEAR(at, 0.2, 1e-6);
    }
    EXPECT_LT(std::abs(at - before), 0.02) << bend;
    before = at;
  }
  // A limit that is a guess brings nothing back.
  limits[ankle].origin = LimitOrigin::kDefault;
  std::vector<Eigen::Quaterniond> deltas(skeleton.joints.size(), Eigen::Quaterniond::Identity());
  deltas[ankle] = FromSwingTwist(narrow, {2, 0, 0});
  const Pose pose = articulation.ToPose(deltas);
  EXPECT_NEAR(articulation.Outside(limits, articulation.BringBackLost(limits, pose, kLost)).angle,
              articulation.Outside(limits, pose).angle, 1e-6);
}

// A foot is seen against the leg: turning what is above the knee changes nothing of what is seen of the ankle.
TEST(JointView, SeesFeetAgainstTheLegsThatCarryThem) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const FreeFeet feet = Carried(seed);
    const Skeleton& skeleton = feet.character.skeleton;
    const Articulation articulation(skeleton);
    const JointView view(skeleton);
    const JointView plain(testing::MakeFreeFeet(seed).character.skeleton);
    EXPECT_TRUE(plain.references().empty());
    Random random(seed + 20);
    std::vector<Eigen::Quaterniond> deltas = testing::RandomDeltas(skeleton.joints.size(), random, 1.2);
    const Pose pose = articulation.ToPose(deltas);
    const int hip = skeleton.joints[feet.knees[0]].parent;
    deltas[hip] = testing::RandomDeltas(1, random, 1.2)[0];
    const Pose other = articulation.ToPose(deltas);
    const int ankle = feet.ankles[0];
    EXPECT_FALSE(view.IsRoot(ankle));
    EXPECT_TRUE(plain.IsRoot(ankle));
    EXPECT_LT(ToEigen(view.Rotation(pose, ankle)).angularDistance(ToEigen(view.Rotation(other, ankle))), 1e-3);
    EXPECT_GT(ToEigen(plain.Rotation(pose, ankle)).angularDistance(ToEigen(plain.Rotation(other, ankle))), 1e-2);
    // The rotation that is seen is the one from the knee to the ankle in the model.
    const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
    const Eigen::Quaternionf between(
        Eigen::Matrix3f(models[feet.knees[0]].linear().transpose() * models[ankle].linear()));
    EXPECT_LT(ToEigen(view.Rotation(pose, ankle)).angularDistance(between), 1e-3);
  }
}

}  // namespace
}  // namespace sinew
