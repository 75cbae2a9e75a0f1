// Samples of how people hold themselves, on skeletons of any rest pose, with any joint frames.
#include "sinew/offline/poses/human_poses.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/poses/sample_poses.h"
#include "tests/support/rigs.h"

namespace sinew::poses {
namespace {

using testing::MakeRig;
using testing::RigOptions;
constexpr double kDegree = std::numbers::pi / 180;

std::vector<RigOptions> People() {
  return {{},
          {.arm_down = 0.8, .leg_apart = 0.1, .names = {}},
          {.arm_down = 0.4, .z_up = true, .frames_seed = 5, .names = {}},
          {.spines = 1, .collars = false, .names = {}},
          {.height = 170, .spines = 5, .names = {}}};
}

TEST(HumanPoses, AreForPeople) {
  for (const RigOptions& options : People()) {
    const Skeleton rig = MakeRig(options);
    EXPECT_TRUE(IsHuman(Articulation(rig)));
  }
  const Skeleton hand = testing::MakeFlatHand();
  EXPECT_FALSE(IsHuman(Articulation(hand)));
  Skeleton nameless = MakeRig({});
  for (size_t j = 0; j < nameless.joints.size(); ++j) nameless.joints[j].name = "bone" + std::to_string(j);
  EXPECT_FALSE(IsHuman(Articulation(nameless)));
}

TEST(HumanPoses, AreInsideTheLimitsAndMoveEveryLimb) {
  for (const RigOptions& options : People()) {
    const Skeleton rig = MakeRig(options);
    const Articulation articulation(rig);
    const JointLimits limits = FindLimits(rig, {});
    const std::vector<Pose> poses =
        SampleHumanPosesFrom(0, articulation, limits, {.count = 60, .seed = 3, .human_spread = 1.5});
    std::vector<double> most(rig.joints.size(), 0);
    for (const Pose& pose : poses) {
      EXPECT_LE(articulation.Outside(limits, pose).angle, 0.02 * kDegree);
      const std::vector<Eigen::Quaterniond> deltas = articulation.Deltas(pose);
      for (size_t j = 0; j < deltas.size(); ++j) {
        most[j] = std::max(most[j], deltas[j].angularDistance(Eigen::Quaterniond::Identity()));
      }
    }
    for (size_t j = 0; j < most.size(); ++j) {
      if (limits[j].free || limits[j].fixed()) continue;
      EXPECT_GT(most[j], 3 * kDegree) << rig.joints[j].name;
    }
  }
}

// Where the upper arms point does not depend on how the rig rests or what share a collar has.
TEST(HumanPoses, ArmsHangMoreOftenThanTheyAreUp) {
  for (const RigOptions& options : People()) {
    const Skeleton rig = MakeRig(options);
    const Articulation articulation(rig);
    const RestBody& body = articulation.body();
    const int shoulder = rig.Find("left_shoulder"), elbow = rig.Find("left_elbow");
    double up = 0;
    constexpr int kPoses = 200;
    for (const Pose& pose :
         SampleHumanPosesFrom(0, articulation, FindLimits(rig, {}), {.count = kPoses, .seed = 5, .human_spread = 1})) {
      const auto models = LocalToModel(rig, pose);
      const Eigen::Vector3d arm = (models[elbow].translation() - models[shoulder].translation()).cast<double>();
      up += arm.normalized().dot(body.up) / kPoses;
    }
    EXPECT_LT(up, -0.45);
    EXPECT_GT(up, -0.9);
  }
}

TEST(HumanPoses, LongerRunsBeginWithShorterOnes) {
  const Skeleton rig = MakeRig({});
  const Articulation articulation(rig);
  const JointLimits limits = FindLimits(rig, {});
  const SampleOptions few{.count = 10, .seed = 2, .human_spread = 1}, many{.count = 25, .seed = 2, .human_spread = 1};
  const std::vector<Pose> a = DrawPosesFrom(0, articulation, limits, few);
  const std::vector<Pose> b = DrawPosesFrom(0, articulation, limits, many);
  const std::vector<Pose> tail = DrawPosesFrom(5, articulation, limits, {.count = 5, .seed = 2, .human_spread = 1});
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a[i].size(); ++j) {
      EXPECT_EQ(ToEigen(a[i][j].rotation).coeffs(), ToEigen(b[i][j].rotation).coeffs());
      if (i < 5) continue;
      EXPECT_EQ(ToEigen(a[i][j].rotation).coeffs(), ToEigen(tail[i - 5][j].rotation).coeffs());
    }
  }
}

}  // namespace
}  // namespace sinew::poses
