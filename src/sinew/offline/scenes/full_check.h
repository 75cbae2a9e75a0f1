// Learned contact in dynamics against simulation of the whole body: a collider is pressed slowly into an object whose
// handles are held, once in the linear subspace and once with the field, and both are compared with the static
// equilibrium of all nodes for the same handles and the same collider (contact/solve_contact.h).
#ifndef SINEW_OFFLINE_SCENES_FULL_CHECK_H_
#define SINEW_OFFLINE_SCENES_FULL_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/scenes/run_scene.h"

namespace sinew::scenes {

// Errors are roots of mean squares over all nodes, in metre.
struct FullContact {
  double depth = 0;                        // of the collider below its first touch, in metre
  double linear_error = 0, error = 0;      // of the subspace, and with the field
  std::vector<double> linear_ms, ms;       // of each step
  double linear_deepest = 0, deepest = 0;  // how deep nodes of the outline are in the collider, in metre
  double full_deepest = 0;                 // and in the full solution
};

struct FullCheck {
  std::vector<FullContact> contacts;
  int failed = 0;  // contacts that could not be simulated in full space

  // Root of summed squared errors with the field over those of the linear subspace; 0 without contacts.
  double RelativeError() const;
};

// object: built from the worm's mesh. contacts: how many, with places, rotations and depths drawn from `seed`. Throws
// UsageError if field or object are not the worm's.
FullCheck CompareWithFull(const contact::PlaneObject& worm, const LoadedObject& object,
                          const dynamics::FieldTable& field, int contacts, uint64_t seed);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_FULL_CHECK_H_
