#include "sinew/offline/scenes/full_space.h"

#include <algorithm>
#include <array>

namespace sinew::scenes {
namespace {

using dynamics::Collider;
using dynamics::ObjectTable;
using dynamics::PointTerm;
using Eigen::Vector2d;
using Eigen::VectorXd;

// Newton's method ends when a step of it moves no node by more than this share of the object's size, which is the
// subspace's tolerance of the root mean square.
constexpr double kTolerance = 1e-6;
constexpr int kMaxSteps = 60;

elasticity::PlaneBody BodyOf(const ObjectTable& object) {
  elasticity::PlaneMesh mesh;
  mesh.positions = Eigen::Map<const elasticity::PlaneNodes>(object.rest(), object.node_count(), 2);
  mesh.triangles.resize(object.triangle_count(), 3);
  for (int t = 0; t < object.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) mesh.triangles(t, k) = static_cast<int>(object.triangles()[3 * t + k]);
  }
  // Constants of linear elasticity; the table holds those of the stable Neo-Hookean material.
  const double mu = 0.75 * object.header().mu, lambda = object.header().lambda - 5.0 / 6 * mu;
  return {mesh, mu * (3 * lambda + 2 * mu) / (lambda + mu), lambda / (2 * (lambda + mu))};
}

}  // namespace

FullPotential::FullPotential(const ObjectTable& object) : object_(object), body_(BodyOf(object)) {
  for (int t = 0; t < object.triangle_count(); ++t) {
    const auto at = [&](int k) { return Vector2d(object.rest() + 2 * size_t{object.triangles()[3 * t + k]}); };
    const Vector2d a = at(1) - at(0), b = at(2) - at(0);
    areas_.push_back((a[0] * b[1] - a[1] * b[0]) / 2);
  }
}

double FullPotential::ForceScale() const { return body_.material().mu() * Length(); }
double FullPotential::EnergyScale() const { return body_.material().mu() * body_.area(); }

void FullPotential::Begin(double seconds, const VectorXd& inertial, std::span<const Collider> colliders,
                          std::span<const dynamics::Friction> friction) {
  seconds_ = seconds;
  inertial_ = inertial;
  colliders_ = colliders;
  friction_ = friction;
  slip_ = dynamics::kStickSpeed * Length() * seconds;
}

// Consistent mass of linear triangles, as the subspace's is: density area / 12 times 2 on the diagonal and 1 beside it.
VectorXd FullPotential::MassTimes(const VectorXd& v) const {
  VectorXd out = VectorXd::Zero(v.size());
  for (int t = 0; t < object_.triangle_count(); ++t) {
    const uint32_t* nodes = object_.triangles() + 3 * static_cast<size_t>(t);
    Vector2d sum = Vector2d::Zero();
    for (int k = 0; k < 3; ++k) sum += v.segment<2>(2 * nodes[k]);
    const double share = object_.header().density * areas_[t] / 12;
    for (int k = 0; k < 3; ++k) out.segment<2>(2 * nodes[k]) += share * (sum + v.segment<2>(2 * nodes[k]));
  }
  return out;
}

FullPotential::Ends FullPotential::EndsOf(int point) const {
  const uint32_t* edge = object_.boundary() + 2 * size_t{object_.edges()[point]};
  const double share = object_.shares()[point];
  return {{static_cast<int>(edge[0]), static_cast<int>(edge[1])}, {1 - share, share}};
}

Vector2d FullPotential::PointAt(const VectorXd& x, int point) const {
  const Ends ends = EndsOf(point);
  return ends.weights[0] * x.segment<2>(2 * ends.nodes[0]) + ends.weights[1] * x.segment<2>(2 * ends.nodes[1]);
}

PointTerm FullPotential::TermOf(const VectorXd& x, int point) const {
  const Vector2d at = PointAt(x, point);
  PointTerm term;
  dynamics::AddContact<2>(colliders_, Stiffness(point), at.data(), term);
  dynamics::AddFriction<2>(friction_[point], slip_, at.data(), term);
  return term;
}

double FullPotential::Energy(const VectorXd& x) const {
  const VectorXd off = x - inertial_;
  double energy = body_.Energy(x) + off.dot(MassTimes(off)) / (2 * seconds_ * seconds_);
  for (int i = 0; i < object_.point_count(); ++i) {
    const Vector2d at = PointAt(x, i);
    energy += dynamics::ContactEnergy<2>(colliders_, Stiffness(i), at.data());
    energy += dynamics::FrictionEnergy<2>(friction_[i], slip_, at.data());
  }
  return energy;
}

