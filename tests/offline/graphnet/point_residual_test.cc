// Residuals that are regressed at every point: what they find, what they leave alone, and that examples which are left
// out are answered as by a fit without them.
#include "sinew/offline/graphnet/point_residual.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew::graphnet {
namespace {

constexpr int kPoints = 6;

// Points without neighbours.
Csr Lonely(int points) { return {std::vector<int>(points + 1, 0), {}}; }

// Inputs of two columns, the same at all points. missing(point, inputs): one number, for all axes.
template <typename Missing>
ResidualExample MakeExample(Random& random, const Missing& missing) {
  ResidualExample example{RowMatrix(kPoints, 2), RowMatrix(kPoints, 3)};
  const Eigen::RowVector2f z{static_cast<float>(random.Normal()), static_cast<float>(random.Normal())};
  for (int p = 0; p < kPoints; ++p) {
    example.inputs.row(p) = z;
    example.missing.row(p).setConstant(static_cast<float>(missing(p, z)));
  }
  return example;
}

template <typename Missing>
std::vector<ResidualExample> MakeExamples(int count, const Missing& missing, uint64_t seed = 1) {
  Random random(seed);
  std::vector<ResidualExample> examples;
  for (int i = 0; i < count; ++i) examples.push_back(MakeExample(random, missing));
  return examples;
}

ResidualFit FitTo(const std::vector<ResidualExample>& examples) {
  return FitPointResidual(examples, {static_cast<int>(examples[0].inputs.cols())}, std::vector<float>(kPoints, 1.0f),
                          Lonely(kPoints));
}

// Differs from point to point, and is smooth in the inputs.
double Smooth(int point, const Eigen::RowVector2f& z) {
  return std::sin(z[0] + static_cast<double>(point)) + 0.5 * z[1];
}

TEST(PointResidual, FindsWhatEveryPointLacks) {
  const ResidualFit fit = FitTo(MakeExamples(30, Smooth));
  ASSERT_FALSE(fit.residual.empty());
  EXPECT_LT(fit.error_after, 0.35 * fit.error_before);
  double left = 0, all = 0;
  for (const ResidualExample& other : MakeExamples(20, Smooth, 2)) {
    left += (other.missing - fit.residual.Evaluate(other.inputs)).norm();
    all += other.missing.norm();
  }
  EXPECT_LT(left, 0.35 * all);
}

TEST(PointResidual, IsZeroFarFromAllExamples) {
  const ResidualFit fit = FitTo(MakeExamples(30, Smooth));
  EXPECT_LT(fit.residual.Evaluate(RowMatrix::Constant(kPoints, 2, 1e4f)).cwiseAbs().maxCoeff(), 1e-6f);
}

TEST(PointResidual, LeavesAloneWhatInputsDoNotTell) {
  Random noise(3);
  const ResidualFit fit = FitTo(MakeExamples(40, [&](int, const auto&) { return noise.Normal(); }));
  if (fit.residual.empty()) {
    EXPECT_EQ(fit.error_after, fit.error_before);
    return;
  }
  EXPECT_LE(fit.error_after, fit.error_before);
  for (const RowMatrix& answer : fit.held_out) EXPECT_LT(answer.norm(), 0.5 * std::sqrt(3.0 * kPoints));
}

TEST(PointResidual, PointsThatAreNoiseHaveLittleGain) {
  Random noise(4);
  const auto missing = [&](int p, const Eigen::RowVector2f& z) { return p < 3 ? Smooth(p, z) : noise.Normal(); };
  const ResidualFit fit = FitTo(MakeExamples(40, missing));
  ASSERT_FALSE(fit.residual.empty());
  for (const ResidualExample& other : MakeExamples(10, Smooth, 5)) {
    const RowMatrix residual = fit.residual.Evaluate(other.inputs);
    EXPECT_LT((other.missing - residual).topRows(3).norm(), 0.6 * other.missing.topRows(3).norm() + 0.3);
    EXPECT_LT(residual.bottomRows(3).norm(), 2.0);
  }
}

// The closed form for folds against a fit without each fold, at one point.
TEST(PointResidual, ExamplesAreHeldOutAsByAFitWithoutThem) {
  const int count = 14, folds = 10;
  const std::vector<ResidualExample> examples = MakeExamples(count, Smooth);
  const ResidualFit fit = FitTo(examples);
  ASSERT_FALSE(fit.residual.empty());
  // Scaled inputs: each of two columns over the root of its variation and of their number.
  Eigen::MatrixXd z(count, 2), y(count, 1), held(count, 1);
  for (int i = 0; i < count; ++i) {
    z.row(i) = examples[i].inputs.row(0).cast<double>();
    y(i, 0) = examples[i].missing(0, 0);
  }
  for (int c = 0; c < 2; ++c) {
    const double variation = (z.col(c).array() - z.col(c).mean()).square().mean();
    z.col(c) /= std::sqrt(2 * variation);
  }
  const auto kernel = [&](int i, int j) {
    const double a = std::sqrt(3.0) * (z.row(i) - z.row(j)).norm() / fit.length;
    return (1 + a) * std::exp(-a);
  };
  for (int i = 0; i < count; ++i) {
    std::vector<int> others;
    for (int j = 0; j < count; ++j) {
      if (j * folds / count != i * folds / count) others.push_back(j);
    }
    const auto n = static_cast<int>(others.size());
    Eigen::MatrixXd K(n, n), k(1, n), rest(n, 1);
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) K(a, b) = kernel(others[a], others[b]) + (a == b ? fit.ridge : 0);
      k(0, a) = kernel(i, others[a]);
      rest(a, 0) = y(others[a], 0);
    }
    held(i, 0) = (k * K.inverse() * rest)(0, 0);
  }
  const double gain = std::clamp(held.cwiseProduct(y).sum() / held.squaredNorm(), 0.0, 1.0);
  for (int i = 0; i < count; ++i) EXPECT_NEAR(fit.held_out[i](0, 0), gain * held(i, 0), 1e-4) << i;
}

