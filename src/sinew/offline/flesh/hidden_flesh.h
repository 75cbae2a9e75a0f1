// Flesh that other flesh hides. Characters are often put together from bodies that reach into each other: a neck into a
// collar, an arm into a sleeve, a trunk into trousers. What is inside another of them is no skin, and simulated as skin
// it would press against the flesh around it at rest already.
#ifndef SINEW_OFFLINE_FLESH_HIDDEN_FLESH_H_
#define SINEW_OFFLINE_FLESH_HIDDEN_FLESH_H_

#include <vector>

#include "sinew/offline/anatomy/roles.h"

namespace sinew::flesh {

// Finds the triangles of flesh that lie wholly inside another piece of flesh, deeper than a thousandth of the body's
// size, so that of two equal pieces both stay. mesh: welded, at rest. Returns one entry per triangle.
std::vector<bool> FindHidden(const TriMesh& mesh, const Roles& roles);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_HIDDEN_FLESH_H_