void FullPotential::Gradient(const VectorXd& x, VectorXd& gradient) const {
  body_.Gradient(x, gradient);
  gradient += MassTimes(x - inertial_) / (seconds_ * seconds_);
  for (int i = 0; i < object_.point_count(); ++i) {
    const PointTerm term = TermOf(x, i);
    if (!term.acts) continue;
    const Ends ends = EndsOf(i);
    for (int a = 0; a < 2; ++a) gradient.segment<2>(2 * ends.nodes[a]) += ends.weights[a] * Vector2d(term.slope);
  }
}

const elasticity::LinearSystem& FullPotential::Hessian(const VectorXd& x) {
  body_.Hessian(x, hessian_);
  for (int t = 0; t < object_.triangle_count(); ++t) {
    const uint32_t* nodes = object_.triangles() + 3 * static_cast<size_t>(t);
    const double share = object_.header().density * areas_[t] / (12 * seconds_ * seconds_);
    for (int k = 0; k < 9; ++k) {
      hessian_.Add(static_cast<int>(nodes[k / 3]), static_cast<int>(nodes[k % 3]),
                   (k / 3 == k % 3 ? 2 : 1) * share * Eigen::Matrix2d::Identity());
    }
  }
  for (int i = 0; i < object_.point_count(); ++i) {
    const PointTerm term = TermOf(x, i);
    if (!term.acts) continue;
    const Eigen::Matrix2d block = Eigen::Map<const Eigen::Matrix2d>(&term.curvature[0][0]);
    const Ends ends = EndsOf(i);
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        hessian_.Add(ends.nodes[a], ends.nodes[b], ends.weights[a] * ends.weights[b] * block);
      }
    }
  }
  hessian_.Finish();
  return hessian_;
}

FullSpace::FullSpace(const ObjectTable& object)
    : object_(object), potential_(object), friction_(static_cast<size_t>(object.point_count())) {
  x_ = Eigen::Map<const VectorXd>(object.rest(), 2 * static_cast<Eigen::Index>(object.node_count()));
  velocity_ = VectorXd::Zero(x_.size());
}

void FullSpace::Set(const VectorXd& positions, const VectorXd& velocity) {
  x_ = positions;
  velocity_ = velocity;
  before_.clear();
}

dynamics::StepReport FullSpace::Step(const dynamics::StepInput& input) {
  const double h = input.seconds;
  std::array<bool, dynamics::Simulation::kMaxColliders> was_on{};
  for (size_t c = 0; c < input.colliders.size(); ++c) was_on[c] = c < before_.size();
  before_.resize(input.colliders.size());
  for (int i = 0; i < object_.point_count(); ++i) {
    const Vector2d at = potential_.PointAt(x_, i);
    friction_[i] =
        dynamics::LagFriction<2>(input.colliders, before_.data(), was_on.data(), potential_.Stiffness(i), at.data());
  }
  // Positions to which inertia and gravity alone would take the nodes. Newton's method begins there or at the last
  // positions, whichever has less energy.
  VectorXd inertial = x_ + h * velocity_;
  for (Eigen::Index i = 0; i < inertial.size(); ++i) inertial[i] += h * h * input.gravity[i % 2];
  potential_.Begin(h, inertial, input.colliders, friction_);
  VectorXd x = potential_.Energy(inertial) < potential_.Energy(x_) ? inertial : x_;
  const elasticity::NewtonReport solved = Minimise(potential_, elasticity::PinnedNodes({}, 2),
                                                   {.step_tolerance = kTolerance, .max_newton_steps = kMaxSteps}, x);
  velocity_ = (x - x_) / h;
  x_ = x;
  for (size_t c = 0; c < input.colliders.size(); ++c) before_[c] = input.colliders[c].pose;
  dynamics::StepReport report;
  report.iterations = solved.newton_steps;
  report.touching = CountTouching(input.colliders);
  if (solved.status != elasticity::SolveStatus::kConverged) report.flags |= dynamics::kNotConverged;
  return report;
}

void FullSpace::Positions(std::span<double> out) const { std::copy(x_.begin(), x_.end(), out.begin()); }

double FullSpace::KineticEnergy() const { return velocity_.dot(potential_.MassTimes(velocity_)) / 2; }

double FullSpace::HeightEnergy(const double gravity[2]) const {
  VectorXd down(x_.size());
  for (Eigen::Index i = 0; i < down.size(); ++i) down[i] = gravity[i % 2];
  return -down.dot(potential_.MassTimes(x_));
}

int FullSpace::CountTouching(std::span<const Collider> colliders) const {
  int touching = 0;
  for (int i = 0; i < object_.point_count(); ++i) {
    const Vector2d at = potential_.PointAt(x_, i);
    touching += std::any_of(colliders.begin(), colliders.end(), [&](const Collider& collider) {
      return collider.on && collider.Distance(collider.pose, at[0], at[1]).distance < 0;
    });
  }
  return touching;
}

}  // namespace sinew::scenes
