// Test bodies of tetrahedra.
#ifndef SINEW_TESTS_SUPPORT_TET_FAMILIES_H_
#define SINEW_TESTS_SUPPORT_TET_FAMILIES_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::testing {

// A box of cubes of edge h from the origin, filled by a body-centred cubic lattice whose tetrahedra are cut in halves
// at the sides: it conforms to the box, and looks the same from all directions.
TetMesh Bar(const Eigen::Vector3i& cubes, double h);

// Nodes whose coordinate `axis` lies in [low, high].
std::vector<int> NodesBetween(const TetMesh& mesh, int axis, double low, double high);

struct TetFamily {
  std::string name;
  TetMesh mesh;
};

std::vector<TetFamily> TetFamilies();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_TET_FAMILIES_H_
