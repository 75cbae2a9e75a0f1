#include "sinew/offline/elasticity/quasi_static.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

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

double LongestMove(const VectorXd& step) {
  return step.size() == 0 ? 0 : step.reshaped<Eigen::RowMajor>(step.size() / 3, 3).rowwise().norm().maxCoeff();
}

}  // namespace

// Elastic energy minus the work of the forces. The work is counted from the start positions: counted from the origin,
// its rounding error would grow with the distance from there.
struct QuasiStaticSolver::Objective {
  const ElasticBody& body;
  const Nodes* forces;
  const Nodes start;

  double Work(const Nodes& x) const { return forces ? forces->cwiseProduct(x - start).sum() : 0; }
  double Energy(const Nodes& x) const { return body.Energy(x) - Work(x); }
  void Gradient(const Nodes& x, VectorXd& gradient) const {
    body.Gradient(x, gradient);
    if (forces) gradient -= forces->reshaped<Eigen::RowMajor>();
  }
};

QuasiStaticSolver::QuasiStaticSolver(const TetMesh& rest, const Elasticity& elasticity,
                                     const QuasiStaticOptions& options)
    : body_(rest, elasticity), options_(options), diagonal_(0) {
  if (rest.node_count() > 0) {
    diagonal_ = (rest.positions.colwise().maxCoeff() - rest.positions.colwise().minCoeff()).norm();
  }
}

double QuasiStaticSolver::LineSearch(const Objective& objective, const VectorXd& gradient, const VectorXd& step,
                                     Nodes& x, double& energy) const {
  const double slope = gradient.dot(step);
  if (!(slope < 0)) return 0;
  const auto move = step.reshaped<Eigen::RowMajor>(x.rows(), 3);
  for (double share = 1; share >= kShortestStep; share /= 2) {
    const Nodes moved = x + share * move;
    const double lower = objective.Energy(moved);
    if (!(lower < energy && lower <= energy + kArmijo * share * slope)) continue;
    x = moved;
    energy = lower;
    return share;
  }
  return 0;
}

SolveReport QuasiStaticSolver::Solve(const Projector& projector, const Nodes* forces, Nodes& x) const {
  if (x.rows() != body_.node_count() || (forces && forces->rows() != x.rows())) {
    throw UsageError(fmt::format("{} positions and {} forces for a body of {} nodes", x.rows(),
                                 forces ? forces->rows() : 0, body_.node_count()));
  }
  if (!x.allFinite() || (forces && !forces->allFinite())) {
    throw UsageError("a position or force is not finite; give the solver finite ones");
  }
  const Objective objective{body_, forces, x};
  SolveReport report;
  ElasticHessian hessian;
  VectorXd gradient, step;
  double energy = objective.Energy(x);
  report.energies.push_back(energy);
  report.status = SolveStatus::kStepLimit;
  bool is_last = false;  // whether this step is solved finely, to confirm that the step before it was small
  while (report.newton_steps < options_.max_newton_steps) {
    // Ends if no force is left.
    objective.Gradient(x, gradient);
    projector.Apply(gradient);
    if (gradient.lpNorm<Eigen::Infinity>() <= kNoForce * body_.ForceScale()) {
      report.status = SolveStatus::kConverged;
      break;
    }
    // Newton step: solves H step = -gradient within the projector's range.
    body_.Hessian(x, hessian);
    const CgOptions cg{.tolerance = is_last ? options_.last_cg_tolerance : options_.cg_tolerance,
                       .max_iterations = options_.max_cg_iterations};
    report.cg_iterations += SolveProjected(hessian, projector, -gradient, cg, step).iterations;
    report.last_step = LongestMove(step);
    // Line search. If no share of the step lowers the energy, rounding or a small step counts as converged.
    const double promised = -gradient.dot(step);
    const double share = LineSearch(objective, gradient, step, x, energy);
    const bool is_small = report.last_step <= options_.step_tolerance * diagonal_;
    if (share == 0) {
      const bool is_rounding = promised <= kEnergyRounding * std::max(body_.EnergyScale(), std::abs(energy));
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
  report.inverted_tets = body_.InvertedCount(x);
  return report;
}

}  // namespace sinew::elasticity
