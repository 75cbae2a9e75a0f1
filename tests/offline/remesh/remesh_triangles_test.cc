#include "sinew/offline/remesh/remesh_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/closest_point.h"
#include "sinew/offline/mesh/edit_mesh.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/support/mesh_checks.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

FineMesh Fine(const TriMesh& mesh) {
  FineMesh fine;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    fine.positions.emplace_back(mesh.positions.row(v).transpose().cast<double>());
  }
  for (int t = 0; t < mesh.triangle_count(); ++t) fine.triangles.emplace_back(mesh.triangles.row(t).transpose());
  return fine;
}

Vector3d PlaceOf(const SurfaceMap& map, int v, const FineMesh& source) {
  const Eigen::Vector3i& t = source.triangles[map.triangles[v]];
  Vector3d place = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) place += map.barycentric[v][k] * source.positions[t[k]];
  return place;
}

void ExpectMapLeadsBack(const RemeshedTriangles& remeshed, const FineMesh& source) {
  ASSERT_EQ(remeshed.map.count(), static_cast<int>(remeshed.result.mesh.positions.size()));
  for (int v = 0; v < remeshed.map.count(); ++v) {
    EXPECT_NEAR(remeshed.map.barycentric[v].sum(), 1, 1e-5);
    EXPECT_GE(remeshed.map.barycentric[v].minCoeff(), 0);
    const Vector3d back = PlaceOf(remeshed.map, v, source) + remeshed.map.offsets[v].cast<double>();
    EXPECT_LT((back - remeshed.result.mesh.positions[v]).norm(), 1e-5);
  }
}

std::vector<double> BorderPoints(const LabelledMesh& mesh) {
  std::vector<double> x;
  const EditMesh edit(mesh.mesh);
  for (int h = 0; h < edit.half_edge_slots(); ++h) {
    const int g = edit.Opposite(h);
    if (g != EditMesh::kNone && mesh.labels[h / 3] != mesh.labels[g / 3]) x.push_back(edit.positions[edit.From(h)].x());
  }
  return x;
}

// A thing with fingers: as a hand has them, thinner than the edges of a coarse mesh.
TriMesh Comb() {
  TriMesh comb = testing::Moved(testing::Sphere(48, 24), {0, 0, 0}, 1);
  for (int v = 0; v < comb.vertex_count(); ++v) {
    auto p = comb.positions.row(v);
    p.z() *= 2 + 0.3F * std::cos(6 * p.y());
    p.x() *= 0.4F;
  }
  return comb;
}

TEST(RemeshIsotropic, KeepsTopologyOfEveryManifoldFamily) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    if (!family.manifold || !family.orientable) continue;
    SCOPED_TRACE(family.name);
    const FineMesh source = Fine(family.mesh);
    const RemeshedTriangles remeshed = RemeshIsotropic({source, {}}, {.vertex_count = 300, .seed = 3});
    const MeshFacts before = Facts(source), after = Facts(remeshed.result.mesh);
    EXPECT_TRUE(after.manifold);
    EXPECT_EQ(after.components, before.components);
    EXPECT_EQ(after.boundary_loops, before.boundary_loops);
    EXPECT_EQ(after.euler, before.euler);
    ExpectMapLeadsBack(remeshed, source);
  }
}

TEST(RemeshIsotropic, MakesTheWantedNumberOfGoodTriangles) {
  const FineMesh source = Fine(testing::Torus(60, 30));
  for (const int vertices : {400, 1500, 4000}) {
    const RemeshedTriangles remeshed = RemeshIsotropic({source, {}}, {.vertex_count = vertices});
    EXPECT_TRUE(remeshed.reached);
    EXPECT_EQ(static_cast<int>(remeshed.result.mesh.positions.size()), vertices);
    int small = 0;
    for (const Eigen::Vector3i& t : remeshed.result.mesh.triangles)
      small += SmallestAngle(remeshed.result.mesh, t) < 30;
    EXPECT_LE(small, 0.02 * static_cast<double>(remeshed.result.mesh.triangles.size()));
  }
}

TEST(RemeshIsotropic, KeepsTheVolumeOfClosedSheets) {
  const TriMesh comb = Comb();
  const RemeshedTriangles remeshed = RemeshIsotropic({Fine(comb), {}}, {.vertex_count = 200});
  EXPECT_NEAR(Volume(remeshed.result.mesh) / SignedVolume(comb), 1, 0.002);
}

TEST(RemeshIsotropic, KeepsTheBoundaryWhereItWas) {
  const FineMesh source = Fine(testing::Grid(20, 14));
  const RemeshedTriangles remeshed = RemeshIsotropic({source, {}}, {.vertex_count = 150, .seed = 1});
  const FineMesh& mesh = remeshed.result.mesh;
  double area = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vector3d& a = mesh.positions[t[0]];
    const Vector3d normal = (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a);
    EXPECT_GT(normal.z(), 0);
    area += normal.z() / 2;
  }
  EXPECT_NEAR(area, 1, 1e-6);
}

