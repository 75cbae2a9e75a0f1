// From a document's skins and nodes to one skeleton.
#ifndef SINEW_OFFLINE_IO_GLTF_SKINS_H_
#define SINEW_OFFLINE_IO_GLTF_SKINS_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/accessor.h"
#include "sinew/offline/io/gltf/nodes.h"

namespace sinew::gltf {

struct Rig {
  Skeleton skeleton;
  std::vector<int> joint_nodes;   // the node of each joint
  std::vector<int> node_joints;   // the joint of each node, -1 if it is none
  std::vector<int> node_anchors;  // the joint that carries each node: its own or its nearest ancestor's; -1
  std::vector<Eigen::Affine3f> node_from_anchor;  // from each node into its anchor, at rest; meaningless without one
  std::vector<Skin> skins;                        // the chosen skins, in the file's order
  std::vector<int> document_skins;                // document's skin -> index into skins, -1 if not chosen
  std::vector<std::vector<int>> skin_joints;      // per chosen skin: its own joint number -> joint of the skeleton
};

// The skins that share the chosen skeleton. A document without skins whose nodes are animated gets a skeleton of those
// nodes; one without either gets none. Throws if there are several skeletons and document.skin does not choose one.
Rig ReadRig(AccessorReader& accessors, const NodeTree& tree);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_SKINS_H_
