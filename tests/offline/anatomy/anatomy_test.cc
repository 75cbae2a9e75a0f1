// Limits by name: what bends, bends the way bodies do, for any rest pose and joint frames.
#include <gtest/gtest.h>

#include <array>
#include <numbers>
#include <set>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/turn.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/poses/sample_poses.h"
#include "tests/support/rigs.h"
#include "tests/support/shared_assets.h"

namespace sinew {
namespace {

using testing::MakeRig;
using testing::RigOptions;
constexpr double kDegree = std::numbers::pi / 180;

std::vector<RigOptions> Rigs() {
  std::vector<RigOptions> rigs;
  for (const double arm : {0.0, 0.4, 0.9}) {
    for (const uint64_t frames : {0, 5}) {
      rigs.push_back({.arm_down = arm, .leg_apart = arm / 8, .z_up = frames == 5, .frames_seed = frames, .names = {}});
    }
  }
  return rigs;
}

// Where a joint's child goes, in the body's frame, when one joint takes some angles and all others rest.
Eigen::Vector3d ChildMoves(const Skeleton& skeleton, const JointLimits& limits, const std::string& name,
                           const SwingTwist& angles, const std::string& child) {
  const Articulation articulation(skeleton);
  std::vector<Eigen::Quaterniond> deltas(skeleton.joints.size(), Eigen::Quaterniond::Identity());
  const int joint = skeleton.Find(name);
  deltas[joint] = FromSwingTwist(limits[joint], angles);
  const auto models = LocalToModel(skeleton, articulation.ToPose(deltas));
  const int end = skeleton.Find(child);
  const Eigen::Vector3d moved = models[end].translation().cast<double>() - articulation.body().positions[end];
  return articulation.body().frame().transpose() * moved;
}

TEST(Anatomy, KneesBendBackAndElbowsForward) {
  for (const RigOptions& options : Rigs()) {
    const Skeleton rig = MakeRig(options);
    const JointLimits limits = FindLimits(rig, {});
    for (const std::string side : {"left_", "right_"}) {
      const Eigen::Vector3d shin = ChildMoves(rig, limits, side + "knee", {1.2, 0, 0}, side + "ankle");
      EXPECT_LT(shin.z(), -0.2) << side;
      EXPECT_TRUE(limits[rig.Find(side + "knee")].hinge());
      const Eigen::Vector3d forearm = ChildMoves(rig, limits, side + "elbow", {1.2, 0, 0}, side + "wrist");
      EXPECT_GT(forearm.z(), 0.1) << side;
      const Eigen::Vector3d thigh = ChildMoves(rig, limits, side + "hip", {1.2, 0, 0}, side + "knee");
      EXPECT_GT(thigh.z(), 0.2) << side;
      const Eigen::Vector3d toes = ChildMoves(rig, limits, side + "ankle", {0.5, 0, 0}, side + "foot");
      EXPECT_GT(toes.y(), 0) << side;
      EXPECT_GE(limits[rig.Find(side + "knee")].bend.min, -15 * kDegree);
    }
    EXPECT_GT(ChildMoves(rig, limits, "spine1", {0.3, 0, 0}, "head").z(), 0.05);
  }
}

// The upper arm's directions, by the body's frame, that limits allow. Twist is left at its middle.
bool Reaches(const Skeleton& rig, const JointLimits& limits, const RestBody& body, const Eigen::Vector3d& direction) {
  const int joint = rig.Find("left_shoulder");
  const Eigen::Quaterniond& orientation = body.orientations[joint];
  const Eigen::Vector3d goal = orientation.conjugate() * (body.frame() * direction);
  const Eigen::Vector3d bone = limits[joint].neutral.conjugate() * goal;
  const Eigen::Quaterniond swing = TurnBetween(limits[joint].bone, bone);
  SwingTwist angles = ToSwingTwist(limits[joint], limits[joint].neutral * swing);
  return Outside(limits[joint], angles) <= 1e-9;
}

TEST(Anatomy, ShouldersReachTheSameDirectionsWhateverTheRestPose) {
  const std::vector<RigOptions> rigs = Rigs();
  for (const RigOptions& options : rigs) {
    const Skeleton rig = MakeRig(options), first = MakeRig(rigs[0]);
    const JointLimits limits = FindLimits(rig, {}), first_limits = FindLimits(first, {});
    const RestBody body = MeasureRest(rig), first_body = MeasureRest(first);
    Random random(8);
    for (int i = 0; i < 300; ++i) {
      const Eigen::Vector3d direction = Eigen::Vector3d{random.Normal(), random.Normal(), random.Normal()}.normalized();
      EXPECT_EQ(Reaches(rig, limits, body, direction), Reaches(first, first_limits, first_body, direction));
    }
    EXPECT_TRUE(Reaches(rig, limits, body, Eigen::Vector3d(0.05, -1, 0).normalized())) << "hanging";
    EXPECT_TRUE(Reaches(rig, limits, body, {0, 0, 1})) << "forward";
    EXPECT_TRUE(Reaches(rig, limits, body, {1, 0, 0})) << "out";
    EXPECT_FALSE(Reaches(rig, limits, body, {-1, 0, 0})) << "through the chest";
    EXPECT_FALSE(Reaches(rig, limits, body, {0, 0, -1})) << "straight back";
  }
}

TEST(Anatomy, RestIsAlwaysAllowed) {
  for (const RigOptions& options : Rigs()) {
    const Skeleton rig = MakeRig(options);
    const Articulation articulation(rig);
    EXPECT_LT(articulation.Outside(FindLimits(rig, {}), rig.RestPose()).angle, 1e-3);
  }
}

TEST(Anatomy, UnknownJointsGetAConeAndAnimationsWidenIt) {
  Skeleton rig;
  rig.joints = {{.name = "a", .parent = -1, .rest = {}},
                {.name = "b", .parent = 0, .rest = {.translation = {0, 1, 0}}},
                {.name = "c", .parent = 1, .rest = {.translation = {0, 1, 0}}}};
  Animation wave;
  AnimationCurve curve;
  curve.joint = 1;
  curve.times = {0, 1};
  const float s = std::sin(0.35f), c = std::cos(0.35f);  // 40 degrees about x
  curve.values = {0, 0, 0, 1, s, 0, 0, c};
  wave.curves = {curve};
  const JointLimits limits = FindLimits(rig, {wave});
  EXPECT_TRUE(limits[0].free);
  EXPECT_EQ(limits[1].origin, LimitOrigin::kAnimations);
  EXPECT_EQ(limits[2].origin, LimitOrigin::kDefault);
  EXPECT_NEAR(limits[2].bend.max, 20 * kDegree, 1e-9);
  const Motion motion = SampleAnimation(rig, wave, 30);
  const Articulation articulation(rig);
  for (const Pose& pose : motion.frames) EXPECT_LE(articulation.Outside(limits, pose).angle, 0);
  EXPECT_LT(limits[1].bend.width() + limits[1].side.width(), 110 * kDegree);
}

// From rest to these angles of a joint.
Animation Turning(const Skeleton& rig, const JointLimits& limits, int joint, const SwingTwist& angles) {
  AnimationCurve curve;
  curve.joint = joint;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const SwingTwist some = {share * angles.bend, share * angles.side, share * angles.twist};
    const Transform local = WithDelta(rig.joints[joint], rig.joints[joint].rest, FromSwingTwist(limits[joint], some));
    curve.times.push_back(static_cast<float>(share));
    const auto q = ToEigen(local.rotation);
    curve.values.insert(curve.values.end(), {q.x(), q.y(), q.z(), q.w()});
  }
  Animation animation;
  animation.curves = {curve};
  return animation;
}

TEST(Anatomy, NamedJointsMayDoWhatTheirAnimationsDo) {
  for (const RigOptions& options : Rigs()) {
    const Skeleton rig = MakeRig(options);
    const Articulation articulation(rig);
    const JointLimits by_name = FindLimits(rig, {});
    const int knee = rig.Find("left_knee"), wrist = rig.Find("right_wrist");
    const std::vector<Animation> animations = {Turning(rig, by_name, knee, {1.5, 0.3, 0.2}),
                                               Turning(rig, by_name, wrist, {-1.6, 0.8, 0})};
    const JointLimits limits = FindLimits(rig, animations);
    EXPECT_GT(articulation.Outside(by_name, SampleAnimation(rig, animations[0], 30).frames.back()).angle, 0.3);
    for (const Animation& animation : animations) {
      for (const Pose& pose : SampleAnimation(rig, animation, 30).frames) {
        EXPECT_LE(articulation.Outside(limits, pose).angle, kDegree);
      }
    }
    EXPECT_EQ(limits[knee].origin, LimitOrigin::kNames);
    EXPECT_EQ(limits[knee].bend.max, by_name[knee].bend.max) << "where nothing leaves a range it stays";
    EXPECT_LT(limits[knee].side.max, 0.45);
    EXPECT_TRUE(limits[rig.Find("right_knee")].hinge()) << "others stay as they are";
  }
}

TEST(Anatomy, RoundingInAnAnimationLeavesAHingeAHinge) {
  const Skeleton rig = MakeRig({.arm_down = 0.4, .frames_seed = 5, .names = {}});
  const JointLimits by_name = FindLimits(rig, {});
  const int knee = rig.Find("left_knee");
  for (const double bend : {1.5, 2.8}) {
    const JointLimits limits = FindLimits(rig, {Turning(rig, by_name, knee, {bend, 0.01, 0.005})});
    EXPECT_TRUE(limits[knee].hinge());
    EXPECT_NEAR(limits[knee].bend.max, std::max(bend, by_name[knee].bend.max), 1e-3);
  }
}

TEST(SamplePoses, AreInsideDeterministicAndProgressive) {
  const Skeleton rig = MakeRig({.arm_down = 0.5, .frames_seed = 3, .names = {}});
  const Articulation articulation(rig);
  const JointLimits limits = FindLimits(rig, {});
  const std::vector<Pose> many = poses::SamplePoses(articulation, limits, {.count = 200, .seed = 5});
  const std::vector<Pose> few = poses::SamplePoses(articulation, limits, {.count = 50, .seed = 5});
  const std::vector<Pose> other = poses::SamplePoses(articulation, limits, {.count = 50, .seed = 6});
  for (const Pose& pose : many) EXPECT_LT(articulation.Outside(limits, pose).angle, 1e-3);
  bool differs = false;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < rig.joint_count(); ++j) {
      EXPECT_EQ(ToEigen(few[i][j].rotation).coeffs(), ToEigen(many[i][j].rotation).coeffs());
      differs |= ToEigen(few[i][j].rotation).coeffs() != ToEigen(other[i][j].rotation).coeffs();
    }
  }
  EXPECT_TRUE(differs);
  const std::vector<Pose> gentle = poses::SamplePoses(articulation, limits, {.count = 50, .seed = 5, .amount = 0.2});
  for (const Pose& pose : gentle) EXPECT_LT(articulation.Outside(limits, pose).angle, 1e-3);
}

