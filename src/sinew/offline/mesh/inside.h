// Which points are inside a surface that may be open, and may have pieces inside each other.
#ifndef SINEW_OFFLINE_MESH_INSIDE_H_
#define SINEW_OFFLINE_MESH_INSIDE_H_

#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns those of the points that are inside the surface and deeper than `depth`, in their order. points: indices of
// the mesh's positions. A point is inside if the winding number is above one half there and it is behind the nearest
// point of the surface: above the rim of a hole, the winding number alone says little.
std::vector<int> FindInside(const TriMesh& mesh, const std::vector<int>& points, double depth);

// Points, and the part of a surface that they are outside of.
struct OutsideOf {
  Triangles triangles;
  std::vector<int> points;
};

// Groups points by what they are outside of: all of the surface, but for those of its connected pieces that they are
// inside of, deeper than `depth`. A belt between trousers and the jacket over them is outside the trousers. Points that
// are inside all pieces are in no group. points: increasing.
std::vector<OutsideOf> GroupByOutside(const TriMesh& mesh, const std::vector<int>& points, double depth);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_INSIDE_H_