TEST(RemeshIsotropic, KeepsBordersBetweenLabels) {
  LabelledMesh source{Fine(testing::Grid(20, 14)), {}};
  for (const Eigen::Vector3i& t : source.mesh.triangles) {
    const double x = (source.mesh.positions[t[0]] + source.mesh.positions[t[1]] + source.mesh.positions[t[2]]).x() / 3;
    source.labels.push_back(x < 0.5 ? 7 : 9);
  }
  for (const bool edit : {false, true}) {
    const RemeshedTriangles remeshed = edit ? EditAtRandom(source, {.flips = 200, .splits = 100, .collapses = 80})
                                            : RemeshIsotropic(source, {.vertex_count = 200});
    EXPECT_EQ(std::set<int>(remeshed.result.labels.begin(), remeshed.result.labels.end()), (std::set<int>{7, 9}));
    const std::vector<double> border = BorderPoints(remeshed.result);
    EXPECT_GT(border.size(), 5U);
    for (const double x : border) EXPECT_NEAR(x, 0.5, 1e-6);
  }
}

TEST(RemeshIsotropic, SeedsDifferAndRepeat) {
  const LabelledMesh source{Fine(testing::Torus()), {}};
  const auto make = [&](uint64_t seed) { return RemeshIsotropic(source, {.vertex_count = 500, .seed = seed}); };
  const RemeshedTriangles one = make(1), again = make(1), other = make(2);
  EXPECT_EQ(one.result.mesh.triangles, again.result.mesh.triangles);
  EXPECT_EQ(one.result.mesh.positions, again.result.mesh.positions);
  EXPECT_NE(one.result.mesh.triangles, other.result.mesh.triangles);
  SetThreads(1);
  const RemeshedTriangles alone = make(1);
  SetThreads(0);
  EXPECT_EQ(one.result.mesh.positions, alone.result.mesh.positions);
}

TEST(RemeshIsotropic, TakesAnyTriangleSoup) {
  for (const TriMesh& mesh : {testing::Soup(60), testing::Book(), testing::MoebiusStrip(),
                              testing::TwoCubesSharingAnEdge(), testing::TwoCubesSharingAVertex()}) {
    const FineMesh source = Fine(mesh);
    ExpectMapLeadsBack(RemeshIsotropic({source, {}}, {.vertex_count = 300}), source);
    ExpectMapLeadsBack(EditAtRandom({source, {}}, {.flips = 10, .splits = 10, .collapses = 10}), source);
  }
}

TEST(EditAtRandom, MakesAsManyEditsAsWantedOnTheSource) {
  const FineMesh source = Fine(testing::Torus(60, 30));
  const RemeshedTriangles edited =
      EditAtRandom({source, {}}, {.flips = 800, .splits = 300, .collapses = 500, .seed = 5});
  EXPECT_TRUE(edited.reached);
  EXPECT_EQ(edited.result.mesh.positions.size(), source.positions.size() + 300 - 500);
  const MeshFacts facts = Facts(edited.result.mesh);
  EXPECT_TRUE(facts.manifold);
  EXPECT_EQ(facts.euler, 0);
  ExpectMapLeadsBack(edited, source);
  for (int v = 0; v < edited.map.count(); ++v) EXPECT_LT(edited.map.offsets[v].norm(), 0.02);
  EXPECT_NEAR(Volume(edited.result.mesh) / Volume(source), 1, 0.001);
}

TEST(SurfaceFollower, CarriesMotionsOfTheWholeExactly) {
  const TriMesh source = testing::Torus(40, 20);
  const RemeshedTriangles remeshed = RemeshIsotropic({Fine(source), {}}, {.vertex_count = 300});
  const SurfaceFollower follower(source, remeshed.map);
  const Eigen::AngleAxisf turn(2.0F, Eigen::Vector3f(1, 2, 3).normalized());
  Points moved = (source.positions * turn.toRotationMatrix().transpose()).rowwise() + Eigen::RowVector3f(1, 2, 3);
  const Points carried = follower.Follow(moved);
  for (int v = 0; v < carried.rows(); ++v) {
    const Eigen::Vector3f wanted = turn * remeshed.result.mesh.positions[v].cast<float>() + Eigen::Vector3f(1, 2, 3);
    EXPECT_LT((carried.row(v).transpose() - wanted).norm(), 1e-5F);
  }
}

TEST(SurfaceFollower, RefusesOtherShapes) {
  const TriMesh source = testing::Torus();
  SurfaceMap map;
  map.Add(100000, Vector3d::UnitX(), Vector3d::Zero());
  EXPECT_THROW(SurfaceFollower(source, map), std::exception);
  map.triangles[0] = 0;
  EXPECT_THROW(SurfaceFollower(source, map).Follow(Points::Zero(3, 3)), std::exception);
}

TEST(Chain, LeadsToWhereBothMapsLead) {
  const TriMesh source = testing::Torus(60, 30);
  const RemeshedTriangles first = RemeshIsotropic({Fine(source), {}}, {.vertex_count = 700});
  const TriMesh middle = ToTriMesh(first.result.mesh);
  const RemeshedTriangles second = RemeshIsotropic({first.result.mesh, {}}, {.vertex_count = 300});
  const SurfaceMap chained = Chain(second.map, middle, first.map, Fine(source));
  const Points rest = SurfaceFollower(source, chained).Follow(source.positions);
  for (int v = 0; v < rest.rows(); ++v) {
    EXPECT_LT((rest.row(v).transpose().cast<double>() - second.result.mesh.positions[v]).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace sinew
