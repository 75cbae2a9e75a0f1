// Pictures of a body and its collider, as SVG.
#ifndef SINEW_OFFLINE_CONTACT_DRAW_CONTACT_H_
#define SINEW_OFFLINE_CONTACT_DRAW_CONTACT_H_

#include <string>
#include <vector>

#include "sinew/offline/contact/contact_field.h"
#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/contact/solid_object.h"

namespace sinew::contact {

// One panel: the shape of the object with a displacement.
struct ContactPanel {
  std::string title;
  learn::RowMatrix r;  // one row per node, in shares of the collider's size, in its space; empty: no displacement
};

// Returns an SVG element with the panels side by side, all around the collider. Triangles are coloured by the length of
// the displacement, as a share of the largest in the first panel.
std::string DrawContact(const PlaneObject& object, const SampleRef& ref, const std::vector<ContactPanel>& panels);

// The same of an object in space, cut by a plane through the middle of the collider. The plane holds the mean direction
// of the displacements in the first panel, which points down.
std::string DrawSection(const SolidObject& object, const SampleRef& ref, const std::vector<ContactPanel>& panels);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_DRAW_CONTACT_H_
