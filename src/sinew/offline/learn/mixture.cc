#include "sinew/offline/learn/mixture.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew::learn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kChunk = 4096;

// Draws one index with a probability proportional to its weight.
int Draw(const VectorXd& weights, Random& random) {
  double left = random.Uniform() * weights.sum();
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return static_cast<int>(i);
  }
  return static_cast<int>(weights.size()) - 1;
}

MatrixXd FirstMeans(const MatrixXd& samples, int count, uint64_t seed) {
  Random random(seed);
  MatrixXd means(samples.rows(), count);
  VectorXd distance = VectorXd::Ones(samples.cols());
  for (int k = 0; k < count; ++k) {
    means.col(k) = samples.col(Draw(distance, random));
    const VectorXd squares = (samples.colwise() - means.col(k)).colwise().squaredNorm();
    distance = k == 0 ? squares : VectorXd(distance.cwiseMin(squares));
  }
  return means;
}

// Logarithms of weight * density: one row per component, one column per sample.
MatrixXd LogDensities(const NormalMixture& mixture, const MatrixXd& samples) {
  MatrixXd logs(mixture.component_count(), samples.cols());
  for (int k = 0; k < mixture.component_count(); ++k) {
    const Eigen::LLT<MatrixXd> factor(mixture.covariances[k]);
    const double log_root = MatrixXd(factor.matrixL()).diagonal().array().log().sum();
    const double constant = std::log(std::max(mixture.weights[k], 1e-300)) - log_root -
                            0.5 * static_cast<double>(samples.rows()) * std::log(2 * std::numbers::pi);
    const MatrixXd centred = samples.colwise() - mixture.means.col(k);
    logs.row(k) = constant - 0.5 * factor.matrixL().solve(centred).colwise().squaredNorm().array();
  }
  return logs;
}

// Replaces the logarithms of each column by shares that sum to 1; returns the sum over columns of the logarithm of the
// density.
double Normalise(MatrixXd& logs) {
  double sum = 0;
  for (Eigen::Index i = 0; i < logs.cols(); ++i) {
    const double most = logs.col(i).maxCoeff();
    logs.col(i) = (logs.col(i).array() - most).exp();
    const double total = logs.col(i).sum();
    logs.col(i) /= total;
    sum += most + std::log(total);
  }
  return sum;
}

// Sums of a chunk of samples, weighted by the shares that each component has in them.
struct Sums {
  double log_density = 0;
  VectorXd weights;
  MatrixXd means;
  std::vector<MatrixXd> squares;

  void Add(const Sums& more) {
    log_density += more.log_density;
    weights += more.weights;
    means += more.means;
    for (size_t k = 0; k < squares.size(); ++k) squares[k] += more.squares[k];
  }
};

Sums SumsOf(const NormalMixture& mixture, const MatrixXd& samples) {
  Sums sums;
  MatrixXd shares = LogDensities(mixture, samples);
  sums.log_density = Normalise(shares);
  sums.weights = shares.rowwise().sum();
  sums.means = samples * shares.transpose();
  for (int k = 0; k < mixture.component_count(); ++k) {
    sums.squares.emplace_back(samples * shares.row(k).asDiagonal() * samples.transpose());
  }
  return sums;
}

// Adds up the chunks in their order, whatever the number of threads.
Sums SumsOfAll(const NormalMixture& mixture, const MatrixXd& samples) {
  const auto count = static_cast<int>(samples.cols());
  const int chunks = (count + kChunk - 1) / kChunk;
  std::vector<Sums> parts(chunks);
  ParallelFor(chunks, 1, [&](int c) {
    parts[c] = SumsOf(mixture, samples.middleCols(c * kChunk, std::min(kChunk, count - c * kChunk)));
  });
  for (int c = 1; c < chunks; ++c) parts[0].Add(parts[c]);
  return std::move(parts[0]);
}

}  // namespace

NormalMixture FitMixture(const MatrixXd& samples, const MixtureOptions& options) {
  const Eigen::Index size = samples.rows();
  NormalMixture mixture;
  mixture.weights = VectorXd::Constant(options.components, 1.0 / options.components);
  mixture.means = FirstMeans(samples, options.components, options.seed);
  // Components start as balls, as wide as all samples are on average.
  const VectorXd mean = samples.rowwise().mean();
  const double variance = (samples.colwise() - mean).squaredNorm() / static_cast<double>(samples.size());
  const MatrixXd least = options.least_variance * MatrixXd::Identity(size, size);
  mixture.covariances.assign(options.components, variance * MatrixXd::Identity(size, size) + least);
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    const Sums sums = SumsOfAll(mixture, samples);
    for (int k = 0; k < options.components; ++k) {
      // A component without samples keeps its shape and loses its weight.
      mixture.weights[k] = sums.weights[k] / static_cast<double>(samples.cols());
      if (sums.weights[k] < 1e-9) continue;
      mixture.means.col(k) = sums.means.col(k) / sums.weights[k];
      mixture.covariances[k] =
          sums.squares[k] / sums.weights[k] - mixture.means.col(k) * mixture.means.col(k).transpose() + least;
    }
  }
  return mixture;
}

double MeanLogDensity(const NormalMixture& mixture, const MatrixXd& samples) {
  MatrixXd logs = LogDensities(mixture, samples);
  return Normalise(logs) / static_cast<double>(samples.cols());
}

FactoredCovariance FactorCovariance(const MatrixXd& covariance, int rank) {
  constexpr int kIterations = 100;
  const VectorXd variances = covariance.diagonal();
  const VectorXd deviations = variances.cwiseMax(1e-300).cwiseSqrt();
  // On the correlations, so that angles of little range count as much as others.
  const MatrixXd correlations =
      deviations.cwiseInverse().asDiagonal() * covariance * deviations.cwiseInverse().asDiagonal();
  FactoredCovariance result;
  result.own = VectorXd::Constant(variances.size(), 0.5);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    MatrixXd explained = correlations;
    explained.diagonal() -= result.own;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(explained);
    result.factors =
        eigen.eigenvectors().rightCols(rank) * eigen.eigenvalues().tail(rank).cwiseMax(0.0).cwiseSqrt().asDiagonal();
    result.own = (1 - result.factors.rowwise().squaredNorm().array()).cwiseMax(0.0);
  }
  // Scale factors down where they explain more than the variance.
  for (Eigen::Index i = 0; i < variances.size(); ++i) {
    const double explained = result.factors.row(i).squaredNorm();
    if (explained > 1) result.factors.row(i) /= std::sqrt(explained);
  }
  result.factors = deviations.asDiagonal() * result.factors;
  result.own = result.own.cwiseProduct(variances);
  return result;
}

}  // namespace sinew::learn
