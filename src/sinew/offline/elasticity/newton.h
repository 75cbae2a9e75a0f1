// Newton's method for static equilibria: it minimises an energy with projected second derivatives, conjugate gradients
// restricted by a projector, and a line search.
#ifndef SINEW_OFFLINE_ELASTICITY_NEWTON_H_
#define SINEW_OFFLINE_ELASTICITY_NEWTON_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/elasticity/conjugate_gradients.h"
#include "sinew/offline/elasticity/projector.h"

namespace sinew::elasticity {

// Energy as a function of the positions, which are one vector: all coordinates of node 0, then those of node 1.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual double Energy(const Eigen::VectorXd& x) const = 0;
  // Computes the gradient; resizes it.
  virtual void Gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const = 0;
  // Computes a positive semi-definite Hessian at x. What is returned is valid until the next call.
  virtual const LinearSystem& Hessian(const Eigen::VectorXd& x) = 0;

  virtual int dimension() const = 0;       // coordinates per node
  virtual double Length() const = 0;       // length that steps are relative to, such as the diagonal at rest
  virtual double ForceScale() const = 0;   // force that counts as large
  virtual double EnergyScale() const = 0;  // energy to which rounding errors are relative
};

struct NewtonOptions {
  // Largest motion of a node in a full Newton step at convergence, as a share of Objective::Length(). A second step,
  // solved to last_cg_tolerance, has to confirm it: a coarse linear solve can stop before soft parts have moved at all.
  // The solve also ends as converged where the energies of two shapes can no longer be told apart in double precision.
  double step_tolerance = 1e-5;
  int max_newton_steps = 100;
  // Tolerances and limit of the linear solves; see CgOptions.
  double cg_tolerance = 0.1;
  double last_cg_tolerance = 1e-2;
  int max_cg_iterations = 2000;
};

enum class SolveStatus {
  kConverged,
  kStepLimit,  // max_newton_steps were not enough
  kStalled,    // no step along the descent direction lowers the energy
};

struct NewtonReport {
  SolveStatus status = SolveStatus::kConverged;
  int newton_steps = 0;
  int cg_iterations = 0;
  std::vector<double> energies;  // before the first step and after each step; strictly decreasing
  double last_step = 0;          // largest motion of a node in the last Newton step, in the positions' unit
};

// Minimises the energy within the range of the projector.
// x: in, the positions to start from; out, the solution or, if it did not converge, the best positions so far.
NewtonReport Minimise(Objective& objective, const Projector& projector, const NewtonOptions& options,
                      Eigen::VectorXd& x);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_NEWTON_H_
