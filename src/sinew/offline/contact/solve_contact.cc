#include "sinew/offline/contact/solve_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"

namespace sinew::contact {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
using elasticity::PlaneContact;

// Largest depth as a share of the smaller of collider and thickness, and how deep a collider may stay in the body, as a
// share of its size.
constexpr double kMaxDepth = 0.4, kResidualDepth = 0.004;
// Share of the triangles that may be inverted in a solution. Where a corner slides along the boundary it may fold a
// triangle, which the material survives and which moves nothing else.
constexpr double kMaxInverted = 2e-3;

elasticity::NewtonOptions SolverOptions() { return {.step_tolerance = 2e-5, .max_newton_steps = 80}; }

PlaneContact MakeContact(const PlaneObject& object) {
  const double depth = kResidualDepth * object.collider.size();
  return {object.mesh, object.loop, object.collider, elasticity::ContactStiffness(object.young, depth)};
}

Vector2d BoundaryPoint(const PlaneObject& object, const VectorXd& x, int place) {
  const int count = static_cast<int>(object.loop.size());
  return x.segment<2>(2 * object.loop[(place + count) % count]);
}

Vector2d BoundaryNormal(const PlaneObject& object, const VectorXd& x, int place) {
  const Vector2d along = BoundaryPoint(object, x, place + 1) - BoundaryPoint(object, x, place - 1);
  return Vector2d(along[1], -along[0]).normalized();
}

double Cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

// How far a ray from a place of the boundary runs inside the body.
double ThicknessBelow(const PlaneObject& object, const VectorXd& x, int place, const Vector2d& direction) {
  const Vector2d origin = BoundaryPoint(object, x, place);
  double nearest = std::numeric_limits<double>::infinity();
  const int count = static_cast<int>(object.loop.size());
  for (int i = 0; i < count; ++i) {
    if (i == place || i == (place + count - 1) % count) continue;
    const Vector2d a = BoundaryPoint(object, x, i), edge = BoundaryPoint(object, x, i + 1) - a;
    const double denominator = Cross(direction, edge);
    if (denominator == 0) continue;
    const double along = Cross(a - origin, edge) / denominator, t = Cross(a - origin, direction) / denominator;
    if (along > 0 && t >= 0 && t <= 1) nearest = std::min(nearest, along);
  }
  return nearest;
}

}  // namespace

VectorXd RelaxState(const PlaneObject& object, const VectorXd& state) {
  elasticity::PlaneEquilibrium objective(object.body, nullptr, object.Diagonal());
  VectorXd x = object.subspace.Positions(state);
  const elasticity::NewtonReport report = Minimise(objective, object.null_space, SolverOptions(), x);
  if (report.status != elasticity::SolveStatus::kConverged || object.body.InvertedCount(x) > 0) {
    throw FailedError("the body has no equilibrium in a state of its handles; bend it less");
  }
  return x;
}

ContactLine FindContactLine(const PlaneObject& object, const VectorXd& positions, const Approach& approach) {
  ContactLine line;
  line.normal = BoundaryNormal(object, positions, approach.place);
  const double thickness = ThicknessBelow(object, positions, approach.place, -line.normal);
  line.max_depth = kMaxDepth * std::min(object.collider.size(), thickness);
  // Sphere tracing: the smallest gap is a distance that the collider can go without touching.
  PlaneContact contact = MakeContact(object);
  const double start = 2 * object.collider.radius(), exact = 1e-6 * object.collider.radius();
  double height = start;
  for (int step = 0; step < 200 && height > -start; ++step) {
    line.touch = BoundaryPoint(object, positions, approach.place) + height * line.normal;
    contact.SetPose({approach.angle, line.touch});
    const double gap = contact.SmallestGap(positions);
    if (gap <= exact) {
      line.reachable = step > 0;
      return line;
    }
    height -= gap;
  }
  return line;
}

std::vector<ContactSolution> SolveDepths(const PlaneObject& object, const VectorXd& positions, const ContactLine& line,
                                         double angle, const std::vector<double>& depths) {
  PlaneContact contact = MakeContact(object);
  elasticity::PlaneEquilibrium objective(object.body, &contact, object.Diagonal());
  std::vector<ContactSolution> solutions;
  VectorXd x = positions;
  double reached = 0;
  for (const double depth : depths) {
    ContactSolution solution;
    for (const int parts : {1, 2, 4}) {
      VectorXd moved = x;
      solution.converged = true;
      for (int part = 1; part <= parts && solution.converged; ++part) {
        contact.SetPose({angle, line.At(reached + (depth - reached) * part / parts)});
        const elasticity::NewtonReport report = Minimise(objective, object.null_space, SolverOptions(), moved);
        solution.newton_steps += report.newton_steps;
        solution.cg_iterations += report.cg_iterations;
        solution.converged = report.status == elasticity::SolveStatus::kConverged;
      }
      solution.converged =
          solution.converged && object.body.InvertedCount(moved) <= kMaxInverted * object.body.triangle_count();
      if (!solution.converged) continue;
      x = moved;
      reached = depth;
      break;
    }
    solution.u = x - positions;
    solution.deepest = contact.DeepestDepth(x);
    solutions.push_back(std::move(solution));
  }
  return solutions;
}

}  // namespace sinew::contact
