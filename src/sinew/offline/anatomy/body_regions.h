// Regions of a body by its joints: head, torso, arms, hands, legs and feet.
#ifndef SINEW_OFFLINE_ANATOMY_BODY_REGIONS_H_
#define SINEW_OFFLINE_ANATOMY_BODY_REGIONS_H_

#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// kHead includes neck, jaw, eyes and ears; kTorso pelvis, spine and collars; kHands all from the wrist on, kFeet all
// from the ankle on; kOther tails and what no name tells.
enum class BodyRegion { kHead, kTorso, kArms, kHands, kLegs, kFeet, kOther };
constexpr int kBodyRegions = 7;

// Name of a region: "head", "torso" and so on.
const char* NameOf(BodyRegion region);

// Returns the region of every joint by its name (IdentifyJoints()). A joint whose name tells nothing, one that spreads
// a twist and the tip of a chain have the region of their anatomical parent.
std::vector<BodyRegion> RegionsOfJoints(const Skeleton& skeleton);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_BODY_REGIONS_H_
