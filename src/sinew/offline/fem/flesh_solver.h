// The rest of flesh around a posed core: a minimum of energy by Newton's method.
#ifndef SINEW_OFFLINE_FEM_FLESH_SOLVER_H_
#define SINEW_OFFLINE_FEM_FLESH_SOLVER_H_

#include <vector>

#include "sinew/offline/fem/flesh_body.h"
#include "sinew/offline/fem/flesh_lattice.h"
#include "sinew/offline/fem/quasi_static.h"

namespace sinew::fem {

// One pose of the joints, as the solver needs it.
struct FleshPose {
  std::vector<Eigen::Affine3d> motions;  // one per joint: from rest to the pose
  std::vector<DualQuaternion> joints;    // the nearest rigid ones
  std::vector<DualQuaternion> nodes;     // blended, one per node
  std::vector<FrameChange> changes;      // one per tetrahedron
  std::vector<Eigen::Vector3d> core;     // where each core point is to be, in the frame of its place (z)
};

struct FleshSolverOptions {
  double tolerance = 1e-4;  // see QuasiStaticOptions::step_tolerance; in the positions' unit
  int max_newton_steps = 60;
  double cg_tolerance = 0.1;
  double last_cg_tolerance = 1e-2;
  int max_cg_iterations = 1000;
};

class FleshSolver {
 public:
  FleshSolver(const FleshLattice& lattice, const StableNeoHookean& material);

  const FleshBody& body() const { return body_; }
  FleshPose MakePose(std::vector<Eigen::Affine3d> motions) const;
  // z: in, where to start; out, the solution or the best so far.
  SolveReport Solve(const FleshPose& pose, const FleshSolverOptions& options, Nodes& z) const;
  // Those that are mostly flesh.
  int InvertedCount(const FleshPose& pose, const Nodes& z) const;

 private:
  double Energy(const FleshPose& pose, const Nodes& z) const;
  void Gradient(const FleshPose& pose, const Nodes& z, Eigen::VectorXd& gradient) const;

  const FleshLattice& lattice_;
  FleshBody body_;
  std::vector<double> stiffness_;  // of each core point
  BlockMatrix core_matrix_;
};

}  // namespace sinew::fem

#endif  // SINEW_OFFLINE_FEM_FLESH_SOLVER_H_
