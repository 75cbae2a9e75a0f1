// The tests of inspect_character.h that take seconds rather than milliseconds.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_DEEP_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_DEEP_H_

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

// Finds intersections, clearance, triangle quality and containment.
// parts: inspections of the character's parts.
// displayed: the character in the rest pose.
// whole: surface of all parts, as CollectRestSurface() returns it.
// model_scale: factor from lengths of `whole` to model units.
DeepInspection InspectDeep(const Character& character, const std::vector<PartInspection>& parts,
                           const PosedCharacter& displayed, const RestSurface& whole, double model_scale);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_DEEP_H_
