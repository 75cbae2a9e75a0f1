#include "sinew/offline/autorig/body_frame.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sinew/offline/autorig/example.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

Eigen::Matrix3d RandomTurn(Random& random) {
  const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
  return Eigen::AngleAxisd(random.Uniform(0, 3), axis.normalized()).toRotationMatrix();
}

TEST(BodyFrame, GoesThereAndBack) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    BodyFrame frame;
    frame.turn = RandomTurn(random);
    frame.origin = {random.Normal(), random.Normal(), random.Normal()};
    frame.height = random.Uniform(0.01, 200);
    const Eigen::Vector3d x{random.Normal(), random.Normal(), random.Normal()};
    EXPECT_LT((frame.ToFile(frame.ToCanonical(x)) - x).norm(), 1e-10 * (1 + x.norm()));
  }
}

// A body that is turned, moved and in another unit looks the same.
TEST(BodyFrame, CanonicalSpaceForgetsHowTheFileStands) {
  const TriMesh& upright = testing::SmallBiped().parts[0].mesh;
  const BodyFrame known = MeasureFrame(upright, Eigen::Matrix3d::Identity());
  const Points expected = known.PointsToCanonical(upright.positions);
  EXPECT_NEAR(expected.col(1).minCoeff(), 0, 1e-6);
  EXPECT_NEAR(expected.col(1).maxCoeff(), 1, 1e-6);
  Random random(2);
  for (int round = 0; round < 5; ++round) {
    const Eigen::Matrix3d turn = RandomTurn(random);
    const double scale = random.Uniform(0.1, 100);
    TriMesh turned = upright;
    for (Eigen::Index v = 0; v < turned.positions.rows(); ++v) {
      const Eigen::Vector3d x = turn.transpose() * upright.positions.row(v).cast<double>().transpose();
      turned.positions.row(v) = (scale * x + Eigen::Vector3d(3, -1, 2)).cast<float>().transpose();
    }
    const Points found = MeasureFrame(turned, turn).PointsToCanonical(turned.positions);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 2e-5);
  }
}

// Joints that are turned, moved and in another unit come to the same places.
TEST(RefinedFrame, ForgetsHowTheFileStands) {
  const JointPositions joints = MakeWeightedBody(testing::SmallBiped(), "biped").joints;
  const auto canonical = [](const JointPositions& given) {
    const BodyFrame frame = RefinedFrame(given).value();
    JointPositions placed;
    for (int j = 0; j < kJoints; ++j) placed.row(j) = frame.ToCanonical(given.row(j).transpose()).transpose();
    return placed;
  };
  const JointPositions expected = canonical(joints);
  EXPECT_GT(expected(15, 1), 0.8);  // the head is up
  EXPECT_GT(expected(1, 0), 0);     // the left hip is to the left
  Random random(3);
  for (int round = 0; round < 5; ++round) {
    const Eigen::Matrix3d turn = RandomTurn(random);
    const JointPositions moved = ((random.Uniform(0.1, 50) * joints * turn).rowwise() + Eigen::RowVector3d(3, -1, 2));
    EXPECT_LT((canonical(moved) - expected).cwiseAbs().maxCoeff(), 1e-9);
  }
  EXPECT_FALSE(RefinedFrame(JointPositions::Zero()));
}

TEST(BodyFrame, NothingHasNoFrame) { EXPECT_THROW(MeasureFrame(TriMesh{}, Eigen::Matrix3d::Identity()), UsageError); }

}  // namespace
}  // namespace sinew::autorig
