#include "sinew/offline/elasticity/conjugate_gradients.h"

namespace sinew::elasticity {

CgResult SolveProjected(const LinearSystem& A, const Projector& P, const Eigen::VectorXd& b, const CgOptions& options,
                        Eigen::VectorXd& x) {
  Eigen::VectorXd r = b, s, c, q;
  P.Apply(r);
  A.Precondition(r, s);
  P.Apply(s);
  c = s;
  double delta = r.dot(s);
  const double target = options.tolerance * options.tolerance * delta;
  x = Eigen::VectorXd::Zero(b.size());
  CgResult result;
  while (!(result.converged = delta <= target) && result.iterations < options.max_iterations) {
    A.Multiply(c, q);
    P.Apply(q);
    const double curvature = c.dot(q);
    // A has no curvature along c, a direction that only rounding could lead to. Before the first step c is returned,
    // because it is still a descent direction.
    if (!(curvature > 0)) {
      if (result.iterations == 0) x = c;
      break;
    }
    const double alpha = delta / curvature;
    x += alpha * c;
    r -= alpha * q;
    A.Precondition(r, s);
    P.Apply(s);
    const double next = r.dot(s);
    c = s + next / delta * c;
    delta = next;
    ++result.iterations;
  }
  return result;
}

}  // namespace sinew::elasticity
