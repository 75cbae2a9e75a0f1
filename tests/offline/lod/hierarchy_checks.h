// What every hierarchy is asked.
#ifndef SINEW_TESTS_OFFLINE_LOD_HIERARCHY_CHECKS_H_
#define SINEW_TESTS_OFFLINE_LOD_HIERARCHY_CHECKS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/lod/hierarchy_measures.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::testing {

// What must hold for the operators of every hierarchy.
inline void ExpectSoundOperators(const lod::Hierarchy& hierarchy, const std::string& name) {
  ASSERT_EQ(hierarchy.U.size(), hierarchy.levels.size());
  for (int i = 0; i < hierarchy.level_count(); ++i) {
    const lod::Upsampling& U = hierarchy.U[i];
    ASSERT_EQ(U.fine_count(), hierarchy.level(i + 1).point_count) << name;
    ASSERT_EQ(U.coarse_count, i == 0 ? hierarchy.region_count() : hierarchy.level(i).point_count) << name;
    for (int f = 0; f < U.fine_count(); ++f) {
      const auto& w = U.weights[f];
      ASSERT_GE(*std::min_element(w.begin(), w.end()), 0) << name;
      ASSERT_NEAR(static_cast<double>(w[0]) + w[1] + w[2], 1, 1e-6) << name;
    }
    std::vector<float> most(U.coarse_count, 0);
    for (int f = 0; f < U.fine_count(); ++f) {
      for (int k = 0; k < 3; ++k) most[U.corners[f][k]] = std::max(most[U.corners[f][k]], U.weights[f][k]);
    }
    EXPECT_GT(*std::min_element(most.begin(), most.end()), 0.5f) << name << ": a point that owns no finer one";
    const lod::Coarsening C(U);
    const Eigen::MatrixXd coarse = Eigen::MatrixXd::Random(U.coarse_count, 3);
    EXPECT_LT((C.Apply(lod::Upsample(U, coarse)) - coarse).cwiseAbs().maxCoeff(), 1e-5) << name << ": C U = 1";
    const auto psi = lod::BasisFunctions(hierarchy, i + 1);
    ASSERT_EQ(psi.cols(), hierarchy.region_count());
    const Eigen::VectorXd sums = psi * Eigen::VectorXd::Ones(psi.cols());
    EXPECT_LT((sums.array() - 1).abs().maxCoeff(), 1e-5) << name << ": level " << i + 1;
  }
}

inline TriMesh MeshOfPoints(const lod::Level& level) {
  const TriMesh whole = lod::WholeMesh(level.character, level.character.skeleton.RestPose());
  TriMesh mesh;
  mesh.positions.resize(level.point_count, 3);
  for (int v = 0; v < level.vertex_count(); ++v) mesh.positions.row(level.point_of_vertex[v]) = whole.positions.row(v);
  mesh.triangles = whole.triangles.unaryExpr([&](int v) { return level.point_of_vertex[v]; });
  return mesh;
}

// How many islands there are of each kind: handles, boundary loops, and which side is out.
inline std::map<std::array<int, 3>, int> KindsOfIslands(const TriMesh& mesh) {
  const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  std::vector<double> volumes(topology.islands.size(), 0);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto c = Corners(mesh, t);
    if (topology.island_of[t] >= 0) volumes[topology.island_of[t]] += c[0].dot(c[1].cross(c[2]));
  }
  std::map<std::array<int, 3>, int> kinds;
  for (size_t i = 0; i < topology.islands.size(); ++i) {
    const Island& island = topology.islands[i];
    const int side = !island.watertight() ? 0 : volumes[i] > 0 ? 1 : -1;
    ++kinds[{island.genus().value_or(-1), island.boundary_loops, side}];
  }
  return kinds;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_OFFLINE_LOD_HIERARCHY_CHECKS_H_