// Every third sample bows, arches or leans with the whole trunk; in the others its joints turn each as it likes.
TEST(SamplePoses, TrunksCurlInEveryThird) {
  const Skeleton rig = MakeRig({.arm_down = 0.5, .frames_seed = 3, .names = {}});
  const Articulation articulation(rig);
  const JointLimits limits = FindLimits(rig, {});
  const std::vector<int> trunk = {rig.Find("spine1"), rig.Find("spine2"), rig.Find("spine3"), rig.Find("neck")};
  std::array<int, 2> alike = {};  // among those that curl, among the others
  const std::vector<Pose> poses = poses::SamplePoses(articulation, limits, {.count = 300, .seed = 5});
  for (size_t i = 0; i < poses.size(); ++i) {
    const std::vector<Eigen::Quaterniond> deltas = articulation.Deltas(poses[i]);
    std::array<std::set<bool>, 2> ways;  // of bends and of sides
    for (const int j : trunk) {
      const SwingTwist angles = ToSwingTwist(limits[j], deltas[j]);
      ways[0].insert(angles.bend > 0), ways[1].insert(angles.side > 0);
    }
    alike[i % 3 == 2 ? 0 : 1] += ways[0].size() == 1 && ways[1].size() == 1;
  }
  EXPECT_EQ(alike[0], 100);
  EXPECT_LT(alike[1], 20);
}

