#include "sinew/offline/mesh/tet_block.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace sinew {

TetMesh MakeTetBlock(const Eigen::Vector3i& cubes, double h) {
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
          // Braces, since node() numbers what is new: only they are evaluated in order on every CPU.
          tets.push_back(Eigen::Vector4i{node(centre), node(at_end ? face : Eigen::Vector3i(face + out)),
                                         node(around[e]), node(around[e + 1])});
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

Triangles SurfaceOf(const TetMesh& mesh) {
  // Corners of the face opposite to each corner, counter-clockwise seen from outside.
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  struct Face {
    std::array<int, 3> corners;
    int count = 0;
  };
  std::map<std::array<int, 3>, Face> faces;  // by sorted corners
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (const int(&face)[3] : kFaces) {
      const std::array<int, 3> corners = {mesh.tets(t, face[0]), mesh.tets(t, face[1]), mesh.tets(t, face[2])};
      std::array<int, 3> sorted = corners;
      std::sort(sorted.begin(), sorted.end());
      Face& found = faces[sorted];
      found.corners = corners;
      ++found.count;
    }
  }
  std::vector<std::array<int, 3>> outer;
  for (const auto& [sorted, face] : faces) {
    if (face.count == 1) outer.push_back(face.corners);
  }
  Triangles triangles(static_cast<Eigen::Index>(outer.size()), 3);
  for (size_t i = 0; i < outer.size(); ++i) {
    for (int k = 0; k < 3; ++k) triangles(static_cast<Eigen::Index>(i), k) = outer[i][k];
  }
  return triangles;
}

}  // namespace sinew
