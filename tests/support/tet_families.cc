#include "tests/support/tet_families.h"

#include "sinew/offline/mesh/bcc_lattice.h"
#include "sinew/offline/mesh/tet_block.h"
#include "tests/support/mesh_families.h"

namespace sinew::testing {

TetMesh Bar(const Eigen::Vector3i& cubes, double h) { return MakeTetBlock(cubes, h); }

std::vector<int> NodesBetween(const TetMesh& mesh, int axis, double low, double high) {
  std::vector<int> nodes;
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (mesh.positions(n, axis) >= low && mesh.positions(n, axis) <= high) nodes.push_back(n);
  }
  return nodes;
}

std::vector<TetFamily> TetFamilies() {
  TetMesh single;
  single.positions.resize(4, 3);
  single.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  single.tets.resize(1, 4);
  single.tets << 0, 1, 2, 3;
  return {
      {"single", single},
      {"cube", Bar({1, 1, 1}, 0.5)},
      {"bar", Bar({4, 2, 2}, 0.1)},
      {"torus", CoverByLattice(Torus(), 0.5)},
      {"islands", CoverByLattice(ManyIslands(2), 1.1)},
  };
}

}  // namespace sinew::testing
