#include "sinew/offline/multires/cull_joints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "sinew/offline/poses/sample_poses.h"
#include "tests/support/rigs.h"

namespace sinew::multires {
namespace {

TEST(JointCulling, FindsTheJointsThatDriveTheCoefficients) {
  const Skeleton skeleton = testing::MakeRig({});
  Random random(2);
  std::vector<Pose> poses;
  for (int i = 0; i < 300; ++i) poses.push_back(testing::RandomPose(skeleton, random, 1.0));
  const JointCulling culling(skeleton, skeleton.RestPose(), poses, 250);
  for (const std::vector<int>& drivers : {std::vector<int>{3}, {4, 9}, {2, 5, 11}}) {
    learn::RowMatrix z = learn::RowMatrix::Zero(300, 2);
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

// In a file that keeps a hand's joints side by side, none has a parent; what drives is how each is bent against the
// one that it hangs from.
TEST(JointCulling, FindsTheDriversInAHandWithoutHierarchy) {
  const Skeleton hand = testing::MakeFlatHand();
  const Articulation articulation(hand);
  Random random(5);
  std::vector<Pose> poses;
  std::vector<std::vector<Eigen::Quaterniond>> deltas;
  for (int i = 0; i < 300; ++i) {
    deltas.push_back(testing::RandomDeltas(hand.joints.size(), random, 1.0));
    poses.push_back(articulation.ToPose(deltas.back()));
  }
  const JointCulling culling(hand, hand.RestPose(), poses, 250);
  for (const std::vector<int>& drivers : {std::vector<int>{1}, {2, 3}, {6, 7}}) {
    learn::RowMatrix z = learn::RowMatrix::Zero(300, 1);
    for (int i = 0; i < 300; ++i) {
      for (const int j : drivers) z(i, 0) += static_cast<float>(deltas[i][j].x() + 0.5 * deltas[i][j].z());
    }
    EXPECT_EQ(culling.Choose(z), drivers);
  }
}

// Side by side and unknown: every joint is asked.
TEST(JointCulling, JointsOfWhichNothingIsKnownAreAllAsked) {
  Skeleton skeleton;
  for (const char* name : {"a", "b", "c"}) skeleton.joints.push_back({name, -1, {}, false});
  Random random(6);
  std::vector<Pose> poses;
  learn::RowMatrix z(200, 1);
  for (int i = 0; i < 200; ++i) {
    poses.push_back(testing::RandomPose(skeleton, random, 1.0));
    z(i, 0) = poses.back()[2].rotation.x;
  }
  EXPECT_EQ(JointCulling(skeleton, skeleton.RestPose(), poses, 160).Choose(z), std::vector<int>{2});
}

TEST(JointCulling, NoiseGetsOneJointAndNoMore) {
  const Skeleton skeleton = testing::MakeRig({});
  Random random(3);
  std::vector<Pose> poses;
  learn::RowMatrix z(200, 1);
  for (int i = 0; i < 200; ++i) {
    poses.push_back(testing::RandomPose(skeleton, random, 1.0));
    z(i, 0) = static_cast<float>(random.Normal());
  }
  EXPECT_LE(JointCulling(skeleton, skeleton.RestPose(), poses, 160).Choose(z).size(), 2u);
}

// Displacements of points each of which is driven by two joints, the second of which matters only where the first one
// is bent, as in a rig.
constexpr int kDrivers[][2] = {{3, 4}, {9, 2}, {5, 11}, {1, 8}};

learn::RowMatrix Driven(const std::vector<Pose>& poses) {
  learn::RowMatrix X(poses.size(), 3 * std::size(kDrivers));
  for (size_t f = 0; f < poses.size(); ++f) {
    for (size_t p = 0; p < std::size(kDrivers); ++p) {
      const runtime::Quaternion &a = poses[f][kDrivers[p][0]].rotation, &b = poses[f][kDrivers[p][1]].rotation;
      const auto row = static_cast<Eigen::Index>(f), at = static_cast<Eigen::Index>(3 * p);
      X.row(row).segment<3>(at) << a.x * a.y + a.z, a.w, a.x * b.y + a.z * b.x;
    }
  }
  return X;
}

TEST(JointProbe, FindsTheJointsThatMoveAPoint) {
  const Skeleton skeleton = testing::MakeRig({});
  for (const uint64_t seed : {1, 2, 3, 4}) {
    Random random(seed);
    std::vector<Pose> bases, others;
    for (int i = 0; i < 8; ++i) {
      bases.push_back(testing::RandomPose(skeleton, random, 1.0));
      others.push_back(testing::RandomPose(skeleton, random, 1.0));
    }
    const poses::ProbingPoses probing = poses::MakeProbingPoses(bases, others);
    const JointProbe probe(skeleton, probing.poses);
    EXPECT_TRUE(probe.unknown().empty());
    const learn::RowMatrix X = Driven(probing.poses);
    for (int p = 0; p < static_cast<int>(std::size(kDrivers)); ++p) {
      std::vector<int> drivers(std::begin(kDrivers[p]), std::end(kDrivers[p]));
      std::sort(drivers.begin(), drivers.end());
      EXPECT_EQ(probe.JointsOf(X, {p}, {1}, 1e-4), drivers);
      EXPECT_TRUE(probe.JointsOf(X, {p}, {1e-6f}, 1e-4).empty());
    }
  }
}

TEST(JointProbe, ExcludesNoJointThatItDoesNotKnow) {
  const Skeleton skeleton = testing::MakeRig({});
  Random random(7);
  const Pose base = testing::RandomPose(skeleton, random, 1.0);
  Pose turned = base, both = base;
  turned[3] = both[3] = skeleton.RestPose()[3];
  both[5] = skeleton.RestPose()[5];
  const JointProbe probe(skeleton, {base, turned, both});  // turned and both differ in 5 alone
  std::vector<int> unknown;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (j != 3 && j != 5 && skeleton.joints[j].parent >= 0) unknown.push_back(j);
  }
  EXPECT_EQ(probe.unknown(), unknown);
  EXPECT_EQ(probe.JointsOf(learn::RowMatrix::Zero(3, 3), {0}, {1}, 1e-4), unknown);
  EXPECT_TRUE(JointProbe(skeleton, {base, both}).empty());
}

TEST(JointCulling, ChoosesAmongThoseThatAreAllowed) {
  const Skeleton skeleton = testing::MakeRig({});
  Random random(5);
  std::vector<Pose> poses;
  for (int i = 0; i < 60; ++i) poses.push_back(testing::RandomPose(skeleton, random, 1.0));
  learn::RowMatrix z(60, 1);
  for (int i = 0; i < 60; ++i) z(i, 0) = poses[i][4].rotation.x + poses[i][9].rotation.y;
  const JointCulling culling(skeleton, skeleton.RestPose(), poses, 50);
  EXPECT_EQ(culling.Choose(z, {9}), (std::vector<int>{9}));
  EXPECT_EQ(culling.Choose(z, {2, 4, 9}), (std::vector<int>{4, 9}));
}

}  // namespace
}  // namespace sinew::multires
