// Simple methods for skinning weights: by distance to the bones, straight or through the flesh, and by transfer from
// another character. The SkinCells field (field.h) is compared with them, and users may choose them instead of it.
#ifndef SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_
#define SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_

#include <span>
#include <string>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

// Falloff of the proximity weights that the SkinCells paper compares with (section 4.1, cloth).
constexpr double kProximityFalloff = 3.5;

// Returns weights per surface vertex: 1 / distance^falloff for the l nearest joints, normalised. A joint's distance is
// that of its nearest bone; a vertex on a bone has weight 1 for the bone's joint. bones: those of FindBones().
SkinWeights ProximityWeights(const Subject& subject, std::span<const Bone> bones, int l,
                             double falloff = kProximityFalloff);

// Falloff of weights by distances through the body: sharper, since ways around an armpit are longer than straight ones.
constexpr double kVoxelFalloff = 6;

// The same with distances through the body (mesh/voxel_distance.h), as "MultiResGNet" (T. Li et al., section 4) has
// them for its base; the paper does not say by which function of the distance. A hand beside a thigh takes nothing of
// the leg. A joint's distances are divided by the root of how thick the body is around its bones: where a head hangs
// over a thin neck, the jaw is nearer to the neck's bone than to the head's, and is the head's nevertheless.
SkinWeights VoxelWeights(const Subject& subject, std::span<const Bone> bones, int l, double falloff = kVoxelFalloff);

// Returns weights per surface vertex, those at the nearest point of another character's surface: interpolated within
// the triangle, the largest l kept, normalised. Both surfaces are compared in bind space as they are, not aligned
// first. from, weights: the other character and the weights per vertex of its surface. file, from_file: names in
// errors. Joints are paired by name. Throws InputError, naming both files, if a joint that may carry weight in `from`
// (Subject::joints), even if it carries none, has no joint of that name in `subject` that may carry weight.
SkinWeights TransferWeights(const Subject& subject, const Subject& from, const SkinWeights& weights, int l,
                            const std::string& file, const std::string& from_file);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SIMPLE_WEIGHTS_H_
