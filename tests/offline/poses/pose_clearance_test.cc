#include "sinew/offline/poses/pose_clearance.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/poses/body_spheres.h"
#include "sinew/offline/poses/clearing_problem.h"
#include "sinew/offline/poses/sample_clear_poses.h"
#include "tests/support/gradient_check.h"
#include "tests/support/limb_figure.h"
#include "tests/support/mesh_families.h"
#include "tests/support/random_character.h"

namespace sinew::poses {
namespace {

using Eigen::Vector3d;
using testing::Capsule;
using testing::LimbFigure;
using testing::MakeLimbFigure;
using testing::RigOptions;

RigOptions AnyRig(Random& random) {
  return {.arm_down = random.Uniform(0, 0.8),
          .leg_apart = random.Uniform(0.05, 0.25),
          .height = random.Uniform(0.5, 190),
          .z_up = random.Below(2) == 1,
          .frames_seed = random.Bits() | 1u,
          .spines = 1 + static_cast<int>(random.Below(3)),
          .collars = random.Below(2) == 1,
          .names = {}};
}

bool SameBits(const Pose& a, const Pose& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Transform)) == 0;
}

// The distance of two segments, by looking at many points of the one.
double SegmentDistance(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  double nearest = 1e9;
  constexpr int kPoints = 200;
  for (int i = 0; i <= kPoints; ++i) {
    const Vector3d p = a + (b - a) * i / kPoints;
    const double u = std::clamp((p - c).dot(d - c) / std::max(1e-12, (d - c).squaredNorm()), 0.0, 1.0);
    nearest = std::min(nearest, (c + u * (d - c) - p).norm());
  }
  return nearest;
}

// How deep two capsules are in each other, as a share of the figure's size; negative if they are apart.
double CapsuleDepth(const Capsule& a, const Capsule& b, const std::vector<Eigen::Affine3f>& models, double size) {
  const auto at = [&](const Capsule& capsule, const Vector3d& end) -> Vector3d {
    return models[capsule.joint].cast<double>() * end;
  };
  return (a.radius + b.radius - SegmentDistance(at(a, a.from), at(a, a.to), at(b, b.from), at(b, b.to))) / size;
}

double DepthOf(const LimbFigure& figure, const Pose& pose, const char* one, const char* other, double size) {
  const auto models = LocalToModel(figure.character.skeleton, pose);
  double depth = -1e9;
  for (const Capsule& a : figure.capsules) {
    for (const Capsule& b : figure.capsules) {
      const auto& joints = figure.character.skeleton.joints;
      if (joints[a.joint].name.find(one) == std::string::npos ||
          joints[b.joint].name.find(other) == std::string::npos) {
        continue;
      }
      depth = std::max(depth, CapsuleDepth(a, b, models, size));
    }
  }
  return depth;
}

// An animation that keeps one pose for a second.
Animation Keeping(const Pose& pose) {
  Animation animation;
  for (size_t j = 0; j < pose.size(); ++j) {
    AnimationCurve curve;
    curve.joint = static_cast<int>(j);
    curve.times = {0, 1};
    for (int key = 0; key < 2; ++key) {
      const auto& q = pose[j].rotation;
      curve.values.insert(curve.values.end(), {q.x, q.y, q.z, q.w});
    }
    animation.curves.push_back(curve);
  }
  return animation;
}

TEST(PoseClearance, LimbsMayOverlapAsTheyDoInTheirAnimations) {
  LimbFigure figure = MakeLimbFigure();
  Character& character = figure.character;
  const Articulation articulation(character.skeleton);
  const JointLimits limits = FindLimits(character.skeleton, {});
  const PoseClearance strict(character, articulation, limits);
  std::vector<Pose> deep;
  for (const Pose& pose : SamplePoses(articulation, limits, {.count = 100, .seed = 7})) {
    if (strict.Depth(pose) > 0.02) deep.push_back(pose);
  }
  ASSERT_GT(deep.size(), 10u);
  // Half of the frames have one of these poses, half the other: what overlaps in either is allowed.
  character.animations = {Keeping(deep[0]), Keeping(deep[1])};
  const PoseClearance usual(character, articulation, limits);
  for (int i = 0; i < 2; ++i) EXPECT_LT(usual.Depth(deep[i]), 1e-6);
  int left = 0;
  for (const Pose& pose : deep) {
    EXPECT_LE(usual.Depth(pose), strict.Depth(pose));
    left += usual.Depth(pose) > 0.02;
  }
  EXPECT_GT(left, static_cast<int>(deep.size()) / 3) << "other limbs, and deeper ones, are still kept apart";
  // An overlap in only one of fifty animations is not allowed.
  character.animations.assign(49, Keeping(character.skeleton.RestPose()));
  character.animations.push_back(Keeping(deep[0]));
  EXPECT_EQ(PoseClearance(character, articulation, limits).Depth(deep[0]), strict.Depth(deep[0]));
}

