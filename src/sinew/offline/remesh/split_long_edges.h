// Splits the long edges of a triangle mesh, with a map from the new triangles to the source.
#ifndef SINEW_OFFLINE_REMESH_SPLIT_LONG_EDGES_H_
#define SINEW_OFFLINE_REMESH_SPLIT_LONG_EDGES_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"

namespace sinew {

struct SplitMesh {
  FineMesh mesh;             // the vertices of the source come first, as they are
  std::vector<int> sources;  // one per triangle: the triangle of the source that it lies in
  // One per triangle: column k holds the barycentric coordinates of its corner k in that triangle.
  std::vector<Eigen::Matrix3d> corners;
};

// Splits edges at their middles until none is longer than `longest`, or the mesh has max_vertices or more. The surface
// stays what it is, and triangles that shared an edge share its pieces, in any triangle soup.
SplitMesh SplitLongEdges(const FineMesh& source, double longest, int max_vertices);

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_SPLIT_LONG_EDGES_H_
