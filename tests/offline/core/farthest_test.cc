#include "sinew/offline/core/farthest.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

// Every choice is the item that brute force finds farthest from all places that count.
TEST(ChooseFarthest, IsTheGreedyChoiceOfBruteForce) {
  for (const bool keep_start : {false, true}) {
    Random random(keep_start ? 1 : 2);
    Eigen::Matrix2Xd points(2, 60);
    for (int i = 0; i < points.cols(); ++i) points.col(i) << random.Uniform(-1, 1), random.Uniform(-1, 1);
    const auto from = [&](int i) -> Eigen::VectorXd { return (points.colwise() - points.col(i)).colwise().norm(); };
    Eigen::VectorXd distance = points.colwise().norm();
    const std::vector<int> chosen = ChooseFarthest<double>(12, keep_start, from, distance);
    ASSERT_EQ(chosen.size(), 12u);
    std::vector<Eigen::Vector2d> places = {Eigen::Vector2d::Zero()};
    const auto nearest = [&](int i) {
      double least = INFINITY;
      for (const Eigen::Vector2d& place : places) least = std::min(least, (points.col(i) - place).norm());
      return least;
    };
    for (size_t c = 0; c < chosen.size(); ++c) {
      for (int i = 0; i < points.cols(); ++i) ASSERT_LE(nearest(i), nearest(chosen[c])) << c;
      if (c == 0 && !keep_start) places.clear();
      places.emplace_back(points.col(chosen[c]));
    }
    for (int i = 0; i < points.cols(); ++i) EXPECT_EQ(distance[i], nearest(i));
  }
}

TEST(ChooseFarthest, StopsWhereNothingIsLeftAndNeverTakesWhatWeighsNothing) {
  const Eigen::Vector3d places(0, 1, 5);
  const auto from = [&](int i) -> Eigen::VectorXd { return (places.array() - places[i]).abs(); };
  Eigen::VectorXd distance = Eigen::Vector3d::Ones();
  EXPECT_EQ(ChooseFarthest<double>(9, false, from, distance).size(), 3u);
  distance.setOnes();
  const Eigen::VectorXd weight = Eigen::Vector3d(1, 1, 0);
  for (const int chosen : ChooseFarthest<double>(9, false, from, distance, &weight)) EXPECT_NE(chosen, 2);
}

}  // namespace
}  // namespace sinew