TEST(BodySpheres, FillTheSkinAndNoMore) {
  const LimbFigure figure = MakeLimbFigure();
  const BodySpheres body = FindBodySpheres(figure.character);
  const double slack = BodySphereOptions{}.slack * body.size;
  const auto models = LocalToModel(figure.character.skeleton, figure.character.skeleton.RestPose());
  for (const BodySphere& sphere : body.spheres) {
    ASSERT_EQ(sphere.influences.count, 1);
    double outside = 1e9;
    for (const Capsule& c : figure.capsules) {
      const Eigen::Affine3d model = models[c.joint].cast<double>();
      const double axis = SegmentDistance(sphere.centre_rest, sphere.centre_rest, model * c.from, model * c.to);
      if (c.joint == sphere.influences.joints[0]) outside = std::min(outside, axis + sphere.radius - c.radius);
    }
    EXPECT_LT(outside, 1.05 * slack);
  }
  const Points& skin = figure.character.parts[0].mesh.positions;
  int bare = 0;
  for (int v = 0; v < skin.rows(); ++v) {
    double outside = 1e9;
    for (const BodySphere& sphere : body.spheres) {
      outside = std::min(outside, (skin.row(v).transpose().cast<double>() - sphere.centre_rest).norm() - sphere.radius);
    }
    bare += outside > slack;
  }
  EXPECT_LT(bare, 0.02 * static_cast<double>(skin.rows()));
}

TEST(BodySpheres, ClothHasNone) {
  LimbFigure figure = MakeLimbFigure();
  Part& part = figure.character.parts[0];
  part.mesh = testing::Cylinder(6, 1);
  part.weights.joints.assign(part.mesh.vertex_count(), 0);
  part.weights.weights.assign(part.mesh.vertex_count(), 1);
  EXPECT_TRUE(FindBodySpheres(figure.character).spheres.empty());
  const Articulation articulation(figure.character.skeleton);
  const PoseClearance clearance(figure.character, articulation, FindLimits(figure.character.skeleton, {}));
  EXPECT_TRUE(clearance.empty());
  const Pose rest = figure.character.skeleton.RestPose();
  EXPECT_TRUE(SameBits(clearance.Clear(rest).pose, rest));
}

// Balls against capsules, whose overlaps are known: forearms and hands in the trunk, one leg in the other.
void ExpectKnownDepth(uint32_t seed) {
  Random random(seed);
  const LimbFigure figure = MakeLimbFigure(AnyRig(random));
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  const PoseClearance clearance(figure.character, articulation, limits);
  constexpr double kSlack = 0.01;  // two balls' and the mesh's own
  for (const Pose& pose : SamplePoses(articulation, limits, {.count = 10, .seed = seed})) {
    const double size = clearance.size();
    double least = 0;
    for (const auto& [one, other] : {std::pair{"elbow", "spine"},
                                     {"wrist", "spine"},
                                     {"wrist", "hip"},
                                     {"left_knee", "right_knee"},
                                     {"left_elbow", "right_elbow"}}) {
      least = std::max(least, DepthOf(figure, pose, one, other, size));
    }
    EXPECT_GT(clearance.Depth(pose), least - kSlack);
  }
}

TEST(PoseClearance, KnowsHowDeepLimbsAre) {
  for (uint32_t seed = 1; seed <= 6; ++seed) ExpectKnownDepth(seed);
}

void ExpectClears(uint32_t seed) {
  Random random(seed);
  const LimbFigure figure = MakeLimbFigure(AnyRig(random));
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  const PoseClearance clearance(figure.character, articulation, limits);
  const double tolerance = clearance.options().tolerance;
  int left = 0;
  constexpr int kPoses = 12;
  for (Pose pose : SamplePoses(articulation, limits, {.count = kPoses, .seed = seed})) {
    pose[0].translation.x += 1;
    pose[0].rotation = ToQuaternion(testing::RandomRotation(random, 3.0));
    const ClearedPose cleared = clearance.Clear(pose);
    EXPECT_TRUE(IsFinite(cleared.pose));
    EXPECT_NEAR(clearance.Depth(pose), cleared.depth_before, 1e-4);
    EXPECT_NEAR(clearance.Depth(cleared.pose), cleared.depth, 1e-4);
    EXPECT_LT(articulation.Outside(limits, cleared.pose).angle, 1e-3);
    EXPECT_EQ(cleared.clear, cleared.depth <= tolerance);
    EXPECT_LE(cleared.depth, cleared.depth_before);
    EXPECT_TRUE(SameBits({cleared.pose[0]}, {pose[0]}));
    EXPECT_EQ(SameBits(cleared.pose, pose), cleared.turn == 0);
    EXPECT_TRUE(cleared.depth_before > tolerance || cleared.turn == 0);
    left += !cleared.clear;
  }
  EXPECT_LE(left, kPoses / 4);
}

