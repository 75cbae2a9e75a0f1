// Meshes: glTF's primitives into parts.
#ifndef SINEW_OFFLINE_IO_GLTF_PARTS_H_
#define SINEW_OFFLINE_IO_GLTF_PARTS_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/accessor.h"
#include "sinew/offline/io/gltf/skins.h"

namespace sinew::gltf {

// Every triangle primitive of every shown mesh node that is not in another skeleton's skin. Appends to
// `character.parts` and, for rigid parts below a joint, to `character.skins`. quiet: without warnings.
void ReadParts(AccessorReader& accessors, const NodeTree& tree, const Rig& rig, bool quiet, Character& character);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_PARTS_H_
