// Reads the node tree: transforms, parents, and which mesh and skin each node has.
#ifndef SINEW_OFFLINE_IO_GLTF_NODES_H_
#define SINEW_OFFLINE_IO_GLTF_NODES_H_

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

struct Node {
  std::string name;
  int parent = -1;
  int mesh = -1;
  int skin = -1;
  Transform local;                                             // in the parent's frame, without shear
  Eigen::Affine3f local_affine = Eigen::Affine3f::Identity();  // in the parent's frame, as the file has it
  Eigen::Affine3f world = Eigen::Affine3f::Identity();         // in the rest pose
  bool identity = true;                                        // whether its local transform is the identity
  bool animated = false;                                       // whether an animation moves it
  bool shown = false;                                          // whether it is part of the default scene
};

struct NodeTree {
  std::vector<Node> nodes;
  std::vector<int> order;  // every node, parents first; siblings in the file's order
};

// Reads all nodes. Throws InputError for nodes that are no tree: a node with two parents, a cycle. quiet: no warnings.
NodeTree ReadNodes(const SourceDocument& document, bool quiet);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_NODES_H_
