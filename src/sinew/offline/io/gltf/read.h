// The reader's middle: from a parsed document to a character.
#ifndef SINEW_OFFLINE_IO_GLTF_READ_H_
#define SINEW_OFFLINE_IO_GLTF_READ_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

struct Decoded {
  Character character;                              // without its source
  std::vector<int> joint_nodes;                     // the node of each joint
  std::vector<Eigen::Affine3f> node_parents_world;  // per node: where its parent stands at rest
};

Decoded DecodeCharacter(const SourceDocument& document, bool quiet);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_READ_H_
