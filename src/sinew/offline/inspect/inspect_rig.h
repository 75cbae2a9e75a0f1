// The skeleton's and the weights' part of inspect_character.h.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_RIG_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_RIG_H_

#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

WeightInspection InspectWeights(const Character& character);

// body: of the rest pose. parts: already inspected.
SkeletonInspection InspectSkeleton(const Character& character, const RestBody& body,
                                   const std::vector<PartInspection>& parts);

AxesInspection InspectAxes(const Character& character, const RestBody& body);

// size: of the displayed character.
std::vector<BindInspection> InspectBind(const Character& character, double size);

std::vector<AnimationInspection> InspectAnimations(const Character& character);

// The joint that moves a vertex of a part most; empty for a part without weights.
std::string StrongestJoint(const Character& character, int part, int vertex);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_RIG_H_
