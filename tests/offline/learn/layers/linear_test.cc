#include "sinew/offline/learn/layers/linear.h"

#include <gtest/gtest.h>

#include "sinew/offline/learn/layers/batch_norm.h"
#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

RowMatrix Applied(const RowMatrix& x, const RowMatrix& W, const RowMatrix& b) {
  RowMatrix y(x.rows(), W.cols());
  Linear(x, W, {b.data(), static_cast<size_t>(b.size())}, y);
  return y;
}

TEST(Linear, IsTheProductOfDoubles) {
  const RowMatrix x = Noise(301, 37, 1), W = Noise(37, 21, 2), b = Noise(1, 21, 3);
  const Eigen::MatrixXd exact = (x.cast<double>() * W.cast<double>()).rowwise() + b.cast<double>().row(0);
  EXPECT_LT((Applied(x, W, b).cast<double>() - exact).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((Applied(x, W, RowMatrix()) - Applied(x, W, RowMatrix::Zero(1, 21))).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Linear, GradientsAreRightAndAdded) {
  const RowMatrix x = Noise(7, 5, 1), W = Noise(5, 4, 2), b = Noise(1, 4, 3), dy = Noise(7, 4, 4);
  RowMatrix dx = RowMatrix::Ones(7, 5), dW = RowMatrix::Ones(5, 4), db = RowMatrix::Ones(1, 4);
  Rows dx_rows(dx);
  LinearBackward(x, W, dy, &dx_rows, dW, {db.data(), 4});
  const auto minus = [](const RowMatrix& m) { return RowMatrix(m.array() - 1); };
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return Weighted(Applied(m, W, b), dy); }, x, minus(dx)),
            kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return Weighted(Applied(x, m, b), dy); }, W, minus(dW)),
            kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return Weighted(Applied(x, W, m), dy); }, b, minus(db)),
            kGradientTolerance);
}

TEST(Linear, SameBitsOnAllThreads) {
  const RowMatrix x = Noise(1000, 40, 1), W = Noise(40, 130, 2), dy = Noise(1000, 130, 3);
  EXPECT_TRUE(SameOnAllThreads([&] { return Applied(x, W, RowMatrix()); }));
  EXPECT_TRUE(SameOnAllThreads([&] {
    RowMatrix dx = RowMatrix::Zero(1000, 40), dW = RowMatrix::Zero(40, 130), db = RowMatrix::Zero(1, 130);
    Rows dx_rows(dx);
    LinearBackward(x, W, dy, &dx_rows, dW, {db.data(), 130});
    RowMatrix all(1041, 130);
    all << dx, RowMatrix::Zero(1000, 90), dW, db;
    return all;
  }));
}

RowMatrix Normalised(const RowMatrix& x, const RowMatrix& gamma, const RowMatrix& beta,
                     const ColumnStatistics& statistics) {
  RowMatrix y(x.rows(), x.cols());
  const auto columns = static_cast<size_t>(x.cols());
  BatchNorm(x, statistics, {gamma.data(), columns}, {beta.data(), columns}, y);
  return y;
}

TEST(BatchNorm, StandardisesEveryColumn) {
  const RowMatrix x = (Noise(5000, 3, 1) * 7).rowwise() + Eigen::RowVector3f(100, 0, -3);
  const RowMatrix y = Normalised(x, RowMatrix::Ones(1, 3), RowMatrix::Zero(1, 3), StatisticsOf(x));
  const ColumnStatistics after = StatisticsOf(y);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(after.mean[c], 0, 1e-4);
    EXPECT_NEAR(after.variance[c], 1, 1e-3);
  }
}

TEST(BatchNorm, GradientsAreRight) {
  const RowMatrix x = Noise(9, 4, 1), gamma = Noise(1, 4, 2), beta = Noise(1, 4, 3), dy = Noise(9, 4, 4);
  for (const bool of_batch : {true, false}) {
    const ColumnStatistics stored = StatisticsOf(Noise(20, 4, 5));
    const auto f = [&](const RowMatrix& a, const RowMatrix& g, const RowMatrix& b) {
      return Weighted(Normalised(a, g, b, of_batch ? StatisticsOf(a) : stored), dy);
    };
    RowMatrix dx = RowMatrix::Zero(9, 4), dgamma = RowMatrix::Zero(1, 4), dbeta = RowMatrix::Zero(1, 4);
    Rows dx_rows(dx);
    BatchNormBackward(x, of_batch ? StatisticsOf(x) : stored, of_batch, {gamma.data(), 4}, dy, &dx_rows,
                      {dgamma.data(), 4}, {dbeta.data(), 4});
    const auto error = [&](const auto& g, const RowMatrix& at, const RowMatrix& d) {
      return FloatGradientError(g, at, d);
    };
    EXPECT_LT(error([&](const RowMatrix& m) { return f(m, gamma, beta); }, x, dx), kGradientTolerance) << of_batch;
    EXPECT_LT(error([&](const RowMatrix& m) { return f(x, m, beta); }, gamma, dgamma), kGradientTolerance);
    EXPECT_LT(error([&](const RowMatrix& m) { return f(x, gamma, m); }, beta, dbeta), kGradientTolerance);
  }
}

TEST(BatchNorm, FoldsIntoTheLinearLayerBeforeIt) {
  const RowMatrix x = Noise(50, 6, 1), gamma = Noise(1, 5, 3), beta = Noise(1, 5, 4);
  RowMatrix W = Noise(6, 5, 2), b = Noise(1, 5, 6);
  const ColumnStatistics stored = StatisticsOf(Noise(30, 5, 5));
  const RowMatrix before = Normalised(Applied(x, W, b), gamma, beta, stored);
  FoldBatchNorm(stored, {gamma.data(), 5}, {beta.data(), 5}, W, {b.data(), 5});
  EXPECT_LT((Applied(x, W, b) - before).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(BatchNorm, StoredStatisticsMoveTowardsThoseOfTheBatch) {
  const RowMatrix x = (Noise(400, 2, 1) * 3).array() + 5;
  const ColumnStatistics batch = StatisticsOf(x);
  std::vector<float> mean = {0, 0}, variance = {1, 1};
  for (int i = 0; i < 300; ++i) UpdateStatistics(batch, 400, mean, variance);
  EXPECT_NEAR(mean[1], batch.mean[1], 1e-4);
  EXPECT_NEAR(variance[1], batch.variance[1] * 400 / 399, 1e-3);
}

}  // namespace
}  // namespace sinew::layers
