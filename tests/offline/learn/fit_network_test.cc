#include "sinew/offline/learn/fit_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/cuda_fitter.h"
#include "tests/support/gradient_check.h"

namespace sinew::learn {
namespace {

// The loss as the header says it, in double precision and without any of the code under test.
double PlainLoss(const NetworkShape& s, const Eigen::VectorXd& p, const Eigen::MatrixXd& inputs,
                 const Eigen::MatrixXd& targets) {
  using Matrix = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Column = Eigen::Map<const Eigen::VectorXd>;
  const double* at = p.data();
  const Matrix W1(at, s.width, s.inputs);
  const Column b1(at += W1.size(), s.width);
  const Matrix W2(at += s.width, s.width, s.width);
  const Column b2(at += W2.size(), s.width);
  const Matrix W3(at += s.width, s.outputs, s.width);
  const Eigen::MatrixXd h1 = ((W1 * inputs).colwise() + b1).array().tanh();
  const Eigen::MatrixXd h2 = ((W2 * h1).colwise() + b2).array().tanh();
  const Eigen::MatrixXd z = W3 * (h2.leftCols(targets.cols()).colwise() - h2.col(targets.cols()));
  return (z - targets).squaredNorm() / static_cast<double>(targets.cols());
}

RowMatrix Noise(int rows, int columns, Random& random) {
  RowMatrix matrix(rows, columns);
  for (int i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.Normal());
  return matrix;
}

TEST(NetworkLoss, LossAndGradientAreThoseOfTheFormula) {
  for (const NetworkShape& shape : {NetworkShape{3, 7, 2}, NetworkShape{12, 33, 5}, NetworkShape{1, 1, 1}}) {
    Random random(shape.width);
    const RowMatrix inputs = Noise(shape.inputs, 20, random), targets = Noise(shape.outputs, 19, random);
    const RowMatrix start = 0.4 * Noise(1, shape.parameter_count(), random);
    Eigen::VectorXf gradient(shape.parameter_count());
    const double loss = NetworkLoss(shape, start.data(), inputs, targets, gradient.data());
    const auto plain = [&](const Eigen::VectorXd& p) {
      return PlainLoss(shape, p, inputs.cast<double>(), targets.cast<double>());
    };
    const Eigen::VectorXd at = start.transpose().cast<double>();
    EXPECT_NEAR(loss, plain(at), 1e-5 * loss);
    EXPECT_LT(GradientError(plain, at, gradient.cast<double>()), 1e-5);
  }
}

// Coefficients that bend with a joint or two, as correctives do.
Samples Bends(int count, uint64_t seed) {
  Random random(seed);
  Samples samples{RowMatrix(6, count), RowMatrix(3, count)};
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 6; ++k) samples.inputs(k, i) = static_cast<float>(random.Uniform(-1, 1));
    const auto x = samples.inputs.col(i);
    samples.targets(0, i) = 0.01f * (x[0] * x[0] + 0.5f * x[1]);
    samples.targets(1, i) = 0.003f * std::sin(2 * x[2]) * (1 + x[0]);
    samples.targets(2, i) = 0.001f * x[3] * x[4];
  }
  return samples;
}

TEST(FitNetwork, LearnsASmoothFunctionAndIsZeroAtRest) {
  const Fit fit = FitNetwork(Bends(400, 1), Bends(100, 2), {.width = 30, .steps = 3000});
  const Samples unseen = Bends(200, 3);
  const Eigen::MatrixXf predicted = Evaluate(fit.network, unseen.inputs);
  const double error = (predicted - unseen.targets).squaredNorm() / unseen.targets.squaredNorm();
  EXPECT_LT(std::sqrt(error), 0.05);
  EXPECT_NEAR((predicted - unseen.targets).squaredNorm() / 200, fit.validation, fit.validation);
  EXPECT_LT(Evaluate(fit.network, Eigen::MatrixXf::Zero(6, 1)).norm(), 1e-8);
}

// Targets that are not zero at rest are learned only by a network that is free there, and then there as well.
TEST(FitNetwork, LearnsWhatIsNotZeroAtRest) {
  const auto shifted = [](int count, uint64_t seed) {
    Samples samples = Bends(count, seed);
    samples.targets.colwise() += Eigen::Vector3f(0.02f, -0.01f, 0.005f);
    return samples;
  };
  const Samples unseen = shifted(200, 3);
  const auto error = [&](const FitOptions& options) {
    const Fit fit = FitNetwork(shifted(400, 1), shifted(100, 2), options);
    EXPECT_EQ(fit.network.W1.cols(), 6);
    const Eigen::MatrixXf left = Evaluate(fit.network, unseen.inputs) - unseen.targets;
    EXPECT_NEAR(left.squaredNorm() / 200, fit.validation, fit.validation);
    const Eigen::VectorXf at_rest = Evaluate(fit.network, Eigen::MatrixXf::Zero(6, 1));
    if (options.free) {
      EXPECT_LT((at_rest - Eigen::Vector3f(0.02f, -0.01f, 0.005f)).norm(), 1e-3);
    }
    return left.norm() / unseen.targets.norm();
  };
  EXPECT_LT(error({.width = 30, .steps = 3000, .free = true}), 0.03);
  EXPECT_GT(error({.width = 30, .steps = 3000}), 0.06);
}