TEST(SamplePoses, AClampedPoseIsInside) {
  const Skeleton rig = MakeRig({.arm_down = 0.5, .frames_seed = 3, .names = {}});
  const Articulation articulation(rig);
  const JointLimits limits = FindLimits(rig, {});
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Pose wild = testing::RandomPose(rig, random, 3);
    const Pose tame = articulation.Clamp(limits, wild);
    EXPECT_LT(articulation.Outside(limits, tame).angle, 1e-3);
    EXPECT_EQ(tame[0].translation.x, wild[0].translation.x);
  }
}

TEST(SamplePoses, TheSpreadChoiceIsFurtherApartThanTheFirst) {
  const Skeleton rig = MakeRig({.names = {}});
  const Articulation articulation(rig);
  const std::vector<Pose> poses = poses::SamplePoses(articulation, FindLimits(rig, {}), {.count = 120, .seed = 2});
  const std::vector<int> chosen = poses::SelectSpread(articulation, poses, 12);
  ASSERT_EQ(chosen.size(), 12u);
  const poses::PoseMetric metric(articulation);
  const auto closest = [&](const auto& index) {
    double least = 1e9;
    for (int a = 0; a < 12; ++a) {
      for (int b = 0; b < a; ++b) {
        least = std::min(least,
                         metric.Distance(articulation.Deltas(poses[index(a)]), articulation.Deltas(poses[index(b)])));
      }
    }
    return least;
  };
  EXPECT_GT(closest([&](int i) { return chosen[i]; }), 1.2 * closest([](int i) { return i; }));
  EXPECT_EQ(poses::SelectSpread(articulation, poses, 500).size(), 120u);
}

