// Regression, at every point of a body by itself, of what a prediction lacks on what is known of the point in a frame.
//
// Errors of a network on one body repeat themselves: they depend on the place and on the joints around it.
// So a few frames whose truth is known tell much, place by place. With z_i the inputs of the point in example i and R
// what is missing in the examples, one row each, the residual of a frame with inputs z is (kernel ridge regression, or
// the mean of a Gaussian process: C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006)
//
//   c(z) = k(z)' (K + lambda I)^-1 R           (Eq. 2.25)
//   k_i(z) = (1 + a) exp(-a), a = sqrt(3) |z - z_i| / l,   K_ij = k_i(z_j)   (Matern, nu = 3/2, Eq. 4.17).
//
// Far from all examples it is zero, which leaves the prediction as it is. The length l and the ridge lambda are those
// with which examples are answered best by a residual that was fitted without them; if none makes these better, there
// is no residual. Every point has a gain on top, at most 1, which makes the same examples best around it.
#ifndef SINEW_OFFLINE_GRAPHNET_POINT_RESIDUAL_H_
#define SINEW_OFFLINE_GRAPHNET_POINT_RESIDUAL_H_

#include <vector>

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/mesh/csr.h"

namespace sinew::graphnet {

using learn::RowMatrix;

class PointResidual {
 public:
  PointResidual() = default;  // of zeros

  bool empty() const { return examples_.empty(); }
  // Residual of a frame, points by 3. inputs: points by columns, those of the examples. Must not be empty().
  RowMatrix Evaluate(const RowMatrix& inputs) const;

 private:
  friend class ResidualFitter;

  std::vector<int> columns_;         // of the inputs that count
  Eigen::RowVectorXf scale_;         // factor on each of these
  std::vector<RowMatrix> examples_;  // scaled inputs, points by columns_
  std::vector<RowMatrix> weights_;   // per example: (K + lambda I)^-1 R times the gain, points by 3
  float length_ = 1;                 // l
};

// A frame whose truth is known.
struct ResidualExample {
  RowMatrix inputs;   // points by columns
  RowMatrix missing;  // what is to be added to the prediction, points by 3
};

struct ResidualFit {
  PointResidual residual;
  double length = 0, ridge = 0;  // l and lambda; 0: the residual is empty
  // Residual of every example by a fit to examples of other folds, points by 3.
  std::vector<RowMatrix> held_out;
  // Mean length of what is missing over area and examples: without a residual, and with those that are held out.
  double error_before = 0, error_after = 0;
};

// Fits to examples, at least two. groups: numbers of columns of the inputs that belong together, in order; each group
// counts the same. areas, neighbours: of the points. Folds are runs of examples, since neighbours in a motion are much
// alike.
ResidualFit FitPointResidual(const std::vector<ResidualExample>& examples, const std::vector<int>& groups,
                             const std::vector<float>& areas, const Csr& neighbours);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_POINT_RESIDUAL_H_
