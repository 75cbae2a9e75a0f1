// Reads the nodes of a glTF file: transforms, parents, and which mesh and skin each node has.
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
  int parent = -1;  // index of the parent node; -1: a root
  int mesh = -1;    // index into the file's meshes; -1: none
  int skin = -1;    // index into the file's skins; -1: none
  Transform local;  // in the parent's frame: local_affine, or if that shears, the nearest transform without shear
  Eigen::Affine3f local_affine = Eigen::Affine3f::Identity();  // in the parent's frame, with any shear of the file
  Eigen::Affine3f world = Eigen::Affine3f::Identity();  // product of local_affine from the root down: the rest pose
  bool identity = true;                                 // whether local_affine is the identity, up to rounding
  // Whether an animation translates, rotates or scales this node itself, rather than an ancestor.
  bool animated = false;
  // Whether it is in the default scene: the one that the file names, or the first. True if the file has no scenes.
  bool shown = false;
};

struct NodeTree {
  std::vector<Node> nodes;
  std::vector<int> order;  // every node, parents first; siblings in the file's order
};

// Reads all nodes; there may be several roots. Throws InputError for a node with two parents, a cycle, a rotation of
// zero or a matrix with too large entries. quiet: no warnings (of shear and of rotations that are not unit).
NodeTree ReadNodes(const SourceDocument& document, bool quiet);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_NODES_H_