// Between two poses of a hand whose joints stand side by side no bone changes its length, as it would if every joint
// went straight from one place to the other.
TEST(Anatomy, BonesKeepTheirLengthBetweenPoses) {
  const Skeleton hand = testing::MakeFlatHand();
  const Articulation articulation(hand);
  const std::vector<int>& parents = articulation.body().parents;
  Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose from = articulation.ToPose(testing::RandomDeltas(hand.joints.size(), random, 1.5));
    const Pose to = articulation.ToPose(testing::RandomDeltas(hand.joints.size(), random, 1.5));
    for (const float share : {0.0f, 0.3f, 0.5f, 1.0f}) {
      const Pose pose = articulation.Between(from, to, share);
      for (int j = 0; j < hand.joint_count(); ++j) {
        if (parents[j] < 0) continue;
        const auto length = [&](const Pose& of) {
          return (ToEigen(of[j].translation) - ToEigen(of[parents[j]].translation)).norm();
        };
        EXPECT_NEAR(length(pose), length(hand.RestPose()), 1e-5);
        const Pose& end = share == 0 ? from : to;
        if (share == 0 || share == 1) {
          EXPECT_LT((ToEigen(pose[j].translation) - ToEigen(end[j].translation)).norm(), 1e-5);
        }
      }
    }
  }
}

TEST(JointView, SeesJointsAgainstThoseThatAnatomyHangsThemFrom) {
  const Skeleton hand = testing::MakeFlatHand();
  EXPECT_EQ(JointView(hand).references(), (std::vector<int16_t>{1, 2, 3, 4, 9, 6, 7, 8, 9, -1}));
  EXPECT_TRUE(JointView(testing::MakeRig({})).references().empty());
}

// In a hand whose file has no hierarchy, a bent knuckle carries the rest of the finger, towards the palm.
TEST(Anatomy, FlatHandsClose) {
  SINEW_REQUIRE_ASSETS();
  const Skeleton hand = gltf::ReadGltf(testing::AssetsFolder() / "gltf/hand_left.glb").skeleton;
  const JointLimits limits = FindLimits(hand, {});
  const Articulation articulation(hand);
  const RestBody& body = articulation.body();
  EXPECT_EQ(body.Handedness(Side::kNone), 1);
  const int knuckle = hand.Find("index-finger-phalanx-proximal"), tip = hand.Find("index-finger-tip");
  std::vector<Eigen::Quaterniond> deltas(hand.joints.size(), Eigen::Quaterniond::Identity());
  deltas[knuckle] = FromSwingTwist(limits[knuckle], {1.2, 0, 0});
  const Pose pose = articulation.ToPose(deltas);
  const auto models = LocalToModel(hand, pose);
  const Eigen::Vector3d moved = models[tip].translation().cast<double>() - body.positions[tip];
  EXPECT_GT(moved.norm(), 0.03);
  EXPECT_GT(moved.normalized().dot(body.Palm(Side::kNone)), 0.5);
  EXPECT_LT(articulation.Outside(limits, pose).angle, 1e-3);
}

TEST(Anatomy, RealCharactersBendTheRightWay) {
  SINEW_REQUIRE_ASSETS();
  for (const char* file : {"makehuman/base.glb", "makehuman/base_fingers.glb", "makehuman/body_18.glb"}) {
    const Skeleton rig = gltf::ReadGltf(testing::AssetsFolder() / file).skeleton;
    const JointLimits limits = FindLimits(rig, {});
    for (const std::string side : {"left_", "right_"}) {
      EXPECT_LT(ChildMoves(rig, limits, side + "knee", {1.2, 0, 0}, side + "ankle").z(), -0.2) << file;
      EXPECT_GT(ChildMoves(rig, limits, side + "elbow", {1.2, 0, 0}, side + "wrist").z(), 0.1) << file;
      if (rig.Find("left_index1") < 0) continue;
      for (const char* finger : {"index", "middle", "ring", "pinky"}) {
        const std::string base = side + finger;
        EXPECT_LT(ChildMoves(rig, limits, base + "1", {1.2, 0, 0}, base + "2").y(), -0.01) << base;
        EXPECT_LT(ChildMoves(rig, limits, base + "2", {1.2, 0, 0}, base + "3").y(), -0.005) << base;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
