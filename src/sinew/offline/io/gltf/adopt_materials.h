// Materials of one character's file for another character: what a garment needs when it becomes part of a body.
#ifndef SINEW_OFFLINE_IO_GLTF_ADOPT_MATERIALS_H_
#define SINEW_OFFLINE_IO_GLTF_ADOPT_MATERIALS_H_

#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::gltf {

// Adds all materials of the source document of `from` to that of `into`, with their textures, samplers and images.
// Returns the new index of each material, in the order of the old ones; none if `from` has no materials. Images in
// files of their own that were not found when `from` was read stay names of files. Throws InputError for an index that
// the document of `from` does not have.
std::vector<int> AdoptMaterials(const Character& from, Character& into);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_ADOPT_MATERIALS_H_
