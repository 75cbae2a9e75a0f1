// Inspection of skeleton, weights, axes, bind pose and animations for inspect_character.h.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_RIG_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_RIG_H_

#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

WeightInspection InspectWeights(const Character& character);

// body: measured in the rest pose. parts: inspections of the character's parts.
SkeletonInspection InspectSkeleton(const Character& character, const RestBody& body,
                                   const std::vector<PartInspection>& parts);

AxesInspection InspectAxes(const Character& character, const RestBody& body);

// size: diagonal of the displayed character's bounding box, model units.
std::vector<BindInspection> InspectBind(const Character& character, double size);

std::vector<AnimationInspection> InspectAnimations(const Character& character);

// Returns the name of the joint with the largest weight at a vertex of a part; empty for a part without weights.
std::string StrongestJoint(const Character& character, int part, int vertex);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_RIG_H_
