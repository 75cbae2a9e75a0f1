#include "sinew/offline/elasticity/newton.h"

#include <algorithm>
#include <cmath>

namespace sinew::elasticity {
namespace {

using Eigen::VectorXd;

// Share of the decrease predicted by the slope that a step has to reach (Armijo condition).
constexpr double kArmijo = 1e-4;
constexpr double kShortestStep = 1e-8;
// Share of ForceScale below which forces count as rounding errors.
constexpr double kNoForce = 1e-10;
// Share of EnergyScale below which changes of energy count as rounding errors.
constexpr double kEnergyRounding = 1e-14;

double LongestMove(const VectorXd& step, int dimension) {
  if (step.size() == 0) return 0;
  return step.reshaped<Eigen::RowMajor>(step.size() / dimension, dimension).rowwise().norm().maxCoeff();
}

// Moves x and energy along the step by the accepted share of it. Returns that share, 0 if no share is accepted.
double LineSearch(const Objective& objective, const VectorXd& gradient, const VectorXd& step, VectorXd& x,
                  double& energy) {
  const double slope = gradient.dot(step);
  if (!(slope < 0)) return 0;
  for (double share = 1; share >= kShortestStep; share /= 2) {
    const VectorXd moved = x + share * step;
    const double lower = objective.Energy(moved);
    if (!(lower < energy && lower <= energy + kArmijo * share * slope)) continue;
    x = moved;
    energy = lower;
    return share;
  }
  return 0;
}

}  // namespace

NewtonReport Minimise(Objective& objective, const Projector& projector, const NewtonOptions& options, VectorXd& x) {
  NewtonReport report;
  VectorXd gradient, step;
  double energy = objective.Energy(x);
  report.energies.push_back(energy);
  report.status = SolveStatus::kStepLimit;
  bool is_last = false;  // whether this step is solved finely, to confirm that the step before it was small
  while (report.newton_steps < options.max_newton_steps) {
    // Ends if no force is left.
    objective.Gradient(x, gradient);
    projector.Apply(gradient);
    if (gradient.size() == 0 || gradient.lpNorm<Eigen::Infinity>() <= kNoForce * objective.ForceScale()) {
      report.status = SolveStatus::kConverged;
      break;
    }
    // Newton step: solves H step = -gradient within the projector's range.
    const LinearSystem& hessian = objective.Hessian(x);
    const CgOptions cg{.tolerance = is_last ? options.last_cg_tolerance : options.cg_tolerance,
                       .max_iterations = options.max_cg_iterations};
    report.cg_iterations += SolveProjected(hessian, projector, -gradient, cg, step).iterations;
    report.last_step = LongestMove(step, objective.dimension());
    // Line search. If no share of the step lowers the energy, rounding or a small step counts as converged.
    const double promised = -gradient.dot(step);
    const double share = LineSearch(objective, gradient, step, x, energy);
    const bool is_small = report.last_step <= options.step_tolerance * objective.Length();
    if (share == 0) {
      const bool is_rounding = promised <= kEnergyRounding * std::max(objective.EnergyScale(), std::abs(energy));
      report.status = is_rounding || is_small ? SolveStatus::kConverged : SolveStatus::kStalled;
      break;
    }
    ++report.newton_steps;
    report.energies.push_back(energy);
    // Converged if a finely solved step is small too.
    if (is_last && is_small && share == 1) {
      report.status = SolveStatus::kConverged;
      break;
    }
    is_last = is_small && share == 1;
  }
  return report;
}

}  // namespace sinew::elasticity
