// Flattens the two triangulations around a collapsing edge, before and after, into one plane.
//
// Successive self-parameterisation (H.-T. D. Liu, J. E. Zhang, M. Ben-Chen, A. Jacobson, "Surface Multigrid via
// Intrinsic Prolongation", 2021): the triangles before the collapse (around I and J) and those after it (around V) have
// the same outline, so both can be flattened together, with the outline shared. A point of the plane is then a place on
// both triangulations.
#ifndef SINEW_OFFLINE_MESH_FLATTEN_H_
#define SINEW_OFFLINE_MESH_FLATTEN_H_

#include <Eigen/Core>
#include <array>
#include <vector>

namespace sinew {

struct Patch {
  // Local vertices: the removed one, the kept one, the one that replaces both, then their neighbours.
  static constexpr int kI = 0, kJ = 1, kV = 2, kRing = 3;
  std::vector<Eigen::Vector3d> positions;
  std::vector<std::array<int, 3>> before;  // counter-clockwise; all have I or J
  std::vector<std::array<int, 3>> after;   // all have V
  int v_is = kV;                           // kI or kJ: V is that very point of the surface
  // If I-J is a boundary edge: the boundary runs first, I, J, last, inside to the left. Otherwise -1.
  int first = -1, last = -1;
  // If neither I nor J is on the boundary, the ring is in counter-clockwise order, and this is true.
  bool ring_is_cycle = false;

  int vertex_count() const { return static_cast<int>(positions.size()); }
};

using Plane = std::vector<Eigen::Vector2d>;

// Flattens a patch by a least-squares conformal map of both triangulations at once (B. Levy et al., "Least Squares
// Conformal Maps for Automatic Texture Atlas Generation", 2002). Where that folds a triangle over and the patch is a
// closed ring, the map is convex instead: the ring on a circle, inner vertices as averages of their neighbours. Along a
// boundary the four boundary vertices and V stay on one line, so that the outline is the same before and after. Returns
// false if some triangle could not be kept from folding over.
bool Flatten(const Patch& patch, Plane& uv);

// Returns the barycentric coordinates of a place in a triangle of the plane; of any sign outside of it.
Eigen::Vector3d Barycentric(const Plane& uv, const std::array<int, 3>& triangle, const Eigen::Vector2d& place);

// Triangle that holds a place, or comes nearest to holding it, and barycentric coordinates in it: none negative, sum 1.
struct Place {
  int triangle = -1;
  Eigen::Vector3d barycentric;
};
Place Locate(const Plane& uv, const std::vector<std::array<int, 3>>& triangles, const Eigen::Vector2d& place);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_FLATTEN_H_
