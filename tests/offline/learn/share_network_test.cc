#include "sinew/offline/learn/share_network.h"

#include <gtest/gtest.h>

#include <vector>

#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"

namespace sinew::learn {
namespace {

// The answer as the header says it, in double precision and without any of the code under test.
Eigen::MatrixXd PlainAnswer(const NetworkShape& s, const Eigen::VectorXd& p, const ShareSamples& samples) {
  using Matrix = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Column = Eigen::Map<const Eigen::VectorXd>;
  const double* at = p.data();
  const Matrix W1(at, s.width, s.inputs);
  const Column b1(at += W1.size(), s.width);
  const Matrix W2(at += s.width, s.width, s.width);
  const Column b2(at += W2.size(), s.width);
  const Matrix W3(at += s.width, s.outputs, s.width);
  const Column b3(at += W3.size(), s.outputs);
  const Eigen::MatrixXd h1 = ((W1 * samples.inputs.cast<double>()).colwise() + b1).array().tanh();
  const Eigen::MatrixXd h2 = ((W2 * h1).colwise() + b2).array().tanh();
  Eigen::MatrixXd shares =
      (samples.priors.cast<double>().array() + kShareFloor) * ((W3 * h2).colwise() + b3).array().exp();
  for (auto column : shares.colwise()) column /= column.sum();
  return shares;
}

double PlainLoss(const NetworkShape& shape, const Eigen::VectorXd& p, const ShareSamples& samples) {
  const Eigen::ArrayXXd off = (PlainAnswer(shape, p, samples) - samples.targets.cast<double>()).array();
  return ((off.square() + 1e-4).sqrt() - 1e-2).sum();
}

RowMatrix Noise(int rows, int columns, Random& random) {
  RowMatrix matrix(rows, columns);
  for (int i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.Normal());
  return matrix;
}

// Columns that sum to 1, many of whose entries are zero.
RowMatrix Shares(int rows, int columns, Random& random) {
  RowMatrix matrix = Noise(rows, columns, random).cwiseMax(0);
  matrix.row(0).array() += 0.1F;
  for (auto column : matrix.colwise()) column /= column.sum();
  return matrix;
}

ShareSamples Draw(const NetworkShape& shape, int count, Random& random) {
  return {Noise(shape.inputs, count, random), Shares(shape.outputs, count, random),
          Shares(shape.outputs, count, random)};
}

TEST(ShareLoss, LossAndGradientAreThoseOfTheFormula) {
  for (const NetworkShape& shape : {NetworkShape{3, 7, 2}, NetworkShape{12, 33, 5}, NetworkShape{1, 1, 24}}) {
    Random random(shape.width);
    const ShareSamples samples = Draw(shape, 19, random);
    const int count = ShareParameterCount(shape);
    const RowMatrix start = 0.4 * Noise(1, count, random);
    Eigen::VectorXf gradient(count);
    const double loss = ShareLoss(shape, start.data(), samples, gradient.data());
    const auto plain = [&](const Eigen::VectorXd& p) { return PlainLoss(shape, p, samples); };
    const Eigen::VectorXd at = start.transpose().cast<double>();
    EXPECT_NEAR(loss, plain(at), 1e-5 * loss);
    EXPECT_NEAR(ShareLoss(shape, start.data(), samples, nullptr), loss, 1e-9 * loss);
    EXPECT_LT(GradientError(plain, at, gradient.cast<double>()), 1e-5);
    const Network network = ShareNetwork(shape, start.data());
    EXPECT_LT((CorrectShares(network, samples.inputs, samples.priors).cast<double>() - PlainAnswer(shape, at, samples))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-5);
  }
}

TEST(CorrectShares, AnUntrainedNetworkLeavesThemAlmostAsTheyAre) {
  const NetworkShape shape{5, 9, 6};
  Random random(1);
  const ShareSamples samples = Draw(shape, 40, random);
  const std::vector<float> zeros(ShareParameterCount(shape), 0);
  const RowMatrix answer = CorrectShares(ShareNetwork(shape, zeros.data()), samples.inputs, samples.priors);
  EXPECT_LT((answer - samples.priors).cwiseAbs().maxCoeff(), 6 * kShareFloor);
}

TEST(CorrectShares, AColumnDependsOnItselfAlone) {
  const NetworkShape shape{5, 32, 24};
  Random random(2);
  const ShareSamples samples = Draw(shape, 70, random);
  const RowMatrix parameters = Noise(1, ShareParameterCount(shape), random);
  const Network network = ShareNetwork(shape, parameters.data());
  const RowMatrix all = CorrectShares(network, samples.inputs, samples.priors);
  EXPECT_NEAR(all.sum(), 70, 1e-3);
  for (int i = 0; i < 70; i += 23) {
    const RowMatrix one = CorrectShares(network, samples.inputs.col(i), samples.priors.col(i));
    EXPECT_LT((one - all.col(i)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

}  // namespace
}  // namespace sinew::learn