TEST(PointResidual, ColumnsThatDoNotVaryDoNotCount) {
  std::vector<ResidualExample> examples = MakeExamples(20, Smooth);
  const ResidualFit without = FitTo(examples);
  for (size_t i = 0; i < examples.size(); ++i) {
    examples[i].inputs.conservativeResize(Eigen::NoChange, 3);
    examples[i].inputs.col(2).setConstant(7 + 1e-6f * static_cast<float>(i % 2));
  }
  const ResidualFit with = FitTo(examples);
  for (size_t i = 0; i < examples.size(); ++i) EXPECT_EQ(with.held_out[i], without.held_out[i]);
}

TEST(PointResidual, OnePoseManyTimesTeachesItsMean) {
  std::vector<ResidualExample> examples(4, {RowMatrix::Ones(kPoints, 2), RowMatrix::Constant(kPoints, 3, 2)});
  const ResidualFit fit = FitTo(examples);
  ASSERT_FALSE(fit.residual.empty());
  EXPECT_TRUE(fit.residual.Evaluate(examples[0].inputs).isConstant(2, 0.01f));
}

TEST(PointResidual, ThreadsChangeNothing) {
  const std::vector<ResidualExample> examples = MakeExamples(12, Smooth);
  SetThreads(1);
  const RowMatrix one = FitTo(examples).residual.Evaluate(examples[3].inputs);
  SetThreads(3);
  EXPECT_EQ(FitTo(examples).residual.Evaluate(examples[3].inputs), one);
  SetThreads(0);
}

TEST(PointResidual, OneExampleIsRefused) { EXPECT_THROW(FitTo(MakeExamples(1, Smooth)), UsageError); }

}  // namespace
}  // namespace sinew::graphnet
