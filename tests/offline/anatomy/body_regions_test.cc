#include "sinew/offline/anatomy/body_regions.h"

#include <gtest/gtest.h>

#include <map>

#include "sinew/offline/anatomy/joint_names.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

std::map<std::string, std::string> RegionsByName(const Skeleton& skeleton) {
  const std::vector<BodyRegion> regions = RegionsOfJoints(skeleton);
  std::map<std::string, std::string> by_name;
  for (int j = 0; j < skeleton.joint_count(); ++j) by_name[skeleton.joints[j].name] = NameOf(regions[j]);
  return by_name;
}

TEST(BodyRegions, FollowTheNamesOfJoints) {
  const auto regions = RegionsByName(testing::MakeRig({}));
  EXPECT_EQ(regions.at("pelvis"), "torso");
  EXPECT_EQ(regions.at("head"), "head");
  EXPECT_EQ(regions.at("left_shoulder"), "arms");
  EXPECT_EQ(regions.at("right_elbow"), "arms");
  EXPECT_EQ(regions.at("left_wrist"), "hands");
  EXPECT_EQ(regions.at("right_hip"), "legs");
  EXPECT_EQ(regions.at("left_knee"), "legs");
  EXPECT_EQ(regions.at("left_ankle"), "feet");
  for (const auto& [name, region] : regions) EXPECT_NE(region, "other") << name;
}

TEST(BodyRegions, JointsWithoutAKnownNameFollowTheirParent) {
  Skeleton skeleton = testing::MakeRig({});
  skeleton.joints.push_back({.name = "zzz", .parent = skeleton.Find("left_elbow"), .rest = {}});
  skeleton.joints.push_back({.name = "yyy", .parent = skeleton.joint_count() - 1, .rest = {}});
  const auto regions = RegionsByName(skeleton);
  EXPECT_EQ(regions.at("zzz"), "arms");
  EXPECT_EQ(regions.at("yyy"), "arms");
}

TEST(BodyRegions, AreOtherWhereNothingIsKnown) {
  Skeleton skeleton;
  skeleton.joints = {{.name = "qqq", .parent = -1, .rest = {}}, {.name = "www", .parent = 0, .rest = {}}};
  for (const BodyRegion region : RegionsOfJoints(skeleton)) EXPECT_EQ(region, BodyRegion::kOther);
}

}  // namespace
}  // namespace sinew
