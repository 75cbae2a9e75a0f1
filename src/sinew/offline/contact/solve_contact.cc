#include "sinew/offline/contact/solve_contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::contact {
namespace {

using Eigen::VectorXd;

// Largest depth as a share of the smaller of collider and thickness.
constexpr double kMaxDepth = 0.4;
// Share of the largest step that is taken: some depth may be left from the step before.
constexpr double kStepShare = 0.5;
// Share of the triangles or tetrahedra that may be inverted in a solution. Where a corner slides along the surface it
// may fold one, which the material survives and which moves nothing else.
// In space a corner has several tetrahedra around it.
constexpr double kMaxInverted = 2e-3, kMaxInvertedInSpace = 1e-2;

// In space an edge of the collider that slides over a coarse surface may take over 80 steps.
elasticity::NewtonOptions SolverOptions(const ContactObject& object) {
  return {.step_tolerance = 2e-5, .max_newton_steps = object.dimension() == 2 ? 80 : 300};
}

}  // namespace

VectorXd RelaxState(const ContactObject& object, const VectorXd& state) {
  const std::unique_ptr<ContactProblem> problem = object.MakeProblem();
  VectorXd x = object.subspace.Positions(state);
  const elasticity::NewtonReport report = Minimise(*problem, object.null_space, SolverOptions(object), x);
  if (report.status != elasticity::SolveStatus::kConverged || problem->InvertedShare(x) > 0) {
    throw FailedError("the body has no equilibrium in a state of its handles; bend it less");
  }
  return x;
}

ContactLine FindContactLine(const ContactObject& object, const VectorXd& positions, const Approach& approach) {
  ContactLine line;
  line.normal = object.NormalAt(positions, approach.place);
  const double thickness = object.ThicknessBelow(positions, approach.place, -line.normal);
  line.max_depth = kMaxDepth * std::min(object.collider_size, thickness);
  // Sphere tracing: the smallest gap is a distance that the collider can go without touching.
  const std::unique_ptr<ContactProblem> problem = object.MakeProblem();
  const double start = 2 * object.collider_radius(), exact = 1e-6 * object.collider_radius();
  double height = start;
  for (int step = 0; step < 200 && height > -start; ++step) {
    line.touch = object.PlaceAt(positions, approach.place) + height * line.normal;
    problem->SetPose(approach.turn, line.touch);
    const double gap = problem->SmallestGap(positions);
    if (gap <= exact) {
      line.reachable = step > 0;
      return line;
    }
    height -= gap;
  }
  return line;
}

std::vector<ContactSolution> SolveDepths(const ContactObject& object, const VectorXd& positions,
                                         const ContactLine& line, const Turn& turn, const std::vector<double>& depths) {
  const std::unique_ptr<ContactProblem> problem = object.MakeProblem();
  const double max_inverted = object.dimension() == 2 ? kMaxInverted : kMaxInvertedInSpace;
  std::vector<ContactSolution> solutions;
  VectorXd x = positions;
  double reached = 0;
  for (const double depth : depths) {
    ContactSolution solution;
    const int fewest = std::max(1, static_cast<int>(std::ceil((depth - reached) / (kStepShare * object.max_step()))));
    for (const int parts : {fewest, 2 * fewest, 4 * fewest}) {
      VectorXd moved = x;
      solution.converged = true;
      for (int part = 1; part <= parts && solution.converged; ++part) {
        problem->SetPose(turn, line.At(reached + (depth - reached) * part / parts));
        const elasticity::NewtonReport report = Minimise(*problem, object.null_space, SolverOptions(object), moved);
        solution.newton_steps += report.newton_steps;
        solution.cg_iterations += report.cg_iterations;
        solution.converged = report.status == elasticity::SolveStatus::kConverged;
      }
      solution.converged = solution.converged && problem->InvertedShare(moved) <= max_inverted;
      if (!solution.converged) continue;
      x = moved;
      reached = depth;
      break;
    }
    solution.u = x - positions;
    solution.deepest = problem->DeepestDepth(x);
    solutions.push_back(std::move(solution));
  }
  return solutions;
}

}  // namespace sinew::contact
