// Reads meshes: glTF primitives become parts of a character.
#ifndef SINEW_OFFLINE_IO_GLTF_PARTS_H_
#define SINEW_OFFLINE_IO_GLTF_PARTS_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/accessor.h"
#include "sinew/offline/io/gltf/skins.h"

namespace sinew::gltf {

// Reads every triangle primitive of every shown mesh node, except those in the skin of another skeleton. Appends to
// `character.parts` and, for rigid parts below a joint, to `character.skins`. quiet: no warnings.
void ReadParts(AccessorReader& accessors, const NodeTree& tree, const Rig& rig, bool quiet, Character& character);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_PARTS_H_
