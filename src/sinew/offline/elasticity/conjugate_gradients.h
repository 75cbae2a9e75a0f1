// Preconditioned conjugate gradients restricted to the range of a projector: the modified conjugate gradient method of
// U. M. Ascher, E. Boxerman, "On the Modified Conjugate Gradient Method in Cloth Simulation", 2003.
#ifndef SINEW_OFFLINE_ELASTICITY_CONJUGATE_GRADIENTS_H_
#define SINEW_OFFLINE_ELASTICITY_CONJUGATE_GRADIENTS_H_

#include <Eigen/Core>

#include "sinew/offline/elasticity/projector.h"

namespace sinew::elasticity {

// Matrix A and its preconditioner M, both given only by products with vectors.
class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  // Computes out = A v, with A symmetric and positive semi-definite. Resizes `out`, which must not be v itself.
  virtual void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const = 0;
  // Computes out = M^-1 v, with M symmetric, positive definite and close to A. Resizes `out`.
  virtual void Precondition(const Eigen::VectorXd& v, Eigen::VectorXd& out) const = 0;
};

struct CgOptions {
  double tolerance = 1e-6;  // on sqrt(r^T M^-1 r) with the residual r = P (b - A x), relative to its value at x = 0
  int max_iterations = 10000;
};

struct CgResult {
  int iterations = 0;
  bool converged = false;  // whether the residual reached the tolerance
};

// Minimises x^T A x / 2 - b^T x over all x with P x = x, starting from x = 0; overwrites x. Every iterate lowers this
// objective. So b^T x > 0 for any result other than 0, converged or not: where -b is the gradient of a function, x is a
// descent direction of it. Stops unconverged at a search direction without positive curvature; if that is the first
// one, it is returned as x.
CgResult SolveProjected(const LinearSystem& A, const Projector& P, const Eigen::VectorXd& b, const CgOptions& options,
                        Eigen::VectorXd& x);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_CONJUGATE_GRADIENTS_H_
