// Simple weight methods, with which the field is compared, and which users may want for themselves.
#ifndef SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_
#define SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_

#include <span>
#include <string>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

// Falloff of the proximity weights that the paper compares with (section 4.1, cloth).
constexpr double kProximityFalloff = 3.5;

// Returns weights of 1 / distance^falloff from the bones of the l nearest joints, normalised. On a bone its joint takes
// all.
SkinWeights ProximityWeights(const Subject& subject, std::span<const Bone> bones, int l,
                             double falloff = kProximityFalloff);

// Gives each vertex the weights of the nearest point of another character's surface, in bind space, the strongest l of
// them. from, weights: that character, and its surface's weights. Joints are paired by name; throws InputError, naming
// both files, if the subject lacks a joint that carries weight there.
SkinWeights TransferWeights(const Subject& subject, const Subject& from, const SkinWeights& weights, int l,
                            const std::string& file, const std::string& from_file);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_
