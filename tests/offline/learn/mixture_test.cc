#include "sinew/offline/learn/mixture.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew::learn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

NormalMixture TwoAndThird() {
  NormalMixture mixture;
  mixture.weights = Eigen::Vector3d(0.5, 0.3, 0.2);
  mixture.means.resize(2, 3);
  mixture.means << 0, 8, -6, 0, 3, 7;
  mixture.covariances = {(MatrixXd(2, 2) << 1, 0.8, 0.8, 1).finished(),
                         (MatrixXd(2, 2) << 2, -0.5, -0.5, 0.5).finished(), MatrixXd::Identity(2, 2) * 0.3};
  return mixture;
}

MatrixXd Samples(const NormalMixture& mixture, int count, uint64_t seed) {
  Random random(seed);
  MatrixXd samples(mixture.means.rows(), count);
  for (int i = 0; i < count; ++i) {
    const double u = random.Uniform();
    const int k = u < mixture.weights[0] ? 0 : u < mixture.weights[0] + mixture.weights[1] ? 1 : 2;
    VectorXd z(samples.rows());
    for (double& v : z) v = random.Normal();
    samples.col(i) = mixture.means.col(k) + mixture.covariances[k].llt().matrixL() * z;
  }
  return samples;
}

TEST(Mixture, FindsWhatItsSamplesWereDrawnFrom) {
  const NormalMixture truth = TwoAndThird();
  const NormalMixture found = FitMixture(Samples(truth, 20000, 3), {.components = 3, .seed = 7});
  EXPECT_NEAR(found.weights.sum(), 1, 1e-9);
  for (int k = 0; k < 3; ++k) {
    Eigen::Index nearest = 0;
    (found.means.colwise() - truth.means.col(k)).colwise().norm().minCoeff(&nearest);
    EXPECT_NEAR(found.weights[nearest], truth.weights[k], 0.02);
    EXPECT_LT((found.means.col(nearest) - truth.means.col(k)).norm(), 0.06);
    EXPECT_LT((found.covariances[nearest] - truth.covariances[k]).norm(), 0.1);
  }
  // New samples are as likely as under the truth.
  const MatrixXd fresh = Samples(truth, 5000, 11);
  EXPECT_NEAR(MeanLogDensity(found, fresh), MeanLogDensity(truth, fresh), 0.01);
}

TEST(Mixture, IsTheSameWithAnyNumberOfThreads) {
  const MatrixXd samples = Samples(TwoAndThird(), 9000, 5);
  SetThreads(1);
  const NormalMixture one = FitMixture(samples, {.components = 4, .iterations = 10});
  SetThreads(3);
  const NormalMixture three = FitMixture(samples, {.components = 4, .iterations = 10});
  SetThreads(0);
  EXPECT_EQ(one.means, three.means);
  EXPECT_EQ(one.covariances, three.covariances);
}

TEST(Mixture, StandsSamplesThatAreAllAlike) {
  const NormalMixture found = FitMixture(MatrixXd::Ones(3, 50), {.components = 2, .iterations = 20});
  EXPECT_TRUE(found.means.allFinite());
  for (const MatrixXd& covariance : found.covariances) EXPECT_TRUE(covariance.allFinite());
}

TEST(FactorCovariance, IsExactForWhatFactorsCanSay) {
  Random random(2);
  MatrixXd factors(7, 2);
  for (double& v : factors.reshaped()) v = random.Uniform(-2, 2);
  VectorXd own(7);
  for (double& v : own) v = random.Uniform(0.2, 1);
  const MatrixXd covariance = factors * factors.transpose() + MatrixXd(own.asDiagonal());
  const FactoredCovariance found = FactorCovariance(covariance, 2);
  const MatrixXd again = found.factors * found.factors.transpose() + MatrixXd(found.own.asDiagonal());
  EXPECT_LT((again - covariance).norm(), 0.02 * covariance.norm());
}

TEST(FactorCovariance, KeepsVariancesWhateverTheRank) {
  Random random(9);
  MatrixXd root(6, 6);
  for (double& v : root.reshaped()) v = random.Normal();
  const MatrixXd covariance = root * root.transpose();
  for (const int rank : {1, 2, 4, 6}) {
    const FactoredCovariance found = FactorCovariance(covariance, rank);
    EXPECT_GE(found.own.minCoeff(), 0);
    const VectorXd variances = found.factors.rowwise().squaredNorm() + found.own;
    EXPECT_LT((variances - covariance.diagonal()).norm(), 1e-9 * covariance.norm()) << rank;
  }
}

}  // namespace
}  // namespace sinew::learn
