// Middle layer of the reader: from a parsed document to a character.
#ifndef SINEW_OFFLINE_IO_GLTF_READ_H_
#define SINEW_OFFLINE_IO_GLTF_READ_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

struct Decoded {
  Character character;                              // its `source` is not set
  std::vector<int> joint_nodes;                     // node of each joint
  std::vector<Eigen::Affine3f> node_parents_world;  // per node: transform of its parent to the world in the rest pose
};

// Reads the character that document.skin chooses. quiet: no warnings. Throws as ReadGltf().
Decoded DecodeCharacter(const SourceDocument& document, bool quiet);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_READ_H_
