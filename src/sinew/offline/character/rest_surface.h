// The surface of a character at rest: its parts in one space, welded, with their weights. What rest is for a character
// of several skins, with rigid parts or bad positions, is decided here and nowhere else.
//
// Space.          Bind space is the space of the main skin's mesh data, where borders of parts meet exactly. The main
// skin is
//                 the one with most vertices. A character without skins has the model's space.
// Several skins.  A skin's mesh data is brought to bind space as one piece, by the joint that carries most of it. For
// skins that
//                 were bound in one pose, which are nearly all, every joint gives the same map.
// Rigid parts.    A part that hangs on a joint is placed by that joint and moves with it. A part without skin stands
// where its
//                 node puts it, and moves with nothing.
// Welding.        Vertices at one place are one point if their parts are in one space: skins with equal bind matrices,
// rigid
//                 parts of one skin, unskinned parts with equal placement. A hat does not become one with the head.
// Bad positions.  Vertices that are not finite are kept and reported; RefuseBadPositions() is for those who cannot use
// them.
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

// Where mesh data and joints are at rest.
struct RestPlacement {
  int main_skin = -1;  // -1: the character has no skin with vertices
  Eigen::Affine3d model_from_bind = Eigen::Affine3d::Identity();
  std::vector<Eigen::Affine3d> bind_from_joint;  // one per joint: where the main skin was bound, or as its parent
  std::vector<Eigen::Affine3d> bind_from_mesh;   // one per skin; identity for the main skin and those bound like it
  std::vector<int> space_of_skin;                // one per skin: the first skin that is in the same space

  Eigen::Affine3d BindFromMesh(const Part& part) const;
  Eigen::Affine3d ModelFromMesh(const Part& part) const { return model_from_bind * BindFromMesh(part); }
};

RestPlacement PlaceAtRest(const Character& character);

struct RestSurface {
  RestPlacement placement;
  std::vector<int> parts;              // those of the character that were collected, in order
  TriMesh mesh;                        // their vertices one part after the other, in bind space; not welded
  std::vector<int> first_vertex;       // one per entry of `parts`, and the end
  std::vector<int> first_triangle;     // likewise
  std::vector<int> part_of;            // one per vertex: its part of the character
  std::vector<Influences> influences;  // one per vertex
  Welding welding;                     // of the vertices into points
  TriMesh welded;                      // the triangles on points; some may have equal corners
  std::vector<int> bad_vertices;       // those whose position is not finite

  // (part of the character, triangle of that part).
  std::array<int, 2> PartTriangle(int triangle) const;
};

// wanted(p): whether part p is collected; all are without it.
RestSurface CollectRestSurface(const Character& character, const std::function<bool(int)>& wanted = {});

// Throws InputError, naming `file`, the part and the vertex, if a position is not finite.
void RefuseBadPositions(const Character& character, const RestSurface& surface, const std::string& file);

// Whether a part is skinned, and not only hung on a joint.
bool IsSkinned(const Character& character, const Part& part);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_REST_SURFACE_H_
