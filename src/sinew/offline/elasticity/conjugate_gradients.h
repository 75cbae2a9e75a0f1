// Conjugate gradients inside a projector's range: the modified conjugate gradient method (U. M. Ascher, E. Boxerman,
// "On the Modified Conjugate Gradient Method in Cloth Simulation", 2003), preconditioned.
#ifndef SINEW_OFFLINE_ELASTICITY_CONJUGATE_GRADIENTS_H_
#define SINEW_OFFLINE_ELASTICITY_CONJUGATE_GRADIENTS_H_

#include <Eigen/Core>

#include "sinew/offline/elasticity/projector.h"

namespace sinew::elasticity {

class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  // out = A v, with A symmetric and positive semi-definite. `out` is another vector than v, of any size.
  virtual void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const = 0;
  // out = M^-1 v, with M symmetric, positive definite and near A.
  virtual void Precondition(const Eigen::VectorXd& v, Eigen::VectorXd& out) const = 0;
};

struct CgOptions {
  double tolerance = 1e-6;  // of the residual in the norm of M^-1, relative to that at x = 0
  int max_iterations = 10000;
};

struct CgResult {
  int iterations = 0;
  bool converged = false;
};

// Minimises x^T A x / 2 - b^T x over x = P x, from x = 0. Every iterate lowers that, so it is a direction of descent
// whenever it is not 0, converged or not.
CgResult SolveProjected(const LinearSystem& A, const Projector& P, const Eigen::VectorXd& b, const CgOptions& options,
                        Eigen::VectorXd& x);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_CONJUGATE_GRADIENTS_H_
