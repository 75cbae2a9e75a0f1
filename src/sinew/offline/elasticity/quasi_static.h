// Solver for the static equilibrium of an elastic body under given forces, by Newton's method (newton.h).
#ifndef SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_
#define SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_

#include "sinew/offline/elasticity/elastic_body.h"
#include "sinew/offline/elasticity/newton.h"

namespace sinew::elasticity {

// Steps are relative to the diagonal of the rest shape's bounding box.
using QuasiStaticOptions = NewtonOptions;

// Energies are those of the body minus the work of the forces.
struct SolveReport : NewtonReport {
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
  ElasticBody body_;
  QuasiStaticOptions options_;
  double diagonal_;  // length of the diagonal of the rest shape's bounding box
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_QUASI_STATIC_H_
