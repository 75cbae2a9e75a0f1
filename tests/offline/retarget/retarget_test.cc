#include "sinew/offline/retarget/retarget.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/rigs.h"
#include "tests/support/shared_assets.h"

namespace sinew::retarget {
namespace {

using testing::MakeRig;
using testing::RigOptions;
constexpr double kDegree = std::numbers::pi / 180;

const std::vector<std::pair<JointKind, JointKind>> kLimbs = {{JointKind::kShoulder, JointKind::kElbow},
                                                             {JointKind::kElbow, JointKind::kWrist},
                                                             {JointKind::kHip, JointKind::kKnee},
                                                             {JointKind::kKnee, JointKind::kAnkle}};

// Where the eight limb bones point, in the body's own frame.
std::vector<Eigen::Vector3d> LimbDirections(const Skeleton& skeleton, const Pose& pose) {
  const RestBody body = MeasureRest(skeleton);
  const auto models = LocalToModel(skeleton, pose);
  std::vector<Eigen::Vector3d> directions;
  for (const Side side : {Side::kLeft, Side::kRight}) {
    for (const auto& [from, to] : kLimbs) {
      const int a = FindJoint(body.identities, from, side), b = FindJoint(body.identities, to, side);
      const Eigen::Vector3f bone = models[b].translation() - models[a].translation();
      directions.push_back(body.frame().transpose() * bone.cast<double>().normalized());
    }
  }
  return directions;
}

double WorstAngle(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::atan2(a[i].cross(b[i]).norm(), a[i].dot(b[i])));
  return worst;
}

Clip RandomClip(const Skeleton& skeleton, Random& random, double most) {
  Clip clip;
  clip.skeleton = skeleton;
  clip.motion = {.name = "m", .frames_per_second = 30, .joints = JointNames(skeleton), .frames = {}};
  for (int f = 0; f < 3; ++f) clip.motion.frames.push_back(testing::RandomPose(skeleton, random, most));
  return clip;
}

RigOptions AnyRig(Random& random) {
  return {.arm_down = random.Uniform(0, 1.2),
          .leg_apart = random.Uniform(0, 0.25),
          .height = random.Uniform(0.5, 190),
          .z_up = random.Below(2) == 1,
          .frames_seed = random.Bits() | 1u,
          .spines = 1 + static_cast<int>(random.Below(4)),
          .collars = random.Below(2) == 1,
          .names = {}};
}

// The promise: whatever pose the rigs rest in, whatever their joint frames, up axis, size and number of spine joints,
// limbs point where the source's point.
RC_GTEST_PROP(Retarget, LimbsReachTheSourcesDirections, (uint32_t seed)) {
  Random random(seed);
  const Skeleton source = MakeRig(AnyRig(random)), target = MakeRig(AnyRig(random));
  const Clip clip = RandomClip(source, random, 2.5);
  const Clip out = Retarget(clip, target, GuessMap(source, target));
  for (int f = 0; f < clip.motion.frame_count(); ++f) {
    const double worst =
        WorstAngle(LimbDirections(source, clip.motion.frames[f]), LimbDirections(target, out.motion.frames[f]));
    RC_ASSERT(worst < 0.1 * kDegree);
  }
}

// From a T to an A and back nothing is lost, twists included: joint frames turn the same way.
RC_GTEST_PROP(Retarget, ThereAndBackIsTheSameMotion, (uint32_t seed)) {
  Random random(seed);
  RigOptions options{.frames_seed = random.Bits() | 1u, .names = {}};
  const Skeleton t_pose = MakeRig(options);
  options.arm_down = random.Uniform(0, 1), options.frames_seed = random.Bits() | 1u;
  options.leg_apart = random.Uniform(0, 0.2);
  const Skeleton a_pose = MakeRig(options);
  const Clip clip = RandomClip(t_pose, random, 2);
  const Clip there = Retarget(clip, a_pose, GuessMap(t_pose, a_pose));
  const Clip back = Retarget(there, t_pose, GuessMap(a_pose, t_pose));
  for (int f = 0; f < clip.motion.frame_count(); ++f) {
    for (int j = 0; j < t_pose.joint_count(); ++j) {
      const auto a = ToEigen(clip.motion.frames[f][j].rotation), b = ToEigen(back.motion.frames[f][j].rotation);
      RC_ASSERT(a.angularDistance(b) < 0.01f);
    }
    const auto a = ToEigen(clip.motion.frames[f][0].translation), b = ToEigen(back.motion.frames[f][0].translation);
    RC_ASSERT((a - b).norm() < 1e-4f);
  }
}

TEST(Retarget, TheSameSkeletonGetsTheSameBits) {
  Random random(4);
  const Skeleton rig = MakeRig({.frames_seed = 9, .names = {}});
  const Clip clip = RandomClip(rig, random, 2);
  const Clip out = Retarget(clip, rig, GuessMap(rig, rig));
  for (int j = 0; j < rig.joint_count(); ++j) {
    EXPECT_EQ(ToEigen(out.motion.frames[1][j].rotation).coeffs(), ToEigen(clip.motion.frames[1][j].rotation).coeffs());
  }
}

// A pose that was written as BVH, which has no rest rotations, is read as it was: its own, not another body's.
RC_GTEST_PROP(Retarget, ABvhFileOfTheSameBodyIsItsOwnMotion, (uint32_t seed)) {
  Random random(seed);
  const Skeleton rig = MakeRig(AnyRig(random));
  Clip clip = RandomClip(rig, random, 2);
  clip.sources = {{.kind = "motion", .file = "own.bvh", .clip = {}}};
  Clip read = ParseBvh(FormatBvh(clip), "own.bvh");
  read.sources = clip.sources;
  const Clip out = Retarget(read, rig, GuessMap(read.skeleton, rig));
  RC_ASSERT(!out.sources[0].retargeted);
  for (int f = 0; f < clip.motion.frame_count(); ++f) {
    for (int j = 0; j < rig.joint_count(); ++j) {
      const Eigen::Quaternionf a = ToEigen(clip.motion.frames[f][j].rotation),
                               b = ToEigen(out.motion.frames[f][j].rotation);
      RC_ASSERT(a.angularDistance(b) < 1e-3f);
      if (j > 0) RC_ASSERT(ToEigen(out.motion.frames[f][j].translation) == ToEigen(rig.joints[j].rest.translation));
    }
  }
}

TEST(Retarget, ABodyOfOtherProportionsOrJointsIsNotItsOwn) {
  Random random(8);
  const Skeleton rig = MakeRig({.frames_seed = 9, .names = {}});
  Clip clip = RandomClip(rig, random, 1);
  clip.sources = {{.kind = "motion", .file = "other.bvh", .clip = {}}};
  const auto retargeted = [&](const Skeleton& target) {
    Clip read = ParseBvh(FormatBvh(clip), "other.bvh");
    read.sources = clip.sources;
    return Retarget(read, target, GuessMap(read.skeleton, target)).sources[0].retargeted;
  };
  EXPECT_FALSE(retargeted(rig));
  Skeleton longer = rig;
  longer.joints.back().rest.translation.x += 0.05f;
  EXPECT_TRUE(retargeted(longer));
  Skeleton fewer = rig;
  fewer.joints.pop_back();
  EXPECT_TRUE(retargeted(fewer));
}

TEST(Retarget, RootMovesByTheRatioOfLegs) {
  Random random(4);
  const Skeleton small = MakeRig({.height = 0.85, .names = {}}), large = MakeRig({.height = 1.7, .names = {}});
  Clip clip = RandomClip(small, random, 0.1);
  clip.motion.frames = {small.RestPose(), small.RestPose()};
  clip.motion.frames[1][0].translation.x += 0.3f;
  clip.motion.frames[1][0].translation.y += 0.1f;
  const Clip out = Retarget(clip, large, GuessMap(small, large));
  const Eigen::Vector3f moved =
      ToEigen(out.motion.frames[1][0].translation) - ToEigen(large.joints[0].rest.translation);
  EXPECT_LT((moved - Eigen::Vector3f(0.6f, 0.2f, 0)).norm(), 1e-5f);
  const Clip still = Retarget(clip, large, GuessMap(small, large), {.in_place = true});
  const Eigen::Vector3f stays =
      ToEigen(still.motion.frames[1][0].translation) - ToEigen(large.joints[0].rest.translation);
  EXPECT_LT((stays - Eigen::Vector3f(0, 0.2f, 0)).norm(), 1e-5f);
}

// Many BVH files rest with the pelvis in the origin and move it by heights above the floor.
TEST(Retarget, AMotionMeasuredFromTheFloorStandsOnIt) {
  Random random(4);
  const Skeleton target = MakeRig({.names = {}});
  Skeleton source = target;
  source.joints[0].rest.translation = {0, 0, 0};
  Clip clip = RandomClip(source, random, 0.1);
  clip.motion.frames = {target.RestPose()};
  const Clip out = Retarget(clip, target, GuessMap(source, target));
  // The lowest joint, the ball of the foot, is 2 cm above the floor at rest.
  EXPECT_NEAR(out.motion.frames[0][0].translation.y, target.joints[0].rest.translation.y, 0.025);
}

TEST(Retarget, MapsByHandWin) {
  const Skeleton source = MakeRig({.names = {}}), target = MakeRig({.arm_down = 0.5, .names = {}});
  RetargetMap map = GuessMap(source, target);
  ApplyMapText(R"({"left_elbow": "right_elbow", "head": null})", "m.json", source, target, map);
  EXPECT_EQ(map.joints[target.Find("left_elbow")].source, source.Find("right_elbow"));
  EXPECT_EQ(map.joints[target.Find("head")].source, -1);
  const std::string table = DescribeMap(map, source, target);
  EXPECT_NE(table.find("<- right_elbow  (map file)"), std::string::npos) << table;
  EXPECT_NE(table.find("joints of the character that nothing moves: head"), std::string::npos) << table;
  EXPECT_NE(table.find("joints of the motion that move nothing: head, left_elbow"), std::string::npos) << table;
}

TEST(Retarget, MapFilesSayWhatIsWrong) {
  const Skeleton rig = MakeRig({.names = {}});
  const auto message = [&](const char* text) -> std::string {
    RetargetMap map = GuessMap(rig, rig);
    try {
      ApplyMapText(text, "m.json", rig, rig, map);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message("[]").find("m.json: is not a JSON object"), std::string::npos);
  EXPECT_NE(message(R"({"tail": "head"})").find("\"tail\": is not a joint of the character"), std::string::npos);
  EXPECT_NE(message(R"({"head": "tail"})").find("names no joint of the motion"), std::string::npos);
  EXPECT_NE(message(R"({"head": 3})").find("neither a name nor null"), std::string::npos);
}

TEST(Retarget, NothingInCommonIsAnError) {
  Random random(1);
  const Skeleton source = MakeRig({.names = {}});
  Skeleton target;
  target.joints.push_back({.name = "box", .parent = -1, .rest = {}});
  const Clip clip = RandomClip(source, random, 1);
  EXPECT_THROW(Retarget(clip, target, GuessMap(source, target)), Error);
}

TEST(Retarget, RealMotionsOntoRealCharacters) {
  SINEW_REQUIRE_ASSETS();
  for (const char* motion : {"walk", "cartwheel", "climb_ladder"}) {
    const Clip clip = ReadBvh(testing::AssetsFolder() / "motion" / (std::string(motion) + ".bvh"));
    for (const char* file : {"gltf/CesiumMan.glb", "gltf/RiggedFigure.glb", "makehuman/base_fingers.glb"}) {
      const Skeleton target = gltf::ReadGltf(testing::AssetsFolder() / file).skeleton;
      const Clip out = Retarget(clip, target, GuessMap(clip.skeleton, target));
      double worst = 0;
      for (int f = 0; f < clip.motion.frame_count(); f += 5) {
        worst = std::max(worst, WorstAngle(LimbDirections(clip.skeleton, clip.motion.frames[f]),
                                           LimbDirections(target, out.motion.frames[f])));
      }
      EXPECT_LT(worst, 1 * kDegree) << motion << " " << file;
    }
  }
}

}  // namespace
}  // namespace sinew::retarget
