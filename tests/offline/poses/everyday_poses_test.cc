#include "sinew/offline/poses/everyday_poses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "tests/support/rigs.h"

namespace sinew::poses {
namespace {

using Eigen::Vector3d;
constexpr double kDegree = std::numbers::pi / 180;

Skeleton Embedded(const char* name) {
  const embedded::Kind& kind = embedded::FindKind(name);
  return embedded::SkeletonOf(kind.build(embedded::Shape(kind.parameters)).joints);
}

// A skeleton with its everyday poses, and where its joints are in them.
struct Body {
  const Skeleton skeleton;
  const Articulation articulation{skeleton};
  JointLimits limits = FindLimits(skeleton, {});
  std::vector<NamedPose> poses = EverydayPoses(articulation, limits);

  explicit Body(Skeleton from) : skeleton(std::move(from)) {}

  Pose Named(const std::string& name) const {
    for (const NamedPose& named : poses) {
      if (named.name == name) return named.pose;
    }
    ADD_FAILURE() << "no pose " << name;
    return skeleton.RestPose();
  }
  // A joint's place in units of the body's size, in its own frame: to its left, up, forward.
  Vector3d At(const Pose& pose, JointKind kind, Side side = Side::kNone) const {
    const int joint = FindJoint(articulation.body().identities, kind, side);
    EXPECT_GE(joint, 0);
    const Vector3d place = LocalToModel(skeleton, pose)[joint].translation().cast<double>();
    return articulation.body().frame().transpose() * place / articulation.body().Size();
  }
  Vector3d Bone(const std::string& pose, JointKind from, JointKind to, Side side) const {
    return (At(Named(pose), to, side) - At(Named(pose), from, side)).normalized();
  }
  // The angle in degrees by which an elbow or a knee is bent.
  double Bend(const std::string& pose, JointKind before, JointKind joint, JointKind after, Side side) const {
    const Vector3d a = Bone(pose, before, joint, side), b = Bone(pose, joint, after, side);
    return std::atan2(a.cross(b).norm(), a.dot(b)) / kDegree;
  }
};

constexpr Side kSides[] = {Side::kLeft, Side::kRight};
using enum JointKind;

class EverydayPosesOf : public ::testing::TestWithParam<int> {
 protected:
  static Skeleton Make(int which) {
    switch (which) {
      case 0:
        return testing::MakeRig({});
      case 1:
        return testing::MakeRig({.arm_down = 0.8, .leg_apart = 0.15, .names = {}});
      case 2:
        return testing::MakeRig({.arm_down = 0.4, .z_up = true, .frames_seed = 7, .spines = 1, .names = {}});
      case 3:
        return testing::MakeRig({.arm_down = 1.2, .height = 170, .frames_seed = 9, .collars = false, .names = {}});
      default:
        return Embedded("biped");
    }
  }
  const Body body_{Make(GetParam())};
};

TEST_P(EverydayPosesOf, AreTwelveInsideTheLimits) {
  ASSERT_EQ(body_.poses.size(), 12u);
  std::set<std::string> names;
  for (const NamedPose& named : body_.poses) {
    names.insert(named.name);
    EXPECT_FALSE(named.label.empty());
    EXPECT_TRUE(IsFinite(named.pose));
    EXPECT_LT(body_.articulation.Outside(body_.limits, named.pose).angle, 1e-3) << named.name;
  }
  EXPECT_EQ(names.size(), 12u);
}

TEST_P(EverydayPosesOf, ElbowsAndKneesBendAsTheirNamesSay) {
  for (const Side side : kSides) {
    EXPECT_NEAR(body_.Bend("elbow_90", kShoulder, kElbow, kWrist, side), 90, 2);
    EXPECT_NEAR(body_.Bend("elbow_140", kShoulder, kElbow, kWrist, side), 140, 2);
    // Forearms go to the front, not aside.
    EXPECT_GT(body_.Bone("elbow_90", kElbow, kWrist, side).z(), 0.9);
  }
  EXPECT_NEAR(body_.Bend("knee_90", kHip, kKnee, kAnkle, Side::kLeft), 90, 2);
  EXPECT_NEAR(body_.Bend("knee_130", kHip, kKnee, kAnkle, Side::kLeft), 130, 2);
  EXPECT_LT(body_.Bone("knee_90", kKnee, kAnkle, Side::kLeft).z(), -0.9) << "a shin goes back";
  EXPECT_LT(body_.Bone("knee_90", kHip, kKnee, Side::kLeft).y(), -0.95);
}

TEST_P(EverydayPosesOf, ThighsAreLevelWhenSitting) {
  for (const Side side : kSides) {
    const Vector3d thigh = body_.Bone("sit", kHip, kKnee, side), shin = body_.Bone("sit", kKnee, kAnkle, side);
    EXPECT_LT(std::abs(std::asin(thigh.y())), 3 * kDegree);
    EXPECT_GT(thigh.z(), 0.9);
    EXPECT_LT(shin.y(), -0.95);
  }
  EXPECT_LT(body_.Bone("kneel", kHip, kKnee, Side::kLeft).y(), -0.95);
  EXPECT_LT(body_.Bone("kneel", kKnee, kAnkle, Side::kLeft).z(), -0.9);
  EXPECT_GT(body_.Bone("kneel", kHip, kKnee, Side::kRight).z(), 0.9);
}

TEST_P(EverydayPosesOf, ArmsPointWhereTheirNamesSay) {
  for (const Side side : kSides) {
    EXPECT_GT(body_.Bone("arms_up", kShoulder, kElbow, side).y(), 0.85);
    EXPECT_LT(body_.Bone("arms_down", kShoulder, kElbow, side).y(), -0.95);
    EXPECT_GT(body_.Bone("arms_front", kShoulder, kElbow, side).z(), 0.95);
    for (const char* pose : {"arms_up", "arms_down", "arms_front"}) {
      EXPECT_LT(body_.Bend(pose, kShoulder, kElbow, kWrist, side), 5) << pose;
    }
  }
}

TEST_P(EverydayPosesOf, HandsAreBeforeTheChestInAHug) {
  const Pose hug = body_.Named("hug");
  for (const Side side : kSides) {
    const double out = side == Side::kLeft ? 1 : -1;
    const Vector3d wrist = body_.At(hug, kWrist, side), shoulder = body_.At(hug, kShoulder, side);
    EXPECT_GT(wrist.z() - shoulder.z(), 0.08);
    EXPECT_LT(out * wrist.x(), out * shoulder.x()) << "inside of the shoulder";
    EXPECT_GT(wrist.y(), body_.At(hug, kPelvis).y() + 0.05);
    EXPECT_LT(wrist.y(), body_.At(hug, kHead).y());
  }
  // One forearm is above the other, not in it.
  EXPECT_GT(body_.At(hug, kWrist, Side::kLeft).y() - body_.At(hug, kWrist, Side::kRight).y(), 0.03);
}

TEST_P(EverydayPosesOf, TrunksTurnAndBowOverLegsThatStand) {
  const Pose rest = body_.skeleton.RestPose(), twist = body_.Named("twist"), bow = body_.Named("bow");
  const Vector3d across = body_.At(twist, kShoulder, Side::kLeft) - body_.At(twist, kShoulder, Side::kRight);
  EXPECT_LT(std::atan2(across.z(), across.x()), -20 * kDegree) << "the left shoulder goes back";
  EXPECT_GT(body_.At(bow, kHead).z() - body_.At(rest, kHead).z(), 0.15);
  EXPECT_LT(body_.At(bow, kHead).y(), body_.At(rest, kHead).y() - 0.05);
  for (const Side side : kSides) {
    EXPECT_LT((body_.At(twist, kAnkle, side) - body_.At(rest, kAnkle, side)).norm(), 1e-4);
    const Vector3d leg = body_.At(bow, kAnkle, side) - body_.At(bow, kHip, side);
    EXPECT_LT(leg.normalized().y(), -0.95);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, EverydayPosesOf, ::testing::Range(0, 5));

TEST(EverydayPoses, LimbsPointTheSameWayWhateverTheRestPose) {
  const Body t(testing::MakeRig({})), a(testing::MakeRig({.arm_down = 0.8, .frames_seed = 3, .names = {}}));
  for (const NamedPose& named : t.poses) {
    for (const Side side : kSides) {
      const Vector3d upper = t.Bone(named.name, kShoulder, kElbow, side),
                     lower = t.Bone(named.name, kElbow, kWrist, side);
      EXPECT_GT(upper.dot(a.Bone(named.name, kShoulder, kElbow, side)), std::cos(3 * kDegree)) << named.name;
      EXPECT_GT(lower.dot(a.Bone(named.name, kElbow, kWrist, side)), std::cos(6 * kDegree)) << named.name;
    }
  }
}

TEST(EverydayPoses, JointsOfLessRangeTurnAsFarAsTheyCan) {
  Body body(testing::MakeRig({}));
  body.limits[body.skeleton.Find("left_elbow")].bend.max = 60 * kDegree;
  body.poses = EverydayPoses(body.articulation, body.limits);
  EXPECT_NEAR(body.Bend("elbow_140", kShoulder, kElbow, kWrist, Side::kLeft), 60, 1);
  EXPECT_NEAR(body.Bend("elbow_140", kShoulder, kElbow, kWrist, Side::kRight), 140, 2);
}

TEST(EverydayPoses, HaveLabelsByTheirNames) {
  const Body body(testing::MakeRig({}));
  ASSERT_EQ(body.poses.size(), static_cast<size_t>(kEverydayCount));
  for (const NamedPose& named : body.poses) {
    EXPECT_EQ(named.label, EverydayLabel(named.name));
    EXPECT_NE(named.label, named.name);
  }
  EXPECT_EQ(EverydayLabel("sit"), "sitting");
  EXPECT_EQ(EverydayLabel("no such pose"), "no such pose");
}

TEST(EverydayPoses, WhatIsNoBipedHasNone) {
  EXPECT_TRUE(IsBiped(Body(testing::MakeRig({})).articulation.body()));
  EXPECT_FALSE(IsBiped(Body(Embedded("quadruped")).articulation.body()));
  EXPECT_TRUE(Body(Embedded("quadruped")).poses.empty());
  EXPECT_TRUE(Body(Embedded("hand")).poses.empty());
  EXPECT_TRUE(Body(testing::MakeFlatHand()).poses.empty());
}

}  // namespace
}  // namespace sinew::poses
