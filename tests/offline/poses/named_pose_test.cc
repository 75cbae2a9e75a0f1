#include "sinew/offline/poses/named_pose.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "tests/support/rigs.h"

namespace sinew::poses {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Rig {
  const Skeleton skeleton;
  const Articulation articulation{skeleton};
  const JointLimits limits = FindLimits(skeleton, {});

  explicit Rig(double arm_down = 0, uint64_t frames_seed = 0)
      : skeleton(testing::MakeRig({.arm_down = arm_down, .frames_seed = frames_seed, .names = {}})) {}

  Pose Parse(const std::string& text) const { return ParsePose(text, articulation, limits); }
  SwingTwist Angles(const Pose& pose, int joint) const {
    return ToSwingTwist(limits[joint], articulation.Deltas(pose)[joint]);
  }
  // The sentence with which a text is refused.
  std::string Refusal(const std::string& text) const {
    try {
      Parse(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }
};

// Directions of the upper and the lower arm.
double ElbowAngle(const Rig& rig, const Pose& pose) {
  const std::vector<Eigen::Affine3f> model = LocalToModel(rig.skeleton, pose);
  const auto at = [&](const char* name) { return model[rig.skeleton.Find(name)].translation(); };
  const Eigen::Vector3f upper = at("left_elbow") - at("left_shoulder"), lower = at("left_wrist") - at("left_elbow");
  return std::atan2(upper.cross(lower).norm(), upper.dot(lower)) / kDegree;
}

TEST(NamedPose, BendsFromTheStraightLimbWhateverTheRestPoseAndTheFrames) {
  for (const double arm_down : {0.0, 0.8}) {
    for (const uint64_t seed : {0, 3}) {
      const Rig rig(arm_down, seed);
      for (const double degrees : {0.0, 30.0, 90.0, 140.0}) {
        const Pose pose = rig.Parse("left_elbow=" + std::to_string(degrees));
        EXPECT_NEAR(ElbowAngle(rig, pose), degrees, 0.5) << arm_down << " " << seed;
      }
    }
  }
}

TEST(NamedPose, SetsTheNamedAnglesAndKeepsTheOthersAtRest) {
  const Rig rig(0.6, 5);
  const Pose rest = rig.skeleton.RestPose();
  const Pose pose = rig.Parse(" left_shoulder.twist = -30 , left_shoulder.side=20,right_knee.bend=45");
  const int shoulder = rig.skeleton.Find("left_shoulder"), knee = rig.skeleton.Find("right_knee");
  const SwingTwist before = rig.Angles(rest, shoulder), after = rig.Angles(pose, shoulder);
  EXPECT_NEAR(after.twist, -30 * kDegree, 1e-5);
  EXPECT_NEAR(after.side, 20 * kDegree, 1e-5);
  EXPECT_NEAR(after.bend, before.bend, 1e-5);
  EXPECT_NEAR(rig.Angles(pose, knee).bend, 45 * kDegree, 1e-5);
  for (int j = 0; j < rig.skeleton.joint_count(); ++j) {
    if (j == shoulder || j == knee) continue;
    EXPECT_EQ(ToEigen(pose[j].rotation).coeffs(), ToEigen(rest[j].rotation).coeffs()) << rig.skeleton.joints[j].name;
  }
}

TEST(NamedPose, FindsJointsByTheFilesNamesFirstAndByAnatomy) {
  Skeleton skeleton;
  const auto add = [&](const char* name, int parent, float x, float y) {
    Joint& joint = skeleton.joints.emplace_back();
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = {x, y, 0};
  };
  add("hips", -1, 0, 1);
  add("spine", 0, 0, 0.3f);
  add("upper_arm.L", 1, 0.2f, 0.1f);
  add("forearm.L", 2, 0.3f, 0);
  add("hand.L", 3, 0.3f, 0);
  const Articulation articulation(skeleton);
  const JointLimits limits = FindLimits(skeleton, {});
  const auto turned = [&](const std::string& text, int joint) {
    const Pose pose = ParsePose(text, articulation, limits);
    return ToSwingTwist(limits[joint], articulation.Deltas(pose)[joint]);
  };
  EXPECT_NEAR(turned("forearm.L=50", 3).bend, 50 * kDegree, 1e-5);
  EXPECT_NEAR(turned("left_elbow=50", 3).bend, 50 * kDegree, 1e-5);
  EXPECT_NEAR(turned("forearm.L.twist=20", 3).twist, 20 * kDegree, 1e-5);
  // A joint's own name goes before what another one is.
  skeleton.joints[0].name = "left_elbow";
  const Articulation renamed(skeleton);
  const Pose pose = ParsePose("left_elbow=50", renamed, limits);
  EXPECT_EQ(ToEigen(pose[3].rotation).coeffs(), ToEigen(skeleton.joints[3].rest.rotation).coeffs());
}

TEST(NamedPose, RefusesWhatItCannotReadWithASentence) {
  const Rig rig;
  const auto says = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(rig.Refusal(text).find(words), std::string::npos) << text << ": " << rig.Refusal(text);
  };
  says("left_elbw=90", "no joint 'left_elbw'; the nearest names are left_elbow");
  says("left_elbow.twits=90", "'twits' is no angle of a joint; these are bend, side and twist");
  says("left_elbow=many", "'many' is no angle");
  says("left_elbow=", "'' is no angle");
  says("left_elbow=nan", "'nan' is no angle");
  says("left_elbow=181", "'181' is no angle; give degrees from -180 to 180");
  says("left_elbow", "JOINT=DEGREES");
  says("", "JOINT=DEGREES");
  says("left_elbow=90,", "JOINT=DEGREES");
  says("left_elbow=90,left_elbow.bend=80", "a second time");
}

TEST(NamedPose, AClipOfNamedPosesIsNoMotion) {
  const Rig rig;
  const Clip clip =
      ToClip(rig.skeleton, "two", {{"a", "A", rig.Parse("left_knee=9")}, {"b", "B", rig.Parse("head=9")}});
  EXPECT_EQ(clip.motion.frames_per_second, 0);
  ASSERT_EQ(clip.motion.frame_count(), 2);
  ASSERT_EQ(clip.origins.size(), 2u);
  EXPECT_EQ(clip.sources[clip.origins[1].source].clip, "b");
  EXPECT_EQ(clip.sources[1].kind, "named");
}

}  // namespace
}  // namespace sinew::poses
