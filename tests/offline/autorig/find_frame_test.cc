#include "sinew/offline/autorig/find_frame.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/core/random.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

double AngleBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  return Eigen::AngleAxisd(a * b.transpose()).angle() * 180 / std::numbers::pi;
}

TriMesh Turned(TriMesh mesh, const Eigen::Matrix3d& turn) {
  mesh.positions = (mesh.positions.cast<double>() * turn.transpose()).cast<float>().eval();
  return mesh;
}

// However a body lies in its file, one of the turns stands it up.
TEST(CandidateTurns, OneOfThemIsRight) {
  const TriMesh body = MakeWorkingSurface(testing::SmallBiped().parts[0].mesh, 1000, 1, "biped").mesh;
  Random random(8);
  for (int round = 0; round < 8; ++round) {
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
    if (round > 0) {
      const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
      turn = Eigen::AngleAxisd(random.Uniform(0.2, 3), axis.normalized()).toRotationMatrix();
    }
    double least = 180;
    for (const Eigen::Matrix3d& candidate : CandidateTurns(Turned(body, turn))) {
      EXPECT_NEAR(candidate.determinant(), 1, 1e-9);
      EXPECT_LT((candidate * candidate.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-9);
      least = std::min(least, AngleBetween(candidate, turn.transpose()));
    }
    EXPECT_LT(least, 10) << "round " << round;
  }
}

TEST(CandidateTurns, AnUprightBodyKeepsTheFilesAxes) {
  const TriMesh body = MakeWorkingSurface(testing::SmallBiped().parts[0].mesh, 1000, 1, "biped").mesh;
  double least = 180;
  for (const Eigen::Matrix3d& candidate : CandidateTurns(body)) {
    least = std::min(least, AngleBetween(candidate, Eigen::Matrix3d::Identity()));
  }
  EXPECT_EQ(least, 0);
}

TEST(FindMirrorPlanes, TheMiddleOfABodyIsTheBest) {
  const TriMesh body = MakeWorkingSurface(testing::SmallBiped().parts[0].mesh, 1000, 1, "biped").mesh;
  const std::vector<MirrorPlane> planes = FindMirrorPlanes(body);
  ASSERT_FALSE(planes.empty());
  EXPECT_GT(std::abs(planes[0].normal.x()), 0.999);
  EXPECT_LT(planes[0].misfit, 0.01);
}

}  // namespace
}  // namespace sinew::autorig
