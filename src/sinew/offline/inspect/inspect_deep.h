// What takes seconds rather than milliseconds.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_DEEP_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_DEEP_H_

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

// parts: already inspected. displayed: in the rest pose. model_scale: lengths of the whole's mesh into model units.
DeepInspection InspectDeep(const Character& character, const std::vector<PartInspection>& parts,
                           const PosedCharacter& displayed, const RestSurface& whole, double model_scale);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_DEEP_H_
