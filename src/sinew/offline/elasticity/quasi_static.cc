#include "sinew/offline/elasticity/quasi_static.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::VectorXd;

// A step must lower the energy by this share of what its slope promises (Armijo).
constexpr double kArmijo = 1e-4;
constexpr double kShortestStep = 1e-8;
// Forces below this share of ForceScale are rounding.
constexpr double kNoForce = 1e-10;
// Changes of energy below this share of EnergyScale are rounding.
constexpr double kEnergyRounding = 1e-14;

double LongestMove(const VectorXd& step) {
  return step.size() == 0 ? 0 : step.reshaped<Eigen::RowMajor>(step.size() / 3, 3).rowwise().norm().maxCoeff();
}

}  // namespace

// Elastic energy less the work of the forces since the start: counted from the origin, its rounding would grow with the
// distance from there.
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
  bool is_last = false;
  while (report.newton_steps < options_.max_newton_steps) {
    objective.Gradient(x, gradient);
    projector.Apply(gradient);
    if (gradient.lpNorm<Eigen::Infinity>() <= kNoForce * body_.ForceScale()) {
      report.status = SolveStatus::kConverged;
      break;
    }
    body_.Hessian(x, hessian);
    const CgOptions cg{.tolerance = is_last ? options_.last_cg_tolerance : options_.cg_tolerance,
                       .max_iterations = options_.max_cg_iterations};
    report.cg_iterations += SolveProjected(hessian, projector, -gradient, cg, step).iterations;
    report.last_step = LongestMove(step);
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
