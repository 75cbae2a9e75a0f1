// A character as flesh sees it: all parts at rest in one space, welded, with the joints' motions from there.
#ifndef SINEW_OFFLINE_FLESH_REST_SKIN_H_
#define SINEW_OFFLINE_FLESH_REST_SKIN_H_

#include <string>
#include <vector>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::flesh {

// The rest surface (character/rest_surface.h), placed in the model as the first joint of its main skin is.
struct RestSkin {
  TriMesh mesh;                        // all parts, one after the other
  std::vector<int> first_vertex;       // one per part, and the end
  std::vector<Influences> influences;  // one per vertex; none for parts that move with nothing
  std::vector<int> part_of;            // one per vertex
  Welding welding;                     // of the vertices
  TriMesh welded;
  std::vector<Eigen::Vector3d> joints;  // positions at rest

  // From rest to the pose, in model space; one per joint. All identity at the bind pose.
  std::vector<Eigen::Affine3d> Motions(const Skeleton& skeleton, const Pose& pose) const;

  std::vector<Eigen::Affine3d> joint_from_rest;  // one per joint
};

// InputError for a character without skinned parts or triangles, or with positions that are not finite.
RestSkin CollectRestSkin(const Character& character);

// Which triangles of the welded mesh enclose flesh. Others (eyes, teeth, hair, buttons) are small and follow skinning.
struct FleshSurface {
  TriMesh mesh;                // only those triangles, on the welded mesh's vertices that they use, facing outwards
  std::vector<int> welded_of;  // one per vertex of `mesh`
  std::vector<int> flesh_of;   // one per welded vertex: its vertex in `mesh`, -1 if it follows skinning
  std::vector<std::string> warnings;
};
FleshSurface FindFlesh(const Character& character, const RestSkin& skin);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_REST_SKIN_H_