TEST(PoseClearance, ClearsPosesInsideTheirLimits) {
  for (uint32_t seed = 1; seed <= 6; ++seed) ExpectClears(seed);
}

TEST(PoseClearance, DerivativesAreRight) {
  const LimbFigure figure = MakeLimbFigure({.frames_seed = 3, .names = {}});
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  const ClearingModel model(figure.character, articulation, limits, {});
  int deep = 0;
  for (const Pose& pose : SamplePoses(articulation, limits, {.count = 12, .seed = 4})) {
    ClearingProblem problem(model, pose);
    // Beyond the limits, too.
    const Eigen::VectorXd q = 1.1 * problem.start();
    Eigen::VectorXd gradient;
    Eigen::MatrixXd matrix;
    problem.Linearize(q, gradient, matrix);
    EXPECT_LT(GradientError([&](const Eigen::VectorXd& x) { return problem.Penalty(x); }, q, gradient, 1e-6), 1e-3);
    EXPECT_EQ(Eigen::MatrixXd(matrix.triangularView<Eigen::StrictlyUpper>()).norm(), 0);  // the lower half only
    deep += problem.Depth(q) > 0.01;
  }
  EXPECT_GT(deep, 2);
}

// An arm that swings from aside through the trunk and back, as in a motion of a thinner body.
std::vector<Pose> SwingThroughTrunk(const Skeleton& skeleton, int frames) {
  std::vector<Pose> motion;
  const int shoulder = skeleton.Find("left_shoulder");
  for (int f = 0; f < frames; ++f) {
    const double angle = 1.6 * 0.5 * (1 - std::cos(2 * EIGEN_PI * f / (frames - 1)));
    Pose pose = skeleton.RestPose();
    const Eigen::Quaternionf turn(Eigen::AngleAxisf(static_cast<float>(-angle), Eigen::Vector3f::UnitZ()));
    pose[shoulder].rotation = ToQuaternion(turn);
    motion.push_back(pose);
  }
  return motion;
}

double Jitter(const LimbFigure& figure, const std::vector<Pose>& motion) {
  double sum = 0;
  const int hand = figure.character.skeleton.Find("left_hand");
  for (size_t f = 1; f + 1 < motion.size(); ++f) {
    Eigen::Vector3f second = Eigen::Vector3f::Zero();
    for (const auto& [at, share] : {std::pair{f - 1, 1.0f}, {f, -2.0f}, {f + 1, 1.0f}}) {
      second += share * LocalToModel(figure.character.skeleton, motion[at])[hand].translation();
    }
    sum += second.squaredNorm();
  }
  return std::sqrt(sum);
}

TEST(PoseClearance, MotionsGiveWayInTime) {
  const LimbFigure figure = MakeLimbFigure();
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  const PoseClearance clearance(figure.character, articulation, limits);
  const std::vector<Pose> motion = SwingThroughTrunk(figure.character.skeleton, 90);
  const ClearedMotion cleared = clearance.Clear(motion, 30);
  EXPECT_GT(cleared.frames[45].depth_before, 0.005);
  EXPECT_GT(cleared.corrected(), 10);
  EXPECT_EQ(cleared.left(), 0);
  std::vector<Pose> after;
  for (const ClearedPose& frame : cleared.frames) after.push_back(frame.pose);
  // The hand is turned aside, and back, within a second: a little more than nothing must show.
  EXPECT_LT(Jitter(figure, after), 1.2 * Jitter(figure, motion));
  // The correction never jumps, and is gone where the arm is far away.
  for (size_t f = 1; f < motion.size(); ++f) {
    const auto a = articulation.Deltas(after[f - 1]), b = articulation.Deltas(after[f]);
    const auto c = articulation.Deltas(motion[f - 1]), d = articulation.Deltas(motion[f]);
    for (size_t j = 0; j < a.size(); ++j) {
      EXPECT_LT(a[j].angularDistance(b[j]), c[j].angularDistance(d[j]) + 0.02) << f;
    }
  }
  EXPECT_LT(cleared.frames.front().turn, 0.005);
  EXPECT_LT(cleared.frames.back().turn, 0.005);
}

