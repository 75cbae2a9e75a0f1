// Terms of a time step's energy where learned contact moves an object (dents.h): their gradients and Hessians go
// through the Jacobian of x = x~ + u. As in the paper (section 5), second derivatives of the network are left out.
#ifndef SINEW_DYNAMICS_DENTED_TERMS_H_
#define SINEW_DYNAMICS_DENTED_TERMS_H_

#include "sinew/dynamics/dents.h"
#include "sinew/dynamics/material.h"
#include "sinew/dynamics/point_terms.h"

namespace sinew::dynamics {

// Inertia of dents, beside that of the linear subspace: with x~* and u* where inertia would take a point,
//   sum over corners of mass / h^2 ((x~ - x~*) . (u - u*) + |u - u*|^2 / 2).
struct DentInertia {
  const ObjectTable* object = nullptr;
  const Dents* dents = nullptr;         // evaluated for the state
  const double* start = nullptr;        // Q*
  const double* dents_start = nullptr;  // u*, two numbers per corner; null: all 0
  double seconds = 0;                   // h

  double Energy(const double* state) const noexcept;
  // hessian: null, or its lower triangle. convex: leaves out the product of x~ and u, which may be negative.
  void Add(const double* state, bool convex, double* gradient, double* hessian) const noexcept;
};

// Adds a cubature triangle that dents move. stress, blocks: times its area.
void AddDentedElement(const ObjectTable& object, const Dents& dents, int e, const runtime::SquareMatrix<2>& stress,
                      const ColumnBlocks<2>* blocks, double* gradient, double* hessian) noexcept;

// Adds a contact point that dents move.
void AddDentedPoint(const ObjectTable& object, const Dents& dents, int point, const PointTerm& term, double* gradient,
                    double* hessian) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_DENTED_TERMS_H_
