#include "sinew/offline/skincells/field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/skin_fields.h"

namespace sinew::skincells {
namespace {

using testing::RandomField;
using testing::RandomPoint;

std::vector<double> At(const SkinField& field, const Eigen::Vector3d& x) {
  std::vector<double> weights(field.cells.size());
  EvaluateCells(field, x, weights);
  return weights;
}

int NonZeros(const std::vector<double>& weights) {
  return static_cast<int>(std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; }));
}

void ExpectSound(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) {
    ASSERT_TRUE(std::isfinite(w));
    ASSERT_GE(w, 0);
    sum += w;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

// Equations 2 and 3 as they are printed, but for the rank of the cut; no care for range.
std::vector<double> AsPrinted(const SkinField& field, const Eigen::Vector3d& x) {
  std::vector<double> d;
  for (const SkinCell& cell : field.cells) {
    double least = 1e300;
    for (const Site& s : cell.sites) {
      const double m = std::sqrt((x - s.p).dot(s.F.transpose() * s.F * (x - s.p)));
      least = std::min(least, m < s.t ? 0.5 * (m * m / s.t + s.t) : m);
    }
    d.push_back(least);
  }
  std::vector<double> D = d;
  std::sort(D.begin(), D.end());
  std::vector<double> w;
  double sum = 0;
  for (size_t j = 0; j < d.size(); ++j) {
    const double numerator = field.l < static_cast<int>(D.size()) ? std::max(field.cells[j].c, D[field.l] - d[j]) : 1.0;
    w.push_back(std::pow(numerator / d[j], field.cells[j].r));
    sum += w.back();
  }
  for (double& value : w) value /= sum;
  return w;
}

TEST(SkinField, IsThePapersFormula) {
  for (int seed = 1; seed <= 40; ++seed) {
    const SkinField field = RandomField(seed, 3 + seed % 9, 1 + seed % 6, 1 + seed % 8, seed % 2 == 0 ? 0 : 0.1);
    Random random(seed, 1);
    for (int i = 0; i < 50; ++i) {
      const Eigen::Vector3d x = RandomPoint(random);
      const std::vector<double> weights = At(field, x), expected = AsPrinted(field, x);
      for (size_t j = 0; j < weights.size(); ++j) EXPECT_NEAR(weights[j], expected[j], 1e-10);
    }
  }
}

TEST(SkinField, HasAtMostLInfluencesByConstructionAndLDoOccur) {
  for (int l = 1; l <= 8; ++l) {
    const SkinField field = RandomField(l, 12, 6, l);
    Random random(l, 2);
    int most = 0;
    for (int i = 0; i < 500; ++i) {
      const std::vector<double> weights = At(field, RandomPoint(random));
      ExpectSound(weights);
      most = std::max(most, NonZeros(weights));
    }
    EXPECT_EQ(most, l);
  }
}

TEST(SkinField, RelaxedKeepsEveryJointAlive) {
  const SkinField field = RandomField(5, 10, 3, 4, 0.05);
  EXPECT_EQ(NonZeros(At(field, {0.1, 0.2, 0.3})), 10);
}

TEST(SkinField, IsSoundOnSitesAndFarAway) {
  for (int l : {1, 4}) {
    const SkinField field = RandomField(9, 8, 4, l);
    for (const SkinCell& cell : field.cells) {
      for (const Site& site : cell.sites) ExpectSound(At(field, site.p));
    }
    for (const double far : {10.0, 1e3, 1e9, 1e18, 1e38}) {
      for (const Eigen::Vector3d& way : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(-1, 2, 0.5)}) {
        const std::vector<double> weights = At(field, far * way);
        ExpectSound(weights);
        EXPECT_LE(NonZeros(weights), l);
      }
    }
  }
}

TEST(SkinField, GivesTheNearestWhereManyCellsAreEquallyFar) {
  SkinField field = RandomField(1, 6, 1, 2);
  for (SkinCell& cell : field.cells) cell = {.joint = cell.joint, .r = 2, .c = 0, .sites = {Site{}}};
  const std::vector<double> weights = At(field, {0.3, 0.1, 0});
  ExpectSound(weights);
  EXPECT_EQ(weights[0], 1);
}

TEST(SkinField, IsContinuous) {
  const SkinField field = RandomField(3, 12, 4, 4);
  Random random(3, 3);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector3d x = RandomPoint(random), step = 1e-7 * RandomPoint(random);
    const std::vector<double> a = At(field, x), b = At(field, x + step);
    for (size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-4);
  }
}

TEST(SkinField, WritesWeightsStrongestFirst) {
  const SkinField field = RandomField(7, 9, 6, 4, 0.02);
  Random random(7, 4);
  Points points(100, 3);
  for (int v = 0; v < 100; ++v) points.row(v) = RandomPoint(random, 2).cast<float>().transpose();
  const SkinWeights weights = EvaluateField(field, points);
  ASSERT_EQ(weights.weights.size(), 400u);
  for (int v = 0; v < 100; ++v) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      sum += weights.weights[4 * v + k];
      EXPECT_LE(weights.weights[4 * v + k], k > 0 ? weights.weights[4 * v + k - 1] : 1);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(StrongestWeights, GivesARowWithoutWeightToTheFirstJoint) {
  const std::vector<double> dense = {0, 0, 0, 0.2, 0.1, 0.7};
  const std::vector<int> joints = {2, 5, 9};
  const SkinWeights weights = StrongestWeights(dense, joints, 2);
  EXPECT_EQ(weights.joints, (std::vector<uint16_t>{2, 0, 9, 2}));
  EXPECT_FLOAT_EQ(weights.weights[0], 1);
  EXPECT_FLOAT_EQ(weights.weights[2], 0.7f / 0.9f);
}

TEST(StrongestWeights, AreTheSameRowByRow) {
  Random random(5);
  constexpr int kRows = 300, kJoints = 40;
  std::vector<double> dense;
  for (int i = 0; i < kRows * kJoints; ++i) dense.push_back(std::max(0.0, random.Uniform(-1, 1)));
  std::vector<int> joints;
  for (int j = 0; j < kJoints; ++j) joints.push_back(2 * j);
  const SkinWeights whole = StrongestWeights(dense, joints, 4);
  const SkinWeights rows = StrongestWeights(kRows, joints, 4, [&](int v, std::span<double> row) {
    for (int j = 0; j < kJoints; ++j) row[j] = dense[v * kJoints + j];
  });
  EXPECT_EQ(whole.joints, rows.joints);
  EXPECT_EQ(whole.weights, rows.weights);
}

}  // namespace
}  // namespace sinew::skincells
