#include "sinew/offline/anatomy/turn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d Direction(Random& random) {
  return Vector3d{random.Normal(), random.Normal(), random.Normal() + 1e-6}.normalized();
}

// Angles from none to a half turn, dense at both ends, where formulas lose their digits.
TEST(TurnBetween, TakesOneDirectionToTheOtherByTheShortestWay) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d from = Direction(random);
    const Vector3d axis = from.cross(Direction(random)).normalized();
    const double small = std::pow(10.0, random.Uniform(-17, 0));
    const double angle = i % 2 == 0 ? small : std::numbers::pi - small;
    const Vector3d to = Eigen::AngleAxisd(angle, axis) * from;
    const Quaterniond turn = TurnBetween(from * random.Uniform(0.01, 100), to * random.Uniform(0.01, 100));
    EXPECT_NEAR(turn.norm(), 1, 1e-12);
    EXPECT_LT((turn * from - to).norm(), 1e-9) << angle;
    EXPECT_NEAR(turn.angularDistance(Quaterniond::Identity()), angle, 1e-5);
  }
}

TEST(TurnBetween, OppositeDirectionsAreAHalfTurnApart) {
  for (const Vector3d& from : {Vector3d(1, 0, 0), Vector3d(0, -2, 0), Vector3d(0, 0, 3), Vector3d(1, 1, -1)}) {
    const Quaterniond turn = TurnBetween(from, -from);
    EXPECT_LT((turn * from + from).norm(), 1e-14);
    EXPECT_NEAR(turn.w(), 0, 1e-14);
  }
}

}  // namespace
}  // namespace sinew