// Samples that say the opposite hardly disturb if they hardly count.
TEST(FitNetwork, SamplesCountByTheirWeights) {
  Samples training = Bends(400, 1);
  for (int i = 0; i < 400; ++i) {
    training.weights.push_back(i % 2 == 0 ? 0.5f : 0.01f);
    if (i % 2 == 1) training.targets.col(i) *= -1;
  }
  const Samples unseen = Bends(200, 3);
  const auto error = [&](const Samples& samples) {
    const Fit fit = FitNetwork(samples, {RowMatrix(6, 0), RowMatrix(3, 0)}, {.width = 30, .steps = 1500});
    return (Evaluate(fit.network, unseen.inputs) - unseen.targets).norm() / unseen.targets.norm();
  };
  const double weighted = error(training);
  training.weights.clear();
  EXPECT_LT(weighted, 0.4);
  EXPECT_GT(error(training), 0.7);
  training.weights = {1.0f};
  EXPECT_THROW(FitNetwork(training, training, {.width = 3}), UsageError);
}

TEST(FitNetwork, SameSeedSameBits) {
  const FitOptions options{.width = 10, .steps = 120, .seed = 4};
  const Fit a = FitNetwork(Bends(60, 1), Bends(20, 2), options), b = FitNetwork(Bends(60, 1), Bends(20, 2), options);
  EXPECT_EQ(a.network.W2, b.network.W2);
  EXPECT_EQ(a.network.b3, b.network.b3);
  FitOptions other = options;
  other.stream = 1;
  EXPECT_NE(FitNetwork(Bends(60, 1), Bends(20, 2), other).network.W2, a.network.W2);
}

TEST(FitNetwork, DoesNotLookAtInputsThatNeverVaried) {
  Samples training = Bends(200, 1), validation = Bends(50, 2);
  for (Samples* samples : {&training, &validation}) samples->inputs.row(5).setConstant(0);
  const Fit fit = FitNetwork(training, validation, {.width = 12, .steps = 200});
  Eigen::MatrixXf inputs = validation.inputs;
  const Eigen::MatrixXf before = Evaluate(fit.network, inputs);
  EXPECT_TRUE(before.allFinite());
  inputs.row(5).setConstant(1);
  EXPECT_EQ(Evaluate(fit.network, inputs), before);
}

TEST(FitNetwork, TakesRoundingForStandingStill) {
  Samples training = Bends(200, 1), validation = Bends(50, 2);
  for (Samples* samples : {&training, &validation}) samples->inputs *= 1e-9f;
  const Fit fit = FitNetwork(training, validation, {.width = 12, .steps = 20});
  EXPECT_EQ(fit.network.W1.cwiseAbs().maxCoeff(), 0);
}

// Joints that stand all but still, as fingers do in a character's motions, must not get weights that respond to
// rounding and that no half float holds.
TEST(FitNetwork, KeepsWeightsSmallWhereInputsHardlyVary) {
  for (const float variation : {1e-3f, 1e-4f, 1e-5f, 2e-6f}) {
    Samples training = Bends(200, 1), validation = Bends(50, 2);
    for (Samples* samples : {&training, &validation}) {
      samples->inputs *= variation;
      samples->inputs.array() += 0.7f;  // a bend that they keep
    }
    const Fit fit = FitNetwork(training, validation, {.width = 12, .steps = 400});
    EXPECT_LT(fit.network.W1.cwiseAbs().maxCoeff(), 5e3f) << variation;
    EXPECT_TRUE(Evaluate(fit.network, validation.inputs).allFinite());
  }
}

TEST(FitNetwork, StopsWhenValidationNoLongerImproves) {
  // Targets that the inputs say nothing about: what is learned of them only hurts.
  Random random(5);
  const Samples noise{Noise(3, 40, random), Noise(2, 40, random)}, other{Noise(3, 40, random), Noise(2, 40, random)};
  const Fit fit = FitNetwork(noise, other, {.width = 20, .steps = 5000, .patience = 200});
  EXPECT_LT(fit.steps, 2000);
  EXPECT_LT(fit.validation, fit.curve.back().validation);
}

TEST(CudaFitter, DoesTheSameStepsAsTheCpuOrSaysWhatIsMissing) {
  std::unique_ptr<CudaFitter> fitter;
  try {
    fitter = std::make_unique<CudaFitter>();
  } catch (const FailedError& error) {
    EXPECT_NE(std::string(error.what()).find("CUDA"), std::string::npos);
    GTEST_SKIP() << error.what();
  }
  std::vector<FitProblem> problems;
  for (const int width : {5, 30, 70}) {
    problems.push_back({Bends(300, 1), Bends(40, 2), {.width = width, .steps = 120}});
  }
  const std::vector<Fit> fits = fitter->FitNetworks(problems);
  for (size_t i = 0; i < fits.size(); ++i) {
    const Fit fit = FitNetwork(problems[i].training, problems[i].validation, problems[i].options);
    ASSERT_EQ(fits[i].curve.size(), fit.curve.size());
    EXPECT_NEAR(fits[i].curve[0].training, fit.curve[0].training, 1e-4 * fit.curve[0].training);
    EXPECT_NEAR(fits[i].validation, fit.validation, 0.05 * fit.validation);
  }
}

}  // namespace
}  // namespace sinew::learn
