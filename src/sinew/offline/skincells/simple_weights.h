// The weight methods that the field is compared with, and that users may want for themselves.
#ifndef SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_
#define SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_

#include <span>
#include <string>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

// The falloff that the paper compares with (section 4.1, cloth).
constexpr double kProximityFalloff = 3.5;

// 1 / distance^falloff of the l nearest joints' bones, normalised. On a bone that joint takes all.
SkinWeights ProximityWeights(const Subject& subject, std::span<const Bone> bones, int l,
                             double falloff = kProximityFalloff);

// Each vertex takes the weights of the nearest point of another character's surface, in bind space, the strongest l of
// them. Joints are paired by name; throws InputError, naming both files, if the subject lacks a joint that carries
// weight there.
SkinWeights TransferWeights(const Subject& subject, const Subject& from, const SkinWeights& weights, int l,
                            const std::string& file, const std::string& from_file);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_
