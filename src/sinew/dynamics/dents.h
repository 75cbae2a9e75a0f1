// Learned contact as part of an object's shape: contact-centric deformation learning (Romero et al. 2022, doi
// 10.1145/3528223.3530182), equation 6, x = x~ + u with u that of the fields of colliders (posed_field.h), and the
// derivatives of u by the numbers of a state.
//
// Beyond the paper, u is the field times a window w of the distance d of x~ to the collider and times a gate of how
// much of x~ is inside of it:
//
//   u = gate(S) w(d) R f,   S = integral over the outline of max(0, -d)^2,
//   gate = 1 - 1 / (1 + S / touch)^2,   w = 1 - t^2 (3 - 2 t) with t = d / window, 1 inside and 0 beyond the window
//
// so that a collider that touches nothing changes no bit, and what is far from it stays where it is. Where windows of
// two colliders overlap, their displacements add.
//
// u is evaluated at sites, nodes of the object: the corners of cubature triangles, and the ends of edges that contact
// points are on. Between them it is linear, as in the full space.
#ifndef SINEW_DYNAMICS_DENTS_H_
#define SINEW_DYNAMICS_DENTS_H_

#include <span>

#include "sinew/dynamics/collider.h"
#include "sinew/dynamics/parts.h"
#include "sinew/dynamics/posed_field.h"
#include "sinew/runtime/kernels/plane_neo_hookean.h"

namespace sinew::dynamics {

class Dents {
 public:
  // A cubature triangle's corners as sites, and gradients of their hat functions, x and y each.
  struct Element {
    int sites[3];
    double gradients[6];
  };

  // Takes scratch for fields of at most `width` units.
  void Take(const ObjectTable& object, int width, Parts& parts) noexcept;
  // Must follow Take(). Returns whether all cubature triangles have an area.
  bool Open() noexcept;
  // Whether scratch was taken, and a field can act on the object.
  bool is_open() const { return object_ != nullptr; }
  bool Accepts(const FieldTable& field) const noexcept;

  // Evaluates u, and its derivatives if `derive` is true, at all sites. colliders: all sound, with fields that are
  // accepted or null. Returns whether any field acts.
  bool Evaluate(std::span<const Collider> colliders, const double* state, bool derive) noexcept;
  // Forgets all dents.
  void Clear() noexcept { acts_ = false; }
  bool acts() const { return acts_; }
  // Adds u to the positions of all nodes, two numbers each, for colliders and a state; changes no site.
  void AddToNodes(std::span<const Collider> colliders, const double* state, double* positions) const noexcept;

  // The first sites are corners of cubature triangles.
  int corner_count() const { return corner_count_; }
  int site_count() const { return site_count_; }
  int node(int site) const { return nodes_[site]; }
  double corner_mass(int site) const { return corner_masses_[site]; }  // in kilogram per metre of depth
  // Whether u of a site is not 0 by the window; the two below are only set where it is.
  bool moves(int site) const { return acts_ && moves_[site] != 0; }
  const double* u(int site) const { return u_ + 2 * static_cast<size_t>(site); }
  // Two rows of state_size() numbers.
  const double* jacobian(int site) const { return jacobians_ + 2 * static_cast<size_t>(site) * state_size(); }

  // Whether a contact point is moved; adds its u; sets its derivatives, two rows of state_size() numbers.
  bool moves_point(int point) const { return acts_ && (moves_[End(point, 0)] | moves_[End(point, 1)]) != 0; }
  void AddToPoint(int point, double* x, double* y) const noexcept;
  void DerivePoint(int point, double* rows) const noexcept;

  const Element& element(int e) const { return elements_[e]; }
  bool moves_element(int e) const {
    const int* sites = elements_[e].sites;
    return acts_ && (moves_[sites[0]] | moves_[sites[1]] | moves_[sites[2]]) != 0;
  }
  // Adds what dents add to a cubature triangle's deformation gradient.
  void AddDeformation(int e, runtime::PlaneMatrix* F) const noexcept;
  // Room for eight rows of state_size() numbers.
  double* work() const { return work_; }

 private:
  size_t state_size() const { return static_cast<size_t>(object_->state_size()); }
  // Site of the first or the second end of the edge that a contact point is on.
  int End(int point, int end) const {
    return site_of_node_[object_->boundary()[2 * size_t{object_->edges()[point]} + static_cast<size_t>(end)]];
  }
  int SiteOf(uint32_t node) noexcept;
  double Feel(const Collider& collider, const double* state, bool derive) const noexcept;
  struct Batch;
  FieldPoint PointOf(int node, const double* state) const noexcept;
  void AddBatch(double gate, bool derive, Batch& batch) noexcept;

  const ObjectTable* object_ = nullptr;
  int width_ = 0;
  int corner_count_ = 0, site_count_ = 0;
  bool acts_ = false;
  Element* elements_ = nullptr;
  int* nodes_ = nullptr;  // of sites
  int* site_of_node_ = nullptr;
  double* corner_masses_ = nullptr;
  unsigned char* moves_ = nullptr;
  double* u_ = nullptr;
  double* jacobians_ = nullptr;
  double* gate_slopes_ = nullptr;  // derivatives of the gate by a state
  double* units_ = nullptr;        // scratch of a posed field
  double* work_ = nullptr;
  mutable PosedField field_;
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_DENTS_H_
