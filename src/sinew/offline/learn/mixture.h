// Mixtures of normal distributions, fitted by expectation maximisation (A. P. Dempster, N. M. Laird, D. B. Rubin,
// "Maximum likelihood from incomplete data via the EM algorithm", 1977), and covariances in few numbers.
#ifndef SINEW_OFFLINE_LEARN_MIXTURE_H_
#define SINEW_OFFLINE_LEARN_MIXTURE_H_

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace sinew::learn {

struct NormalMixture {
  Eigen::VectorXd weights;                   // one per component; sum to 1
  Eigen::MatrixXd means;                     // one column per component
  std::vector<Eigen::MatrixXd> covariances;  // one per component

  int component_count() const { return static_cast<int>(weights.size()); }
};

struct MixtureOptions {
  int components = 8;
  int iterations = 60;
  // Added to the diagonal of every covariance, in the square of the samples' unit: no component shrinks to a point.
  double least_variance = 1e-6;
  uint64_t seed = 1;
};

// Fits a mixture to samples, one per column, at least as many as components. The first means are samples, each drawn
// with a probability that grows with the squared distance to those before it (k-means++).
NormalMixture FitMixture(const Eigen::MatrixXd& samples, const MixtureOptions& options);

// Mean over the samples of the logarithm of the density.
double MeanLogDensity(const NormalMixture& mixture, const Eigen::MatrixXd& samples);

// Covariance as a sum: factors * factors^T + diag(own).
struct FactoredCovariance {
  Eigen::MatrixXd factors;  // one column per factor
  Eigen::VectorXd own;      // variances that no factor explains, at least 0
};
// Approximates a covariance by `rank` factors, with the variances kept exactly (principal factors, by iteration).
FactoredCovariance FactorCovariance(const Eigen::MatrixXd& covariance, int rank);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_MIXTURE_H_
