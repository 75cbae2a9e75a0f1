// An animal in the place of the paper's duck: a bird with tail, wings, head, beak and feet, that twenty-five points and
// a frame move.
#ifndef SINEW_OFFLINE_CONTACT_ANIMAL_H_
#define SINEW_OFFLINE_CONTACT_ANIMAL_H_

#include "sinew/offline/contact/loaded_solid.h"

namespace sinew::contact {

// A bird of tetrahedra, 0.9 m high and long, that stands on both feet and looks along +z. The frame holds the feet, and
// the points are spread over the body (SpreadHandles()): with the place, a field has 90 inputs, as the paper's duck.
LoadedSolid MakeAnimal(const SolidOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_ANIMAL_H_
