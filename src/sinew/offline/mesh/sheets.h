// Cuts any triangle soup into manifold sheets.
#ifndef SINEW_OFFLINE_MESH_SHEETS_H_
#define SINEW_OFFLINE_MESH_SHEETS_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

Triangles ToRows(const std::vector<Eigen::Vector3i>& triangles);

// Manifold, open or closed, of the same triangles. Surfaces are cut apart where more than two triangles meet at an
// edge, where neighbours run the same way along it, and where two fans meet at a point only.
struct Sheets {
  std::vector<Eigen::Vector3i> triangles;  // of sheet vertices
  std::vector<int> point_of;               // one per sheet vertex
  std::vector<bool> cut;  // one per sheet vertex: whether its point has other sheet vertices, or lies on a cut
};
Sheets CutIntoSheets(const std::vector<Eigen::Vector3i>& triangles, int point_count);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SHEETS_H_
