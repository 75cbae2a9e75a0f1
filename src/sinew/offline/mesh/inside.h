// Which points are inside a surface that may be open, and may have pieces inside each other.
#ifndef SINEW_OFFLINE_MESH_INSIDE_H_
#define SINEW_OFFLINE_MESH_INSIDE_H_

#include <vector>

#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns those of the points that are inside the surface and deeper than `depth`, in their order. points: indices of
// the mesh's positions. A point is inside if the winding number is above one half there and it is behind the nearest
// point of the surface: above the rim of a hole, the winding number alone says little.
std::vector<int> FindInside(const TriMesh& mesh, const std::vector<int>& points, double depth);

// Points that came through a cover: in front of the point of it that is nearest to them, by more than `height`, up to
// `reach`. Points beside the cover, for which that is at its rim, are not under it. In their order.
std::vector<int> FindThrough(const TriMesh& cover, const std::vector<int>& points, double height, double reach);

// Which vertices are on the rim of a surface, where it is open.
std::vector<bool> FindRim(const TriMesh& mesh);
// Whether a point of the surface is at its rim.
bool AtRim(const TriMesh& mesh, const std::vector<bool>& rim, const SurfacePoint& at);

// Points, and the parts of a surface that they are on the same side of.
struct Sides {
  Triangles below;  // what they are outside of
  Triangles cover;  // what they are inside of
  std::vector<int> points;
};

// Groups points by those connected pieces of the surface that they are inside of, deeper than `depth`: a belt between
// trousers and the jacket over them has the trousers below and the jacket as its cover. points: increasing.
std::vector<Sides> GroupBySides(const TriMesh& mesh, const std::vector<int>& points, double depth);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_INSIDE_H_
