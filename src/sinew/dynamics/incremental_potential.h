// The energy that a time step minimises: contact-centric deformation learning (Romero et al. 2022, doi
// 10.1145/3528223.3530182), section 5, equation 5, for x = x~ + u with x~ = U x:
//
//   W = W_inertial + W_elastic + W_contact + W_springs + W_friction
//   W_inertial = 1/(2 h^2) (Q - Q*)' M (Q - Q*),  Q* = Q_n + h V_n + h^2 g     (exact in a linear subspace)
//                + what the inertia of u adds (dented_terms.h)
//   W_elastic  = sum over cubature cells of their measure times Psi(F)
//   W_contact  = k sum over contact points of their measure times max(0, depth)^3, over all colliders
//   W_springs  = 1/2 sum over driven handles of s (|p - p_target|^2 + radius^2 |A - A_target|^2)
//   W_friction = sum over contact points of mu lambda f0(|tangential slip|)
//
// Contact and friction of a point are those of point_terms.h, with normal forces lambda of the step before. D is the
// number of dimensions, 2 or 3; energies in the plane are per metre of depth.
#ifndef SINEW_DYNAMICS_INCREMENTAL_POTENTIAL_H_
#define SINEW_DYNAMICS_INCREMENTAL_POTENTIAL_H_

#include <span>

#include "sinew/dynamics/dents.h"
#include "sinew/dynamics/object_table.h"
#include "sinew/dynamics/point_terms.h"
#include "sinew/dynamics/space.h"

namespace sinew::dynamics {

// Spring from a handle to where it is wanted.
template <int D>
struct TargetOf {
  double stiffness = 0;              // in newton per metre, in the plane and metre of depth, 0 to 1e12; 0: free
  double numbers[D * (D + 1)] = {};  // of the handle's state: a position; of a frame, its matrix's columns, then that
};

// All spans must outlive the potential. Nothing is owned. object: of D dimensions.
template <int D>
struct IncrementalPotentialOf {
  const ObjectTable* object = nullptr;
  double seconds = 0;                             // h
  const double* start = nullptr;                  // Q*
  std::span<const ColliderOf<D>> colliders = {};  // all sound
  std::span<const TargetOf<D>> targets = {};      // one per handle, or empty
  std::span<const FrictionOf<D>> friction = {};   // one per contact point, or empty
  double slip = 0;                                // distance in a step below which points stick smoothly, above 0
  // Evaluated anew by every call below; null: no collider has a field, as in space always.
  Dents* dents = nullptr;
  const double* dents_start = nullptr;  // u*, two numbers per corner of `dents`; null: all 0
  // Leaves out the part of the Hessian that may be negative: a product of x~ and u in the inertia.
  bool convex = false;

  double Energy(const double* state) const noexcept;
  // Adds nothing to what is there: sets gradient (state_size() numbers) and the lower triangle of hessian (state_size()
  // squared), whose part from each term is projected to positive semi-definite.
  void Gradient(const double* state, double* gradient) const noexcept;
  void GradientAndHessian(const double* state, double* gradient, double* hessian) const noexcept;
};

using Target = TargetOf<2>;
using IncrementalPotential = IncrementalPotentialOf<2>;

// Elastic energy alone, in joule. dents: null, or evaluated for the state.
template <int D>
double ElasticEnergy(const ObjectTable& object, const Dents* dents, const double* state) noexcept;

// Sets the position x~, D coordinates, of a sparse row of one value per entry.
template <int D>
void PositionOf(const SparseRows& rows, int row, const double* state, double* x) noexcept {
  double sum[D] = {};
  for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
    const double* Q = state + D * rows.basis[i];
    for (int r = 0; r < D; ++r) sum[r] += rows.values[i] * Q[r];
  }
  for (int r = 0; r < D; ++r) x[r] = sum[r];
}
// The same in the plane.
inline void PositionOf(const SparseRows& rows, int row, const double* state, double* x, double* y) noexcept {
  double at[2];
  PositionOf<2>(rows, row, state, at);
  *x = at[0];
  *y = at[1];
}

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_INCREMENTAL_POTENTIAL_H_
