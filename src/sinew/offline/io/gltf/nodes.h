// The node tree: transforms, parents, what hangs where.
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
  Transform local;
  Eigen::Affine3f local_affine = Eigen::Affine3f::Identity();
  Eigen::Affine3f world = Eigen::Affine3f::Identity();
  bool identity = true;   // its local transform does nothing
  bool animated = false;  // an animation moves it
  bool shown = false;     // part of the default scene
};

struct NodeTree {
  std::vector<Node> nodes;
  std::vector<int> order;  // every node, parents first; siblings in the file's order
};

// Throws InputError for a tree that is none: a node with two parents, a cycle. quiet: without warnings.
NodeTree ReadNodes(const SourceDocument& document, bool quiet);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_NODES_H_
