// Reads one skeleton from a document's skins and nodes.
#ifndef SINEW_OFFLINE_IO_GLTF_SKINS_H_
#define SINEW_OFFLINE_IO_GLTF_SKINS_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/accessor.h"
#include "sinew/offline/io/gltf/nodes.h"

namespace sinew::gltf {

struct Rig {
  Skeleton skeleton;
  std::vector<int> joint_nodes;   // node of each joint
  std::vector<int> node_joints;   // joint of each node, -1 if it is none
  std::vector<int> node_anchors;  // joint that moves each node: its own or its nearest ancestor's; -1: none
  // Transform from each node into its anchor in the rest pose; meaningless without one.
  std::vector<Eigen::Affine3f> node_from_anchor;
  std::vector<Skin> skins;                    // the chosen skins, in the file's order
  std::vector<int> document_skins;            // index into `skins` of each skin of the document, -1 if not chosen
  std::vector<std::vector<int>> skin_joints;  // per chosen skin: its own joint number -> joint of the skeleton
};

// Reads the chosen skeleton and the skins that share it. A document without skins whose nodes are animated gets a
// skeleton of those nodes; one without either gets none. Throws InputError if there are several skeletons and
// document.skin does not choose one, UsageError if it names no skin.
Rig ReadRig(AccessorReader& accessors, const NodeTree& tree);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_SKINS_H_
