// Points that follow the tetrahedra they lie in: a skin in its flesh.
#ifndef SINEW_OFFLINE_MESH_EMBEDDING_H_
#define SINEW_OFFLINE_MESH_EMBEDDING_H_

#include <vector>

#include "sinew/offline/mesh/tet_mesh.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct Embedding {
  std::vector<int> tets;  // one a point
  // Barycentric, of the tetrahedron's corners: sum 1, none below -1e-6.
  Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> weights;

  int point_count() const { return static_cast<int>(tets.size()); }
};

// Of several tetrahedra that hold a point, the one in which it lies deepest, the first of equals. FailedError if a
// point is in none.
Embedding Embed(const Points& points, const TetMesh& mesh);

// Where the points are when the mesh's nodes are at `nodes`.
Nodes Follow(const Embedding& embedding, const Tets& tets, const Nodes& nodes);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_EMBEDDING_H_