// Longer than what is solved at once: where one stretch follows on another nothing jumps.
TEST(PoseClearance, LongMotionsHaveNoSeams) {
  const LimbFigure figure = MakeLimbFigure();
  const Articulation articulation(figure.character.skeleton);
  const PoseClearance clearance(figure.character, articulation, FindLimits(figure.character.skeleton, {}));
  const std::vector<Pose> motion(500, SwingThroughTrunk(figure.character.skeleton, 3)[1]);
  const ClearedMotion cleared = clearance.Clear(motion, 30);
  EXPECT_EQ(cleared.left(), 0);
  for (size_t f = 1; f < motion.size(); ++f) {
    EXPECT_LT(std::abs(cleared.frames[f].turn - cleared.frames[f - 1].turn), 1e-3) << f;
  }
}

TEST(PoseClearance, DoesNotDependOnThreads) {
  const LimbFigure figure = MakeLimbFigure();
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  std::vector<Pose> results[2];
  for (const int threads : {1, 3}) {
    SetThreads(threads);
    const PoseClearance clearance(figure.character, articulation, limits);
    const ClearedMotion cleared = clearance.Clear(SwingThroughTrunk(figure.character.skeleton, 30), 30);
    for (const ClearedPose& frame : cleared.frames) results[threads == 1].push_back(frame.pose);
    const ClearSamples samples =
        SampleClearPoses(figure.character, articulation, limits, {.sample = {.count = 12}, .clear = {}});
    results[threads == 1].insert(results[threads == 1].end(), samples.poses.begin(), samples.poses.end());
  }
  SetThreads(0);
  for (size_t f = 0; f < results[0].size(); ++f) EXPECT_TRUE(SameBits(results[0][f], results[1][f])) << f;
}

TEST(PoseClearance, LeavesAloneWhatCannotBeHelped) {
  LimbFigure figure = MakeLimbFigure();
  const Articulation articulation(figure.character.skeleton);
  const PoseClearance clearance(figure.character, articulation, FindLimits(figure.character.skeleton, {}));
  Pose pose = figure.character.skeleton.RestPose();
  pose[3].rotation.x = NAN;
  EXPECT_TRUE(SameBits(clearance.Clear(pose).pose, pose));
  EXPECT_EQ(clearance.Clear({pose, pose}, 30).corrected(), 0);
  EXPECT_TRUE(clearance.Clear({}, 30).frames.empty());
  const Pose rest = figure.character.skeleton.RestPose();
  EXPECT_TRUE(SameBits(clearance.Clear(rest).pose, rest));
}

// Joints that are outside their limits stay where they are or come nearer.
TEST(PoseClearance, NeverLeavesLimitsFurther) {
  const LimbFigure figure = MakeLimbFigure();
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  const PoseClearance clearance(figure.character, articulation, limits);
  Random random(8);
  for (int i = 0; i < 10; ++i) {
    const Pose pose = testing::RandomPose(figure.character.skeleton, random, 1.5);
    const Pose cleared = clearance.Clear(pose).pose;
    const auto before = articulation.Deltas(pose), after = articulation.Deltas(cleared);
    for (size_t j = 0; j < limits.size(); ++j) {
      const double was = Outside(limits[j], ToSwingTwist(limits[j], before[j]));
      EXPECT_LT(Outside(limits[j], ToSwingTwist(limits[j], after[j])), std::max(0.0, was) + 1e-3);
    }
  }
}

TEST(PoseClearance, SurvivesAnyCharacter) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Character character = testing::RandomCharacter(seed);
    const Articulation articulation(character.skeleton);
    const JointLimits limits = FindLimits(character.skeleton, {});
    const PoseClearance clearance(character, articulation, limits);
    for (const Pose& pose : SamplePoses(articulation, limits, {.count = 2, .seed = seed})) {
      EXPECT_TRUE(IsFinite(clearance.Clear(pose).pose));
    }
  }
}

TEST(SampleClearPoses, FillsRangesWithClearPoses) {
  const LimbFigure figure = MakeLimbFigure();
  const Articulation articulation(figure.character.skeleton);
  const JointLimits limits = FindLimits(figure.character.skeleton, {});
  ClearSampleOptions options{.sample = {.count = 60}, .clear = {}};
  const ClearSamples samples = SampleClearPoses(figure.character, articulation, limits, options);
  const PoseClearance clearance(figure.character, articulation, limits);
  EXPECT_EQ(samples.left, 0);
  EXPECT_GT(samples.corrected, 0);
  EXPECT_GT(samples.coverage.mean, samples.before.mean - 0.05);
  for (const Pose& pose : samples.poses) {
    EXPECT_LE(clearance.Depth(pose), clearance.options().tolerance + 1e-4);
    EXPECT_LT(articulation.Outside(limits, pose).angle, 1e-3);
  }
  options.sample.count = 25;
  const ClearSamples fewer = SampleClearPoses(figure.character, articulation, limits, options);
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(SameBits(fewer.poses[i], samples.poses[i])) << i;
}

}  // namespace
}  // namespace sinew::poses
