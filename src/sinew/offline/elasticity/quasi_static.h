// Solver for the static equilibrium of an elastic body under given forces. It minimises the energy by Newton's method
// with projected second derivatives, conjugate gradients and a line search.
#ifndef SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_
#define SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_

#include <vector>

#include "sinew/offline/elasticity/elastic_body.h"

namespace sinew::elasticity {

struct QuasiStaticOptions {
  // Largest motion of a node in a full Newton step at convergence, as a share of the diagonal of the rest shape's
  // bounding box. A second step, solved to last_cg_tolerance, has to confirm it: a coarse linear solve can stop before
  // soft parts have moved at all. The solve also ends as converged where the energies of two shapes can no longer be
  // told apart in double precision.
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

struct SolveReport {
  SolveStatus status = SolveStatus::kConverged;
  int newton_steps = 0;
  int cg_iterations = 0;
  // Energies before the first step and after each step, minus the work of the forces; strictly decreasing.
  std::vector<double> energies;
  double last_step = 0;   // largest motion of a node in the last Newton step, in the positions' unit
  int inverted_tets = 0;  // number of inverted tetrahedra in the result
};

// Solves one body many times and keeps what does not depend on positions. The same inputs give the same bits whatever
// the number of threads.
class QuasiStaticSolver {
 public:
  QuasiStaticSolver(const TetMesh& rest, const Elasticity& elasticity, const QuasiStaticOptions& options = {});

  const ElasticBody& body() const { return body_; }

  // Moves the nodes to static equilibrium, within the range of the projector only.
  // x: in, the positions to start from, with pinned nodes at their final places; out, the solution or, if it did not
  // converge, the best shape so far. forces: constant forces in newton, one row per node; null for none.
  // Throws UsageError if sizes differ or if a position or force is not finite.
  SolveReport Solve(const Projector& projector, const Nodes* forces, Nodes& x) const;

 private:
  struct Objective;
  // Moves x and energy along the step by the accepted share of it. Returns that share, 0 if no share is accepted.
  double LineSearch(const Objective& objective, const Eigen::VectorXd& gradient, const Eigen::VectorXd& step, Nodes& x,
                    double& energy) const;

  ElasticBody body_;
  QuasiStaticOptions options_;
  double diagonal_;  // length of the diagonal of the rest shape's bounding box
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_
