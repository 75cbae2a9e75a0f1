// Dynamics of a soft object in the subspace of its handles: contact-centric deformation learning (Romero et al. 2022,
// doi 10.1145/3528223.3530182), section 5. A step is one of backward Euler, as the minimum of an energy
// (incremental_potential.h) that Newton's method with a line search finds.
//
// Objects in the plane and in space: D is the number of dimensions, 2 or 3. In space no collider has a field.
//
// Interactive tier: no memory is allocated after Open(), no lock is taken, and a step has a worst case: at most
// kMaxIterations systems of state_size() unknowns are assembled and solved, twice as many with a field, and for each
// iteration the energy is evaluated at most kMaxHalvings + 1 times, beside at most three times at the start. A field of
// a collider adds a run of its network to each energy per site of dents.h that is in its window, and a run forwards and
// backwards to each system. Same object, inputs, build and CPU give the same bits. One simulation must not be used by
// two threads at once; any number of them may share a table.
#ifndef SINEW_DYNAMICS_SIMULATION_H_
#define SINEW_DYNAMICS_SIMULATION_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/dynamics/incremental_potential.h"
#include "sinew/runtime/base/status.h"

namespace sinew::dynamics {

// Faults of a step; several may be set at once.
enum StepFlag : uint32_t {
  kNotConverged = 1,  // the limit of iterations was reached; the state is the best that was found
  kBadCollider = 2,   // a collider has a number that is not finite or out of range, and was ignored
  kBadTarget = 4,     // a target has a number that is not finite or out of range; its handle was free
  kBadStep = 8,       // seconds or gravity are out of range, or there are too many colliders: nothing moved
  kTooFast = 16,      // the energy at the start was not finite; the object was stopped
  kBadField = 32      // a collider's field does not fit the object or the scratch; it acted without it
};

template <int D>
struct StepInputOf {
  double seconds = 1.0 / 60;                      // 1e-6 to 1
  double gravity[D] = {0, -9.81};                 // in metre per square second, at most 1e4
  std::span<const ColliderOf<D>> colliders = {};  // at most kMaxColliders; told apart from step to step by their index
  std::span<const TargetOf<D>> targets = {};      // one per handle, or empty: all handles are free
};

struct StepReport {
  uint32_t flags = 0;
  int iterations = 0;   // of Newton's method
  int evaluations = 0;  // of the energy
  int touching = 0;     // contact points that are inside of a collider at the end
};

template <int D>
class SimulationOf {
 public:
  static constexpr int kMaxColliders = 8;
  static constexpr int kMaxIterations = 12;
  static constexpr int kMaxHalvings = 12;

  SimulationOf() = default;

  // Bytes of scratch that a simulation of the object needs. field_width: largest FieldTable::width() of fields that
  // colliders have; 0: none has a field. 0 for an object of another dimension, or another field_width.
  static size_t ScratchBytes(const ObjectTable& object, int field_width = 0) noexcept;

  // Begins at rest, without velocity. object and scratch must outlive the simulation. scratch: 64-byte aligned.
  // kInvalidArgument: the table is not open or of another dimension, its mass is not positive definite, scratch is
  // misaligned, or field_width is negative, over FieldTable::kMaxWidth, or above 0 for an object in space or one with
  // cubature triangles without an area.
  // kInsufficientSpace: scratch is smaller than ScratchBytes().
  runtime::Status Open(const ObjectTable& object, std::span<std::byte> scratch, int field_width = 0) noexcept;

  // Goes on by a step. Bad input is ignored where it can be, and flagged; the state is finite at all times.
  StepReport Step(const StepInputOf<D>& input) noexcept;

  // Begins anew from a state and its velocity. Returns kInvalidArgument, and changes nothing, for another number than
  // state_size() of each, or for numbers that are not finite or over 1e6.
  runtime::Status SetState(std::span<const double> state, std::span<const double> velocity) noexcept;
  // Empty until the simulation is open.
  std::span<const double> state() const { return {state_, size()}; }
  std::span<const double> velocity() const { return {velocity_, size()}; }

