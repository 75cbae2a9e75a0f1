#include "sinew/dynamics/simulation.h"

#include <cmath>
#include <cstring>

#include "sinew/dynamics/dense.h"
#include "sinew/runtime/base/block_checks.h"

namespace sinew::dynamics {
namespace {

using runtime::Status;

constexpr double kLargestNumber = 1e6;
// Newton's method ends when a step of it moves the body by less than this share of its size.
constexpr double kTolerance = 1e-6;
// Share of the predicted decrease that a step along a direction must reach.
constexpr double kSufficient = 1e-4;

bool Within(double value, double least, double most) { return value >= least && value <= most; }

bool AllWithin(const double* values, size_t count, double most) {
  bool within = true;
  for (size_t i = 0; i < count; ++i) within &= Within(values[i], -most, most);
  return within;
}

template <int D>
bool TargetIsSound(const TargetOf<D>& target, const ObjectTable::Handle& handle) {
  const size_t numbers = handle.kind == HandleKind::kFrame ? D * (D + 1) : D;
  return Within(target.stiffness, 0, 1e12) && AllWithin(target.numbers, numbers, kLargestNumber);
}

template <int D>
bool CanOpen(const ObjectTable& object, int field_width) {
  const int widest = D == 2 ? static_cast<int>(FieldTable::kMaxWidth) : 0;
  return object.is_open() && object.dimension() == D && field_width >= 0 && field_width <= widest;
}

}  // namespace

template <int D>
size_t SimulationOf<D>::ScratchBytes(const ObjectTable& object, int field_width) noexcept {
  if (!CanOpen<D>(object, field_width)) return 0;
  Parts parts(nullptr);
  SimulationOf counted;
  counted.object_ = &object;
  counted.TakeParts(parts, field_width);
  return parts.bytes();
}

template <int D>
void SimulationOf<D>::TakeParts(Parts& parts, int field_width) noexcept {
  for (double** numbers : {&state_, &velocity_, &inertial_, &current_, &trial_, &gradient_, &direction_}) {
    parts.Take(size(), numbers);
  }
  parts.Take(size() / D, &moments_);
  parts.Take(size() * size(), &hessian_);
  parts.Take(static_cast<size_t>(object_->point_count()), &friction_);
  parts.Take(static_cast<size_t>(object_->handle_count()), &targets_);
  if (field_width == 0) return;
  dents_.Take(*object_, field_width, parts);
  const size_t corners = 3 * static_cast<size_t>(object_->element_count());
  for (double** numbers : {&dent_before_, &dent_velocity_, &dent_start_}) parts.Take(2 * corners, numbers);
}

template <int D>
Status SimulationOf<D>::Open(const ObjectTable& object, std::span<std::byte> scratch, int field_width) noexcept {
  if (!CanOpen<D>(object, field_width) || reinterpret_cast<uintptr_t>(scratch.data()) % runtime::kBlockAlignment != 0) {
    return Status::kInvalidArgument;
  }
  if (scratch.size() < ScratchBytes(object, field_width)) return Status::kInsufficientSpace;
  SimulationOf opened;
  opened.object_ = &object;
  Parts parts(scratch.data());
  opened.TakeParts(parts, field_width);
  if (field_width > 0 && !opened.dents_.Open()) return Status::kInvalidArgument;

  // Without a positive mass for every motion, a step would have no minimum.
  const int count = object.basis_count();
  std::memcpy(opened.hessian_, object.mass(), static_cast<size_t>(count) * count * sizeof(double));
  if (!FactorCholesky(opened.hessian_, count)) return Status::kInvalidArgument;
  for (int k = 0; k < count; ++k) {
    opened.moments_[k] = 0;
    for (int h = 0; h < object.handle_count(); ++h) {
      opened.moments_[k] += object.mass()[static_cast<size_t>(k) * count + object.PositionBasis(h)];
    }
  }
  for (int h = 0; h < object.handle_count(); ++h) opened.mass_ += opened.moments_[object.PositionBasis(h)];
  if (!(opened.mass_ > 0)) return Status::kInvalidArgument;
  object.RestState(opened.state_);
  for (size_t i = 0; i < opened.size(); ++i) opened.velocity_[i] = 0;
  *this = opened;
  return Status::kOk;
}

template <int D>
Status SimulationOf<D>::SetState(std::span<const double> state, std::span<const double> velocity) noexcept {
  if (object_ == nullptr || state.size() != size() || velocity.size() != size() ||
      !AllWithin(state.data(), size(), kLargestNumber) || !AllWithin(velocity.data(), size(), kLargestNumber)) {
    return Status::kInvalidArgument;
  }
  std::memcpy(state_, state.data(), size() * sizeof(double));
  std::memcpy(velocity_, velocity.data(), size() * sizeof(double));
  for (bool& was_on : was_on_) was_on = false;
  dents_.Clear();
  dents_known_ = false;
  collider_count_ = 0;
  return Status::kOk;
}

template <int D>
Status SimulationOf<D>::Positions(std::span<double> out) const noexcept {
  if (object_ == nullptr || out.size() < D * static_cast<size_t>(object_->node_count())) {
    return Status::kInvalidArgument;
  }
  const SparseRows nodes = object_->nodes();
  for (int i = 0; i < object_->node_count(); ++i) {
    PositionOf<D>(nodes, i, state_, &out[D * static_cast<size_t>(i)]);
  }
  if constexpr (D == 2) {
    if (dents_.is_open()) dents_.AddToNodes(LastColliders(), state_, out.data());
  }
  return Status::kOk;
}

template <int D>
StepReport SimulationOf<D>::Step(const StepInputOf<D>& input) noexcept {
  StepReport report;
  if (object_ == nullptr || !Within(input.seconds, 1e-6, 1) || !AllWithin(input.gravity, D, 1e4) ||
      input.colliders.size() > kMaxColliders) {
    report.flags = kBadStep;
    return report;
  }
  const std::span<const ColliderOf<D>> colliders(colliders_, TakeColliders(input.colliders, report));
  const bool driven = TakeTargets(input.targets, report);
  Lag(colliders);

  // Q*: where inertia and gravity alone would take it. A shift of all positions shifts the whole body.
  const double h = input.seconds;
  for (int i = 0; i < count(); ++i) inertial_[i] = state_[i] + h * velocity_[i];
  for (int j = 0; j < object_->handle_count(); ++j) {
    for (int r = 0; r < D; ++r) inertial_[D * object_->PositionBasis(j) + r] += h * h * input.gravity[r];
  }
  IncrementalPotentialOf<D> potential;
  potential.object = object_;
  potential.seconds = h;
  potential.start = inertial_;
  potential.colliders = colliders;
  if (driven) potential.targets = {targets_, static_cast<size_t>(object_->handle_count())};
  if (!colliders.empty()) potential.friction = {friction_, static_cast<size_t>(object_->point_count())};
  potential.slip = kStickSpeed * object_->header().size * h;
  BeginDents(colliders, h, potential);

  const double energy = ChooseStart(potential, input, report);
  if (std::isfinite(energy)) Minimise(potential, energy, report);
  if (!std::isfinite(energy) || !AllWithin(current_, size(), kLargestNumber)) {
    report.flags |= kTooFast;
    std::memcpy(current_, state_, size() * sizeof(double));
  }
  EndDents(colliders, h);
  for (int i = 0; i < count(); ++i) {
    velocity_[i] = (current_[i] - state_[i]) / h;
    state_[i] = current_[i];
  }
  for (size_t c = 0; c < kMaxColliders; ++c) {
    was_on_[c] = c < colliders.size() && colliders[c].on;
    if (was_on_[c]) before_[c] = colliders[c].pose;
  }
  report.touching = CountTouching(colliders);
  return report;
}

// Makes dents part of the potential, if there are any colliders with fields or were in the step before. Points and
// friction of the step before must have been used already.
template <int D>
void SimulationOf<D>::BeginDents(std::span<const ColliderOf<D>> colliders, double seconds,
                                 IncrementalPotentialOf<D>& potential) noexcept {
  if (!dents_.is_open()) return;
  potential.dents = &dents_;
  const size_t numbers = 2 * static_cast<size_t>(dents_.corner_count());
  if (!dents_known_) {
    if constexpr (D == 2) dents_.Evaluate(colliders, state_, false);
    for (size_t i = 0; i < numbers; ++i) {
      const auto site = static_cast<int>(i / 2);
      dent_before_[i] = dents_.moves(site) ? dents_.u(site)[i % 2] : 0;
      dent_velocity_[i] = 0;
    }
    dents_known_ = true;
  }
  bool any = false;
  for (size_t i = 0; i < numbers; ++i) {
    dent_start_[i] = dent_before_[i] + seconds * dent_velocity_[i];
    any |= dent_start_[i] != 0;
  }
  if (any) potential.dents_start = dent_start_;
}

// Leaves the dents of the state that was found, and their velocity.
template <int D>
void SimulationOf<D>::EndDents(std::span<const ColliderOf<D>> colliders, double seconds) noexcept {
  if (!dents_.is_open()) return;
  if constexpr (D == 2) dents_.Evaluate(colliders, current_, false);
  for (int s = 0; s < dents_.corner_count(); ++s) {
    for (int r = 0; r < 2; ++r) {
      const double u = dents_.moves(s) ? dents_.u(s)[r] : 0;
      dent_velocity_[2 * s + r] = (u - dent_before_[2 * s + r]) / seconds;
      dent_before_[2 * s + r] = u;
    }
  }
}

// Copies the colliders of this step; those that are bad are switched off. Returns 0 if all are off.
template <int D>
size_t SimulationOf<D>::TakeColliders(std::span<const ColliderOf<D>> given, StepReport& report) noexcept {
  bool any = false;
  for (size_t c = 0; c < given.size(); ++c) {
    colliders_[c] = given[c];
    if (!given[c].on) continue;
    if (!TakeField(colliders_[c])) report.flags |= kBadField;
    if (!colliders_[c].IsSound()) {
      colliders_[c].on = false;
      report.flags |= kBadCollider;
      continue;
    }
    Normalise(&colliders_[c].pose);
    any = true;
  }
  collider_count_ = any ? given.size() : 0;
  return collider_count_;
}

// Gives a collider the shape of its field, if it has one; returns false, and takes the field away, if it cannot act.
template <int D>
bool SimulationOf<D>::TakeField(ColliderOf<D>& collider) const noexcept {
  if constexpr (D == 2) {
    if (collider.field == nullptr) return true;
    if (!dents_.Accepts(*collider.field)) {
      collider.field = nullptr;
      return false;
    }
    collider.shape = ColliderShape::kPolygon;
    collider.corners = collider.field->corners();
    collider.corner_count = collider.field->corner_count();
    collider.rounding = collider.field->header().rounding;
  }
  return true;
}

// Position of a contact point where the last step ended.
template <int D>
void SimulationOf<D>::PointAt(int i, double* x) const noexcept {
  PositionOf<D>(object_->points(), i, state_, x);
  if constexpr (D == 2) dents_.AddToPoint(i, &x[0], &x[1]);
}

// Copies the targets; those that are bad let their handles go. Returns whether any drives.
template <int D>
bool SimulationOf<D>::TakeTargets(std::span<const TargetOf<D>> given, StepReport& report) noexcept {
  if (given.empty()) return false;
  if (given.size() != static_cast<size_t>(object_->handle_count())) {
    report.flags |= kBadTarget;
    return false;
  }
  bool driven = false;
  for (size_t h = 0; h < given.size(); ++h) {
    targets_[h] = given[h];
    if (!TargetIsSound(given[h], object_->handle(static_cast<int>(h)))) {
      targets_[h] = TargetOf<D>{};
      report.flags |= kBadTarget;
    }
    driven |= targets_[h].stiffness > 0;
  }
  return driven;
}

// Friction of this step: normal forces where the last one ended, at the collider that each point is deepest in.
template <int D>
void SimulationOf<D>::Lag(std::span<const ColliderOf<D>> colliders) noexcept {
  if (colliders.empty()) return;
  for (int i = 0; i < object_->point_count(); ++i) {
    double x[D];
    PointAt(i, x);
    const double k = object_->header().contact_stiffness * object_->point_measures()[i];
    friction_[i] = LagFriction<D>(colliders, before_, was_on_, k, x);
  }
}

// Sets the first iterate: of Q*, the last state moved as a whole, and, in contact, the last state, the one with the
// smallest energy. The first two have the momentum that the step must end with, which Newton's method then keeps.
template <int D>
double SimulationOf<D>::ChooseStart(const IncrementalPotentialOf<D>& potential, const StepInputOf<D>& input,
                                    StepReport& report) noexcept {
  std::memcpy(current_, inertial_, size() * sizeof(double));
  double best = potential.Energy(current_);
  double shift[D];
  MassMean(velocity_, shift);
  std::memcpy(trial_, state_, size() * sizeof(double));
  for (int h = 0; h < object_->handle_count(); ++h) {
    for (int r = 0; r < D; ++r) {
      trial_[D * object_->PositionBasis(h) + r] += input.seconds * (shift[r] + input.seconds * input.gravity[r]);
    }
  }
  report.evaluations = 2;
  const auto take = [&](const double* candidate) {
    const double energy = potential.Energy(candidate);
    if (!(energy < best) && std::isfinite(best)) return;
    best = energy;
    std::memcpy(current_, candidate, size() * sizeof(double));
  };
  take(trial_);
  if (potential.colliders.empty() && potential.targets.empty()) return best;
  ++report.evaluations;
  take(state_);
  return best;
}

// Sets gradient and factored Hessian at the iterate; returns false if the Hessian is not positive.
template <int D>
bool SimulationOf<D>::Factor(IncrementalPotentialOf<D> potential) noexcept {
  potential.GradientAndHessian(current_, gradient_, hessian_);
  if (FactorCholesky(hessian_, count())) return true;
  if (potential.dents == nullptr || !potential.dents->acts()) return false;
  potential.convex = true;
  potential.GradientAndHessian(current_, gradient_, hessian_);
  return FactorCholesky(hessian_, count());
}

template <int D>
void SimulationOf<D>::Minimise(const IncrementalPotentialOf<D>& potential, double energy, StepReport& report) noexcept {
  const double enough = kTolerance * object_->header().size;
  for (report.iterations = 1; report.iterations <= kMaxIterations; ++report.iterations) {
    if (!Factor(potential)) break;
    for (int i = 0; i < count(); ++i) direction_[i] = -gradient_[i];
    SolveCholesky(hessian_, count(), direction_);
    const double slope = Dot(gradient_, direction_, count());
    const bool small = Movement(direction_) <= enough;
    double share = 1, next = energy;
    bool found = false;
    for (int halving = 0; !found && halving <= kMaxHalvings; ++halving, share /= 2) {
      for (int i = 0; i < count(); ++i) trial_[i] = current_[i] + share * direction_[i];
      next = potential.Energy(trial_);
      ++report.evaluations;
      // Below rounding a decrease cannot be seen; a step as small as that is taken on trust.
      found = next <= energy + kSufficient * share * slope ||
              (small && next <= energy + 1e-12 * std::fabs(energy) + 1e-300);
      if (found) break;
    }
    if (found) {
      std::memcpy(current_, trial_, size() * sizeof(double));
      energy = next;
    }
    if (small || !found) {
      if (!small) report.flags |= kNotConverged;
      return;
    }
  }
  --report.iterations;
  report.flags |= kNotConverged;
}

template <int D>
int SimulationOf<D>::CountTouching(std::span<const ColliderOf<D>> colliders) const noexcept {
  int touching = 0;
  for (int i = 0; !colliders.empty() && i < object_->point_count(); ++i) {
    double x[D];
    PointAt(i, x);
    bool inside = false;
    for (const ColliderOf<D>& collider : colliders) {
      inside |= collider.on && !collider.IsFar(collider.pose, x) && collider.Distance(collider.pose, x).distance < 0;
    }
    touching += inside;
  }
  return touching;
}

template <int D>
double SimulationOf<D>::MassProduct(const double* a, const double* b) const noexcept {
  const int functions = object_->basis_count();
  double sum = 0;
  for (int k = 0; k < functions; ++k) {
    const double* mass = object_->mass() + static_cast<size_t>(k) * functions;
    for (int l = 0; l < functions; ++l) sum += mass[l] * Dot(a + D * k, b + D * l, D);
  }
  return sum;
}

template <int D>
double SimulationOf<D>::Movement(const double* direction) const noexcept {
  const double square = MassProduct(direction, direction) / mass_;
  return square > 0 ? std::sqrt(square) : 0;
}

template <int D>
void SimulationOf<D>::MassMean(const double* numbers, double out[D]) const noexcept {
  for (int r = 0; r < D; ++r) out[r] = 0;
  for (int k = 0; k < object_->basis_count(); ++k) {
    for (int r = 0; r < D; ++r) out[r] += moments_[k] * numbers[D * k + r] / mass_;
  }
}

template <int D>
double SimulationOf<D>::KineticEnergy() const noexcept {
  if (object_ == nullptr) return 0;
  double energy = MassProduct(velocity_, velocity_) / 2;
  for (int s = 0; dents_known_ && s < dents_.corner_count(); ++s) {
    double x[D], sum = 0;
    PositionOf<D>(object_->nodes(), dents_.node(s), velocity_, x);
    const double* u = dent_velocity_ + 2 * static_cast<size_t>(s);
    for (int r = 0; r < 2; ++r) sum += (x[r] + u[r] / 2) * u[r];
    energy += dents_.corner_mass(s) * sum;
  }
  return energy;
}

template <int D>
double SimulationOf<D>::StoredEnergy() const noexcept {
  return object_ == nullptr ? 0 : ElasticEnergy<D>(*object_, dents_.is_open() ? &dents_ : nullptr, state_);
}

template <int D>
double SimulationOf<D>::HeightEnergy(const double gravity[D]) const noexcept {
  double centre[D];
  Centre(centre);
  return -mass_ * Dot(gravity, centre, D);
}

template <int D>
void SimulationOf<D>::Momentum(double out[D]) const noexcept {
  for (int r = 0; r < D; ++r) out[r] = 0;
  if (object_ == nullptr) return;
  MassMean(velocity_, out);
  for (int r = 0; r < D; ++r) {
    out[r] *= mass_;
    for (int s = 0; dents_known_ && s < dents_.corner_count(); ++s) {
      out[r] += dents_.corner_mass(s) * dent_velocity_[2 * s + r];
    }
  }
}

template <int D>
void SimulationOf<D>::Centre(double out[D]) const noexcept {
  for (int r = 0; r < D; ++r) out[r] = 0;
  if (object_ == nullptr) return;
  MassMean(state_, out);
  for (int s = 0; dents_known_ && s < dents_.corner_count(); ++s) {
    for (int r = 0; r < D; ++r) out[r] += dents_.corner_mass(s) * dent_before_[2 * s + r] / mass_;
  }
}

template class SimulationOf<2>;
template class SimulationOf<3>;

}  // namespace sinew::dynamics
