// Inspection of the roles of a character's parts for inspect_character.h.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_ROLES_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_ROLES_H_

#include <optional>
#include <vector>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

// Finds the roles of all islands. whole: surface of all parts, as CollectRestSurface() returns it. Returns none if
// nothing can be said: nothing is bound to joints, there are no triangles, a position is not finite, or the file gives
// a role that does not exist. Throws UsageError if roles are given then, or to a part that the character lacks.
std::optional<RolesInspection> InspectRoles(const Character& character, const RestSurface& whole,
                                            const std::vector<GivenRole>& given);

// Returns what is wrong with the role that the file gives a part; empty if there is none or it exists.
std::string RefusalOfRole(const std::string& role);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_ROLES_H_
