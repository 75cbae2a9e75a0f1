// Contact field of one collider for one state of the object (field_table.h), and its Jacobian by the state's numbers:
// contact-centric deformation learning (Romero et al. 2022, doi 10.1145/3528223.3530182), equations 2 and 4.
//
// The first layer is evaluated as skinning of hidden units, A z-bar + sum_j w_j g_j + b: g_j, what the numbers of
// handle j add, is made once per state. The weight w_j of a point is the value of the function that carries the
// handle's position. A Jacobian goes backwards through the network once per coordinate of r, both at once.
#ifndef SINEW_DYNAMICS_POSED_FIELD_H_
#define SINEW_DYNAMICS_POSED_FIELD_H_

#include <cstddef>

#include "sinew/dynamics/collider.h"
#include "sinew/dynamics/field_table.h"
#include "sinew/runtime/kernels/plane_neo_hookean.h"

namespace sinew::dynamics {

class PosedField {
 public:
  // Numbers of scratch for a field of `width` units on an object of `handles` handles.
  static size_t ScratchNumbers(int handles, int width) noexcept;

  // field must fit the object, and both, and scratch, outlive this. state: state_size() numbers.
  void Pose(const FieldTable& field, const ObjectTable& object, const PlanePose& pose, const double* state,
            double* scratch) noexcept;

  // Sets u of a point, in the world, in metre. rows, row: its values of the functions. x, y: x~ of it.
  void Displace(const SparseRows& rows, int row, double x, double y, double u[2]) const noexcept;
  // Sets u and its derivatives: two rows of state_size() numbers.
  void DisplaceAndDerive(const SparseRows& rows, int row, double x, double y, double u[2],
                         double* jacobian) const noexcept;

 private:
  void Hidden(const SparseRows& rows, int row, double x, double y, double r[2]) const noexcept;
  void Backward() const noexcept;
  runtime::PlaneMatrix Turned(const float* by_x, const float* by_y) const noexcept;
  void AddBlock(int basis, double weight, const runtime::PlaneMatrix& block, double* jacobian) const noexcept;

  const FieldTable* field_ = nullptr;
  const ObjectTable* object_ = nullptr;
  PlanePose pose_;
  int width_ = 0;
  int handle_of_[ObjectTable::kMaxBasis] = {};  // handle whose position a function carries; negative: none
  double* g_ = nullptr;                         // one row of units per handle
  double* first_ = nullptr;                     // units of the first layer after tanh
  double* second_ = nullptr;                    // and of the second
  double* back_ = nullptr;         // slopes of both coordinates of r by units of the first layer before tanh
  double* back_second_ = nullptr;  // and of the second
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_POSED_FIELD_H_
