#include "sinew/offline/mesh/delta_mush.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using Cloud = DeltaMush::Cloud;

struct Mushed {
  explicit Mushed(const TriMesh& given)
      : mesh(given),
        neighbors(VertexVertices(BuildEdges(mesh.triangles, mesh.vertex_count()), mesh.vertex_count())),
        rest(mesh.positions.cast<double>().transpose()),
        delta_mush(neighbors, mesh.triangles, rest) {}

  TriMesh mesh;
  Csr neighbors;
  Cloud rest;
  DeltaMush delta_mush;
};

TEST(DeltaMush, LeavesRestAndRigidMotionsAlone) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    // Where sides of a surface change, normals cancel, and frames turn with rounding.
    const Topology topology = AnalyzeTopology(family.mesh.triangles, family.mesh.vertex_count());
    if (!std::all_of(topology.islands.begin(), topology.islands.end(), [](const Island& i) { return i.orientable; })) {
      continue;
    }
    const Mushed mushed(family.mesh);
    const double size = std::max(1e-3, mushed.rest.cwiseAbs().maxCoeff());
    EXPECT_LT((mushed.delta_mush.Apply(mushed.rest) - mushed.rest).cwiseAbs().maxCoeff(), 1e-9 * size) << family;
    const Eigen::Affine3d motion =
        Eigen::Translation3d(1, -2, 3) * Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -1).normalized());
    const Cloud moved = (motion.linear() * mushed.rest).colwise() + motion.translation();
    EXPECT_LT((mushed.delta_mush.Apply(moved) - moved).cwiseAbs().maxCoeff(), 1e-6 * size) << family;
  }
}

TEST(DeltaMush, TakesNoiseAway) {
  const Mushed mushed(testing::Sphere(32, 24));
  Random random(5);
  Cloud noisy = mushed.rest;
  for (double& value : noisy.reshaped()) value += random.Uniform(-0.02, 0.02);
  const double before = (noisy - mushed.rest).norm(), after = (mushed.delta_mush.Apply(noisy) - mushed.rest).norm();
  EXPECT_LT(after, 0.5 * before);
}

}  // namespace
}  // namespace sinew
