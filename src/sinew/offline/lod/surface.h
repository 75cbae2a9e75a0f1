// A character's parts as one surface, on which simplification and the operators between levels work.
//
// Files split a vertex where UVs or materials change, and may hold surfaces that are not manifold. Three words tell the
// meanings of "vertex" apart:
//   vertex  of a file: part by part, in the parts' order; numbered over all parts of the character.
//   point   of the surface: vertices at one place, welded. The operators map fields on points.
//   wedge   part, UVs and colours that vertices at one point have in common on one side of a seam (H. Hoppe, "New
//           Quadric Metric for Simplifying Meshes with Appearance Attributes", 1999).
#ifndef SINEW_OFFLINE_LOD_SURFACE_H_
#define SINEW_OFFLINE_LOD_SURFACE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::lod {

struct Surface {
  std::vector<Eigen::Vector3d> positions;  // positions of points; model space, bind pose
  std::vector<Eigen::Vector3i> triangles;  // corners as points, all different; part by part
  std::vector<Eigen::Vector3i> wedges;     // wedges of the triangles' corners, one row per triangle
  std::vector<int> part_of;                // one per triangle
  std::vector<int> point_of_wedge;         // one per wedge
  Eigen::MatrixXd wedge_attributes;        // one row per wedge; see AttributeColumns
  std::vector<int> point_of_vertex;        // one per vertex of the character
  std::vector<int> first_vertex;           // one per part, and one more: its first vertex
  int dropped_triangles = 0;               // number of triangles with equal corners after welding

  int point_count() const { return static_cast<int>(positions.size()); }
  int triangle_count() const { return static_cast<int>(triangles.size()); }
  int wedge_count() const { return static_cast<int>(point_of_wedge.size()); }
  int part_count() const { return static_cast<int>(first_vertex.size()) - 1; }
};

// Number of columns of wedge_attributes that a part uses: all components of its VertexAttributes in turn, from column
// 0. Other parts use the same columns for theirs.
int AttributeColumns(const Part& part);

// Returns the transform of a part's mesh data to model space in the bind pose.
Eigen::Affine3d ModelFromMesh(const Character& character, const Part& part);

// Builds a character's surface. Throws InputError (naming `file`) for positions that are not finite, or if there is no
// triangle.
Surface BuildSurface(const Character& character, const std::string& file);

// Returns the points and triangles alone.
TriMesh ToTriMesh(const Surface& surface);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SURFACE_H_
