// Statistics of how people move: the table makes sense, and what is drawn from it does.
#include "sinew/offline/anatomy/human_motion.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/human_motion_table.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

double AngleOf(const SwingTwist& turn, int component) {
  return component == 0 ? turn.bend : component == 1 ? turn.side : turn.twist;
}

TEST(HumanMotion, TableIsWhole) {
  const HumanMotion& motion = MeasuredHumanMotion();
  ASSERT_EQ(motion.ranges.size(), motion.skeleton.joints.size());
  ASSERT_FALSE(motion.components.empty());
  const size_t numbers = motion.components.size() * motion.angles.size() * (2 + kMeasuredFactors);
  EXPECT_EQ(MeasuredComponents().size(), numbers);
  double sum = 0;
  for (const HumanMotion::Component& component : motion.components) {
    sum += component.weight;
    EXPECT_GE(component.own.minCoeff(), 0);
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  for (const auto& [joint, component] : motion.angles) {
    ASSERT_LT(joint, motion.skeleton.joint_count());
    ASSERT_LT(component, 3);
  }
  for (const Joint& joint : motion.skeleton.joints) ASSERT_LT(joint.parent, motion.skeleton.Find(joint.name));
}

// Limits by name hold what people were seen to do; the axes that angles were measured about are those of the limits.
TEST(HumanMotion, LimitsHoldWhatWasSeen) {
  const HumanMotion& motion = MeasuredHumanMotion();
  const JointLimits limits = FindLimits(motion.skeleton, {});
  for (const auto& [joint, component] : motion.angles) {
    const JointLimit &limit = limits[joint], &seen = motion.ranges[joint];
    const std::string& name = motion.skeleton.joints[joint].name;
    EXPECT_LT((limit.bone - seen.bone).norm(), 0.02) << name;
    EXPECT_LT((limit.bend_toward - seen.bend_toward).norm(), 0.02) << name;
    EXPECT_LT(limit.neutral.angularDistance(seen.neutral), 0.02) << name;
    for (const double share : {-1.0, 1.0}) {
      SwingTwist turn;
      const AngleRange& range = component == 0 ? seen.bend : component == 1 ? seen.side : seen.twist;
      (component == 0 ? turn.bend : component == 1 ? turn.side : turn.twist) = share < 0 ? range.min : range.max;
      EXPECT_LE(Outside(limit, turn), 1 * kDegree) << name << " " << component << " " << share;
    }
  }
}

TEST(HumanMotion, DrawnPosesAreInsideTheRangesAndAsOftenLeftAsRight) {
  const HumanMotion& motion = MeasuredHumanMotion();
  const int left = motion.skeleton.Find("left_hip"), right = motion.skeleton.Find("right_hip");
  const int knee = motion.skeleton.Find("left_knee");
  constexpr int kDraws = 4000;
  double left_bend = 0, right_bend = 0, left_side = 0, right_side = 0, knee_bend = 0;
  for (int i = 0; i < kDraws; ++i) {
    Random random(4, i);
    const std::vector<SwingTwist> pose = DrawHumanPose(motion, 1, random);
    for (size_t j = 0; j < pose.size(); ++j) {
      ASSERT_LE(Outside(motion.ranges[j], pose[j]), 1e-6);
    }
    left_bend += pose[left].bend / kDraws, right_bend += pose[right].bend / kDraws;
    left_side += pose[left].side / kDraws, right_side += pose[right].side / kDraws;
    knee_bend += pose[knee].bend / kDraws;
  }
  EXPECT_NEAR(left_bend, right_bend, 3 * kDegree);
  EXPECT_NEAR(left_side, -right_side, 2 * kDegree);
  EXPECT_GT(knee_bend, 15 * kDegree);
}

// A larger spread draws rarer poses: knees, say, bend and straighten farther from their mean.
TEST(HumanMotion, SpreadSaysHowRare) {
  const HumanMotion& motion = MeasuredHumanMotion();
  const auto variance = [&](double spread) {
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(motion.angles.size()));
    Eigen::VectorXd sums = squares;
    constexpr int kDraws = 2000;
    for (int i = 0; i < kDraws; ++i) {
      Random random(8, i);
      const std::vector<SwingTwist> pose = DrawHumanPose(motion, spread, random);
      for (size_t a = 0; a < motion.angles.size(); ++a) {
        const double angle = AngleOf(pose[motion.angles[a].joint], motion.angles[a].component);
        sums[static_cast<Eigen::Index>(a)] += angle / kDraws;
        squares[static_cast<Eigen::Index>(a)] += angle * angle / kDraws;
      }
    }
    return (squares - sums.cwiseAbs2()).sum();
  };
  const double usual = variance(1);
  EXPECT_GT(variance(1.5), 1.15 * usual);
  EXPECT_LT(variance(0.5), 0.9 * usual);
}

}  // namespace
}  // namespace sinew
