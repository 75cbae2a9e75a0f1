// Embeds points in tetrahedra, which they then follow: a skin in its flesh.
#ifndef SINEW_OFFLINE_MESH_EMBEDDING_H_
#define SINEW_OFFLINE_MESH_EMBEDDING_H_

#include <vector>

#include "sinew/offline/mesh/tet_mesh.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct Embedding {
  std::vector<int> tets;  // one per point: the tetrahedron that it lies in
  // Barycentric coordinates in that tetrahedron, one row per point: sum 1, none below -1e-6.
  Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> weights;

  int point_count() const { return static_cast<int>(tets.size()); }
};

// Embeds points in a mesh. Of several tetrahedra that hold a point, takes the one in which it lies deepest, the first
// of equals. Throws FailedError if a point is in none.
Embedding Embed(const Points& points, const TetMesh& mesh);

// Returns the positions of the points when the mesh's nodes are at `nodes`.
Nodes Follow(const Embedding& embedding, const Tets& tets, const Nodes& nodes);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_EMBEDDING_H_
