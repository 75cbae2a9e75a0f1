// Contact field of one collider for one state of the object (field_table.h), and its Jacobian by the state's numbers:
// contact-centric deformation learning (Romero et al. 2022, doi 10.1145/3528223.3530182), equations 2 and 4.
//
// The first layer is evaluated as skinning of hidden units, A z-bar + sum_j w_j g_j + b: g_j, what the numbers of
// handle j add, is made once per state. The weight w_j of a point is the value of the function that carries the
// handle's position. A Jacobian goes backwards through the network once per coordinate of r. Points are evaluated
// together, one per lane of a vector (field_kernel.h); what is found for one does not depend on the others.
#ifndef SINEW_DYNAMICS_POSED_FIELD_H_
#define SINEW_DYNAMICS_POSED_FIELD_H_

#include <cstddef>

#include "sinew/dynamics/collider.h"
#include "sinew/dynamics/field_kernel.h"
#include "sinew/runtime/kernels/plane_neo_hookean.h"

namespace sinew::dynamics {

// Point of an object: its row of values of the functions, and its x~.
struct FieldPoint {
  int row = 0;
  double x = 0, y = 0;
};

class PosedField {
 public:
  static constexpr int kBatch = FieldBatch::kLanes;

  // Numbers of scratch for a field of `width` units on an object.
  static size_t ScratchNumbers(const ObjectTable& object, int width) noexcept;

  // field must fit the object, and both, and scratch, outlive this. state: state_size() numbers.
  void Pose(const FieldTable& field, const ObjectTable& object, const PlanePose& pose, const double* state,
            double* scratch) noexcept;

  // Sets u of at most kBatch points, two numbers each, in the world, in metre. rows: values of the functions.
  void Displace(const SparseRows& rows, const FieldPoint* points, int count, double* u) const noexcept;
  // The same, and prepares for the call below.
  void DisplaceAndDerive(const SparseRows& rows, const FieldPoint* points, int count, double* u) const noexcept;
  // Sets the derivatives of u of the point at `index` of the last batch: two rows of state_size() numbers.
  void Jacobian(const SparseRows& rows, const FieldPoint* points, int index, double* jacobian) const noexcept;

 private:
  runtime::PlaneMatrix Turned(int row, int lane) const noexcept;
  void AddBlock(int basis, double weight, const runtime::PlaneMatrix& block, double* jacobian) const noexcept;

  const ObjectTable* object_ = nullptr;
  PlanePose pose_;
  int handle_of_[ObjectTable::kMaxBasis] = {};  // handle whose position a function carries; negative: none
  double* g_ = nullptr;                         // FieldBatch::g
  FieldBatch batch_;
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_POSED_FIELD_H_
