// The shape at which elastic and given forces balance: a minimum of energy, by Newton's method with projected second
// derivatives, conjugate gradients and a line search.
#ifndef SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_
#define SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_

#include <vector>

#include "sinew/offline/elasticity/elastic_body.h"

namespace sinew::elasticity {

struct QuasiStaticOptions {
  // Done when a whole Newton step moves no node further than this share of the rest shape's bounding diagonal, and one
  // that is solved to last_cg_tolerance agrees: a coarse solve can stop before soft parts have moved at all.
  // Where energy can no longer tell two shapes apart in double precision, that is the end, too.
  double step_tolerance = 1e-5;
  int max_newton_steps = 100;
  // Of the linear solves; see CgOptions.
  double cg_tolerance = 0.1;
  double last_cg_tolerance = 1e-2;
  int max_cg_iterations = 2000;
};

enum class SolveStatus {
  kConverged,
  kStepLimit,  // max_newton_steps were not enough
  kStalled,    // no step along the direction of descent lowers the energy
};

struct SolveReport {
  SolveStatus status = SolveStatus::kConverged;
  int newton_steps = 0;
  int cg_iterations = 0;
  std::vector<double>
      energies;           // before the first step and after each, less the forces' work; every one below the last
  double last_step = 0;   // the longest movement of a node, in the positions' unit
  int inverted_tets = 0;  // in the result
};

// Keeps what does not depend on positions, for many solves of one body. The same inputs give the same bits whatever the
// number of threads.
class QuasiStaticSolver {
 public:
  QuasiStaticSolver(const TetMesh& rest, const Elasticity& elasticity, const QuasiStaticOptions& options = {});

  const ElasticBody& body() const { return body_; }

  // x: in, where to start, with pinned nodes where they are to be; out, the solution or the best so far. Nodes move
  // within the projector's range only. forces: newton, one row a node, constant; null for none.
  // UsageError if sizes differ or a position is not finite.
  SolveReport Solve(const Projector& projector, const Nodes* forces, Nodes& x) const;

 private:
  struct Objective;
  // The accepted share of the step, 0 if there is none; x and energy move with it.
  double LineSearch(const Objective& objective, const Eigen::VectorXd& gradient, const Eigen::VectorXd& step, Nodes& x,
                    double& energy) const;

  ElasticBody body_;
  QuasiStaticOptions options_;
  double diagonal_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_
