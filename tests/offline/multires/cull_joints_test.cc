#include "sinew/offline/multires/cull_joints.h"

#include <gtest/gtest.h>

#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(JointCulling, FindsTheJointsThatDriveTheCoefficients) {
  const Skeleton skeleton = testing::MakeRig({});
  Random random(2);
  std::vector<Pose> poses;
  for (int i = 0; i < 300; ++i) poses.push_back(testing::RandomPose(skeleton, random, 1.0));
  const JointCulling culling(skeleton, poses, 250);
  for (const std::vector<int>& drivers : {std::vector<int>{3}, {4, 9}, {2, 5, 11}}) {
    RowMatrix z = RowMatrix::Zero(300, 2);
    for (int i = 0; i < 300; ++i) {
      for (const int j : drivers) {
        const runtime::Quaternion& q = poses[i][j].rotation;
        z(i, 0) += q.x * q.x + 0.5f * q.y;
        z(i, 1) += 0.7f * q.z;
      }
    }
    EXPECT_EQ(culling.Choose(z), drivers);
  }
}

TEST(JointCulling, NoiseGetsOneJointAndNoMore) {
  const Skeleton skeleton = testing::MakeRig({});
  Random random(3);
  std::vector<Pose> poses;
  RowMatrix z(200, 1);
  for (int i = 0; i < 200; ++i) {
    poses.push_back(testing::RandomPose(skeleton, random, 1.0));
    z(i, 0) = static_cast<float>(random.Normal());
  }
  EXPECT_LE(JointCulling(skeleton, poses, 160).Choose(z).size(), 2u);
}

}  // namespace
}  // namespace sinew
