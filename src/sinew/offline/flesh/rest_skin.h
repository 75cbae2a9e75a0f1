// Rest shape of a character for flesh simulation: all parts at rest in one space, welded, the motions of the joints
// from there, the roles of its pieces, and the part of the surface that encloses flesh.
#ifndef SINEW_OFFLINE_FLESH_REST_SKIN_H_
#define SINEW_OFFLINE_FLESH_REST_SKIN_H_

#include <string>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::flesh {

// Rest surface of a character (character/rest_surface.h), brought from bind space to model space by the first joint of
// its main skin.
struct RestSkin {
  TriMesh mesh;                         // all parts, one after the other
  std::vector<int> first_vertex;        // one per part, and the end
  std::vector<Influences> influences;   // one per vertex; none for parts that move with nothing
  std::vector<int> part_of;             // one per vertex: index of its part
  Welding welding;                      // of the vertices of `mesh`
  TriMesh welded;                       // `mesh` with its vertices welded
  Roles roles;                          // of the pieces of `welded`
  std::vector<Eigen::Vector3d> joints;  // positions at rest, one per joint

  // Motions from rest to the pose in model space, one per joint. All are the identity at the bind pose.
  std::vector<Eigen::Affine3d> Motions(const Skeleton& skeleton, const Pose& pose) const;

  std::vector<Eigen::Affine3d> joint_from_rest;  // one per joint
};

// Collects all parts of the character. given: roles of parts (FindRoles). Throws InputError for a character that no
// joint moves, or with positions that are not finite, and UsageError if `given` names a part that it lacks.
RestSkin CollectRestSkin(const Character& character, const std::vector<GivenRole>& given = {});

// Part of the welded mesh that is flesh, without what other flesh hides (hidden_flesh.h).
struct FleshSurface {
  TriMesh mesh;                       // triangles of flesh, facing outwards, and the welded vertices that they use
  std::vector<int> welded_of;         // one per vertex of `mesh`: index of its welded vertex
  std::vector<int> flesh_of;          // one per welded vertex: index of its vertex in `mesh`, -1 if it is not in it
  std::vector<std::string> warnings;  // one sentence each
};
// Takes the pieces of the welded mesh that are flesh; there may be none. Throws InputError if there are no triangles.
FleshSurface TakeFlesh(const Character& character, const RestSkin& skin);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_REST_SKIN_H_