  // Writes the positions of all nodes, D coordinates of each, with the dents of the last step's colliders. out: D
  // numbers per node; kInvalidArgument if it is shorter.
  runtime::Status Positions(std::span<double> out) const noexcept;

  // Kinetic and elastic energy and that of a height in `gravity`, in joule; in the plane all of these are per metre of
  // depth.
  double KineticEnergy() const noexcept;
  double StoredEnergy() const noexcept;
  double HeightEnergy(const double gravity[D]) const noexcept;
  // Mass in kilogram; momentum; and centre of mass.
  double Mass() const noexcept { return mass_; }
  void Momentum(double out[D]) const noexcept;
  void Centre(double out[D]) const noexcept;

 private:
  size_t size() const { return object_ == nullptr ? 0 : static_cast<size_t>(object_->state_size()); }
  int count() const { return object_->state_size(); }
  void TakeParts(Parts& parts, int field_width) noexcept;
  void BeginDents(std::span<const ColliderOf<D>> colliders, double seconds,
                  IncrementalPotentialOf<D>& potential) noexcept;
  void EndDents(std::span<const ColliderOf<D>> colliders, double seconds) noexcept;
  std::span<const ColliderOf<D>> LastColliders() const { return {colliders_, collider_count_}; }
  void Lag(std::span<const ColliderOf<D>> colliders) noexcept;
  size_t TakeColliders(std::span<const ColliderOf<D>> given, StepReport& report) noexcept;
  bool TakeField(ColliderOf<D>& collider) const noexcept;
  bool TakeTargets(std::span<const TargetOf<D>> given, StepReport& report) noexcept;
  double ChooseStart(const IncrementalPotentialOf<D>& potential, const StepInputOf<D>& input,
                     StepReport& report) noexcept;
  bool Factor(IncrementalPotentialOf<D> potential) noexcept;
  void Minimise(const IncrementalPotentialOf<D>& potential, double energy, StepReport& report) noexcept;
  void PointAt(int i, double* x) const noexcept;
  int CountTouching(std::span<const ColliderOf<D>> colliders) const noexcept;
  // Root mean square over the body of the displacement by a direction.
  double Movement(const double* direction) const noexcept;
  double MassProduct(const double* a, const double* b) const noexcept;
  void MassMean(const double* numbers, double out[D]) const noexcept;

  const ObjectTable* object_ = nullptr;
  double mass_ = 0;
  double* state_ = nullptr;
  double* velocity_ = nullptr;
  double* inertial_ = nullptr;  // Q*
  double* current_ = nullptr;   // iterate
  double* trial_ = nullptr;
  double* gradient_ = nullptr;
  double* direction_ = nullptr;
  double* moments_ = nullptr;  // integrals of density phi_k, one per function
  double* hessian_ = nullptr;
  FrictionOf<D>* friction_ = nullptr;
  TargetOf<D>* targets_ = nullptr;
  Dents dents_;  // not open in space
  // u at corners of dents at the end of the last step, its velocity, and u*; two numbers each.
  double* dent_before_ = nullptr;
  double* dent_velocity_ = nullptr;
  double* dent_start_ = nullptr;
  bool dents_known_ = false;  // whether the first two are
  size_t collider_count_ = 0;
  ColliderOf<D> colliders_[kMaxColliders];  // of this step: those that are bad are off
  PoseOf<D> before_[kMaxColliders];         // poses at the end of the last step
  bool was_on_[kMaxColliders] = {};         // whether `before_` is known
};

using StepInput = StepInputOf<2>;
using Simulation = SimulationOf<2>;

using SolidTarget = TargetOf<3>;
using SolidStepInput = StepInputOf<3>;
using SolidSimulation = SimulationOf<3>;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_SIMULATION_H_
