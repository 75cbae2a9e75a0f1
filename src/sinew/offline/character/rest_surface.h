// Surface of a character at rest: its parts in one space, welded, with their weights. This file alone defines what rest
// means for characters with several skins, rigid parts or bad positions.
//
// - Space: bind space is mesh data space of the main skin, where borders of parts meet exactly. The main skin is the
//   one with the most vertices. For a character without skins, bind space is model space.
// - Several skins: the mesh data of each skin is mapped to bind space as one piece, by the joint that carries most of
//   it. For skins that were bound in one pose, which nearly all are, every joint gives the same map.
// - Rigid parts: a part attached to a joint is placed by that joint and moves with it. A part without skin stands where
//   its node places it, and no joint moves it.
// - Welding: vertices at the same position become one point if their parts are in the same space: skins with equal bind
//   matrices, rigid parts of one skin, unskinned parts with equal placement. A hat is not welded to the head.
// - Bad positions: vertices that are not finite, or out of reach (mesh/reach.h), are kept and reported; callers that
//   cannot use them call RefuseBadPositions().
#ifndef SINEW_OFFLINE_CHARACTER_REST_SURFACE_H_
#define SINEW_OFFLINE_CHARACTER_REST_SURFACE_H_

#include <Eigen/Geometry>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/character/influences.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew {

// Placement of mesh data and joints at rest.
struct RestPlacement {
  int main_skin = -1;  // index into Character::skins; -1: the character has no skin with vertices
  Eigen::Affine3d model_from_bind = Eigen::Affine3d::Identity();
  // One per joint: its frame in the bind pose of the main skin; joints that this lacks coincide with their parent.
  // Without a main skin: its frame in the rest pose.
  std::vector<Eigen::Affine3d> bind_from_joint;
  std::vector<Eigen::Affine3d> bind_from_mesh;  // one per skin; identity for the main skin and those bound like it
  std::vector<int> space_of_skin;               // one per skin: index of the first skin in the same space

  // Return the map from a part's mesh data space to bind space and to model space.
  Eigen::Affine3d BindFromMesh(const Part& part) const;
  Eigen::Affine3d ModelFromMesh(const Part& part) const { return model_from_bind * BindFromMesh(part); }
};

// Finds the main skin and the placement of all skins and joints.
RestPlacement PlaceAtRest(const Character& character);

// Returns the bind pose of the main skin (BindPose()); without a main skin, the rest pose. In it skinning shows the
// mesh as it was modelled, up to a motion of the whole, and the truth is no other shape. Files may rest in another
// pose.
Pose MainBindPose(const Character& character);

struct RestSurface {
  RestPlacement placement;
  std::vector<int> parts;              // indices into Character::parts of the collected parts, increasing
  TriMesh mesh;                        // collected parts one after the other, in bind space; not welded
  std::vector<int> first_vertex;       // one per entry of `parts`, and the number of vertices
  std::vector<int> first_triangle;     // one per entry of `parts`, and the number of triangles
  std::vector<int> part_of;            // one per vertex: index into Character::parts
  std::vector<Influences> influences;  // one per vertex
  Welding welding;                     // of the vertices into points
  TriMesh welded;                      // triangles on points, as many as in mesh; some may have equal corners
  std::vector<int> bad_vertices;       // vertices whose position is not finite or out of reach

  // Converts a triangle of mesh to (index into Character::parts, triangle of that part).
  std::array<int, 2> PartTriangle(int triangle) const;
};

// Collects the surface of a character. wanted(p): whether to collect part p; if empty, all parts are collected.
RestSurface CollectRestSurface(const Character& character, const std::function<bool(int)>& wanted = {});

// Throws InputError, naming `file` and the vertex of a part or the joint, if one of the surface's vertices or a joint,
// at rest or in the bind pose, has a position that is not finite or out of reach (mesh/reach.h).
void RefuseBadPositions(const Character& character, const RestSurface& surface, const std::string& file);

// Whether a part is skinned, rather than rigidly attached to a joint or without skin.
bool IsSkinned(const Character& character, const Part& part);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_REST_SURFACE_H_
