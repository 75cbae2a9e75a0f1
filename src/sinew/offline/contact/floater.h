// The floater of the paper's figure 9: a torus that twenty-four points move.
#ifndef SINEW_OFFLINE_CONTACT_FLOATER_H_
#define SINEW_OFFLINE_CONTACT_FLOATER_H_

#include "sinew/offline/contact/loaded_solid.h"

namespace sinew::contact {

// A torus of tetrahedra around the y axis, 1 m wide and 0.28 m thick. Eight sections of it have three points each,
// which are turned by half their distance from one section to the next. One section is held while loads act.
LoadedSolid MakeFloater(const SolidOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_FLOATER_H_
