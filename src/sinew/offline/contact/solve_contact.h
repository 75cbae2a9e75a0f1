// Ground truth of contact (contact-centric deformation learning, doi 10.1145/3528223.3530182, section 4.3): the static
// equilibrium of a body that a collider touches, with the same subspace state as without contact. It is solved by
// conjugate gradients in the null space of U.
//
// The subspace deformation x~ of a state is U x and what the body itself adds to it: the equilibrium in the null space
// of U without a collider. (The paper learns that part, too, after Romero et al. 2021; here it is simulated.) So the
// displacement u = x - x~ is by contact alone, and 0 where nothing touches.
#ifndef SINEW_OFFLINE_CONTACT_SOLVE_CONTACT_H_
#define SINEW_OFFLINE_CONTACT_SOLVE_CONTACT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/contact/contact_object.h"

namespace sinew::contact {

// Changes whenever solving gives other samples for the same plan.
inline constexpr uint32_t kSolverVersion = 1;

// Place from which a collider comes, and how the collider is turned.
struct Approach {
  int place = 0;  // of the object's surface, see ContactObject
  Turn turn = {};
};

// Line along which a collider comes to its place, against the outward normal there.
struct ContactLine {
  SmallVector touch;       // position of the collider at its first touch
  SmallVector normal;      // outward
  double max_depth = 0;    // 0.4 of the smaller of the collider's size and the body's thickness below the place
  bool reachable = false;  // whether the collider can come from outside without touching another part first

  SmallVector At(double depth) const { return touch - depth * normal; }
};

// Returns x~ of a state. Throws FailedError if the body has no equilibrium in it.
Eigen::VectorXd RelaxState(const ContactObject& object, const Eigen::VectorXd& state);

// positions: x~.
ContactLine FindContactLine(const ContactObject& object, const Eigen::VectorXd& positions, const Approach& approach);

struct ContactSolution {
  Eigen::VectorXd u;       // displacement, as many numbers per node as coordinates
  bool converged = false;  // and at most 0.2% of the triangles or 1% of the tetrahedra are inverted
  int newton_steps = 0, cg_iterations = 0;
  double deepest = 0;  // how deep the collider still is in the body
};

// Solves a chain of depths, each from the solution before it. depths: increasing, in metre from the first touch. After
// a solve that fails, what is left of the way is tried in steps of half the length.
std::vector<ContactSolution> SolveDepths(const ContactObject& object, const Eigen::VectorXd& positions,
                                         const ContactLine& line, const Turn& turn, const std::vector<double>& depths);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_SOLVE_CONTACT_H_
