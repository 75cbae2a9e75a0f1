#include "tests/support/tet_families.h"

#include <array>
#include <map>

#include "sinew/offline/mesh/bcc_lattice.h"
#include "tests/support/mesh_families.h"

namespace sinew::testing {

TetMesh Bar(const Eigen::Vector3i& cubes, double h) {
  std::map<std::array<int, 3>, int> numbers;  // by position in half cubes
  std::vector<std::array<int, 3>> places;
  const auto node = [&](const Eigen::Vector3i& p) {
    const auto [at, is_new] = numbers.try_emplace({p[0], p[1], p[2]}, static_cast<int>(places.size()));
    if (is_new) places.push_back(at->first);
    return at->second;
  };
  std::vector<Eigen::Vector4i> tets;
  for (int i = 0; i < cubes.prod(); ++i) {
    const Eigen::Vector3i cell(i % cubes[0], i / cubes[0] % cubes[1], i / cubes[0] / cubes[1]);
    const Eigen::Vector3i centre = 2 * cell + Eigen::Vector3i::Ones();
    for (int axis = 0; axis < 3; ++axis) {
      for (const int side : {-1, 1}) {
        const bool at_end = cell[axis] + side < 0 || cell[axis] + side >= cubes[axis];
        if (!at_end && side < 0) continue;  // the other cube's
        const Eigen::Vector3i out = side * Eigen::Vector3i::Unit(axis);
        const Eigen::Vector3i u = Eigen::Vector3i::Unit((axis + 1) % 3),
                              v = side * Eigen::Vector3i::Unit((axis + 2) % 3);
        const Eigen::Vector3i face = centre + out;
        const Eigen::Vector3i around[5] = {face - u - v, face + u - v, face + u + v, face - u + v, face - u - v};
        for (int e = 0; e < 4; ++e) {
          tets.emplace_back(node(centre), node(at_end ? face : Eigen::Vector3i(face + out)), node(around[e]),
                            node(around[e + 1]));
        }
      }
    }
  }
  TetMesh mesh;
  mesh.positions.resize(static_cast<Eigen::Index>(places.size()), 3);
  for (size_t n = 0; n < places.size(); ++n) {
    for (int k = 0; k < 3; ++k) mesh.positions(static_cast<Eigen::Index>(n), k) = 0.5 * h * places[n][k];
  }
  mesh.tets.resize(static_cast<Eigen::Index>(tets.size()), 4);
  for (size_t t = 0; t < tets.size(); ++t) mesh.tets.row(static_cast<Eigen::Index>(t)) = tets[t].transpose();
  return mesh;
}

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
