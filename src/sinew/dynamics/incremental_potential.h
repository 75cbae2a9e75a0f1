// The energy that a time step minimises: contact-centric deformation learning (Romero et al. 2022, doi
// 10.1145/3528223.3530182), section 5, equation 5, for x = x~ + u with x~ = U x:
//
//   W = W_inertial + W_elastic + W_contact + W_springs + W_friction
//   W_inertial = 1/(2 h^2) (Q - Q*)' M (Q - Q*),  Q* = Q_n + h V_n + h^2 g     (exact in a linear subspace)
//                + what the inertia of u adds (dented_terms.h)
//   W_elastic  = sum over cubature triangles of area Psi(F)
//   W_contact  = k sum over contact points of length max(0, depth)^3, over all colliders
//   W_springs  = 1/2 sum over driven handles of s (|p - p_target|^2 + radius^2 |A - A_target|^2)
//   W_friction = sum over contact points of mu lambda f0(|tangential slip|)
//
// Normal forces lambda, tangents and places of friction are those of the end of the step before (lagged), so that
// friction is an energy, too: f0 is the smooth length of Li et al., "Incremental Potential Contact", 2020, section 4.
#ifndef SINEW_DYNAMICS_INCREMENTAL_POTENTIAL_H_
#define SINEW_DYNAMICS_INCREMENTAL_POTENTIAL_H_

#include <span>

#include "sinew/dynamics/collider.h"
#include "sinew/dynamics/dents.h"
#include "sinew/dynamics/object_table.h"

namespace sinew::dynamics {

// Spring from a handle to where it is wanted.
struct Target {
  double stiffness = 0;    // in newton per metre and metre of depth, 0 to 1e12; 0: the handle is free
  double numbers[6] = {};  // of the handle's state: a position; of a frame, its matrix's columns and its position
};

// Friction at a contact point, lagged.
struct Friction {
  double force = 0;            // mu lambda: largest force, in newton per metre of depth; 0: none
  double tangent[2] = {1, 0};  // unit vector
  double from[2] = {0, 0};     // where the point would be if it stuck to the collider
};

// All spans must outlive the potential. Nothing is owned.
struct IncrementalPotential {
  const ObjectTable* object = nullptr;
  double seconds = 0;                        // h
  const double* start = nullptr;             // Q*
  std::span<const Collider> colliders = {};  // all sound
  std::span<const Target> targets = {};      // one per handle, or empty
  std::span<const Friction> friction = {};   // one per contact point, or empty
  double slip = 0;                           // distance in a step below which points stick smoothly, above 0
  Dents* dents = nullptr;                    // evaluated anew by every call below; null: no collider has a field
  const double* dents_start = nullptr;       // u*, two numbers per corner of `dents`; null: all 0
  // Leaves out the part of the Hessian that may be negative: a product of x~ and u in the inertia.
  bool convex = false;

  double Energy(const double* state) const noexcept;
  // Adds nothing to what is there: sets gradient (state_size() numbers) and the lower triangle of hessian (state_size()
  // squared), whose part from each term is projected to positive semi-definite.
  void Gradient(const double* state, double* gradient) const noexcept;
  void GradientAndHessian(const double* state, double* gradient, double* hessian) const noexcept;
};

// Elastic energy alone, in joule per metre of depth. dents: null, or evaluated for the state.
double ElasticEnergy(const ObjectTable& object, const Dents* dents, const double* state) noexcept;

// Position x~ of a sparse row of one value per entry.
void PositionOf(const SparseRows& rows, int row, const double* state, double* x, double* y) noexcept;

// Smooth length of friction: quadratic near 0, |slip| - slip / 3 beyond; its slope is 0 to 1.
double FrictionLength(double y, double slip) noexcept;
double FrictionSlope(double y, double slip) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_INCREMENTAL_POTENTIAL_H_
