#include "sinew/offline/mesh/bcc_lattice.h"

#include <gtest/gtest.h>

#include <map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/embedding.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using testing::MeshFamily;

double Diagonal(const TriMesh& mesh) { return BoundingBox(mesh.positions).cast<double>().diagonal().norm(); }

// Every vertex, and random points of random triangles.
Points SurfacePoints(const TriMesh& mesh, int count, uint64_t seed = 1) {
  Random random(seed);
  Points points(mesh.vertex_count() + count, 3);
  points.topRows(mesh.vertex_count()) = mesh.positions;
  for (int i = 0; i < count; ++i) {
    const auto corners = Corners(mesh, static_cast<int>(random.Below(mesh.triangle_count())));
    const double r = std::sqrt(random.Uniform()), s = random.Uniform();
    const Vector3d p = (1 - r) * corners[0] + r * (1 - s) * corners[1] + r * s * corners[2];
    points.row(mesh.vertex_count() + i) = p.cast<float>().transpose();
  }
  return points;
}

class BccLattice : public ::testing::TestWithParam<MeshFamily> {
 protected:
  const TriMesh& mesh() const { return GetParam().mesh; }
  // Coarse and fine, the fine one with lattice planes in the sides of boxes.
  std::vector<double> CellSizes() const { return {Diagonal(mesh()) / 5, Diagonal(mesh()) / std::sqrt(3) / 8}; }
};
INSTANTIATE_TEST_SUITE_P(Families, BccLattice, ::testing::ValuesIn(testing::MeshFamilies()),
                         [](const auto& family) { return family.param.name; });

TEST_P(BccLattice, HoldsEveryPointOfTheSurface) {
  for (const double h : CellSizes()) {
    const TetMesh lattice = CoverByLattice(mesh(), h);
    const Points points = SurfacePoints(mesh(), 500);
    const Embedding embedding = Embed(points, lattice);
    EXPECT_GE(embedding.weights.minCoeff(), -1e-6);
    EXPECT_NEAR(embedding.weights.rowwise().sum().minCoeff(), 1, 1e-12);
    const Nodes back = Follow(embedding, lattice.tets, lattice.positions);
    EXPECT_LE((back - points.cast<double>()).cwiseAbs().maxCoeff(), 1e-9 * Diagonal(mesh()));
  }
}

TEST_P(BccLattice, HoldsTheInside) {
  const Box box = BoundingBox(mesh().positions);
  Random random(2);
  for (const double h : CellSizes()) {
    const TetMesh lattice = CoverByLattice(mesh(), h);
    Points inside(0, 3);
    for (int i = 0; i < 500; ++i) {
      const Eigen::Vector3f at = Eigen::Vector3d{random.Uniform(), random.Uniform(), random.Uniform()}.cast<float>();
      const Eigen::Vector3f p = box.min() + at.cwiseProduct(box.sizes());
      // Across a hole the border of the inside is the winding number's, cut to whole tetrahedra.
      if (!GetParam().closed() || std::abs(WindingNumberByDefinition(mesh(), p)) < 0.5) continue;
      inside.conservativeResize(inside.rows() + 1, 3);
      inside.bottomRows(1) = p.transpose();
    }
    EXPECT_NO_THROW(Embed(inside, lattice));
  }
}

TEST_P(BccLattice, IsMadeOfTheOneShapeAndConforms) {
  for (const double h : CellSizes()) {
    const TetMesh lattice = CoverByLattice(mesh(), h);
    std::vector<int> uses(lattice.node_count(), 0);
    std::map<std::array<int, 3>, int> faces;
    for (int t = 0; t < lattice.tet_count(); ++t) {
      const TetCorners corners = CornersOf(lattice, t);
      ASSERT_NEAR(SignedVolume(corners), h * h * h / 12, 1e-9 * h * h * h);
      ASSERT_NEAR(MeanRatio(corners), 0.9524, 1e-4);
      for (int k = 0; k < 4; ++k) {
        ++uses[lattice.tets(t, k)];
        std::array<int, 3> face = {lattice.tets(t, (k + 1) % 4), lattice.tets(t, (k + 2) % 4),
                                   lattice.tets(t, (k + 3) % 4)};
        std::sort(face.begin(), face.end());
        ASSERT_LE(++faces[face], 2);
      }
    }
    EXPECT_EQ(std::count(uses.begin(), uses.end(), 0), 0);
  }
}

// Not only a cover, but a tight one: every tetrahedron touches the solid, so it lies within a cell of it.
TEST_P(BccLattice, CoversLittleMore) {
  if (!GetParam().closed()) return;
  for (const double h : CellSizes()) {
    const double volume = SignedVolume(CoverByLattice(mesh(), h)), solid = SignedVolume(mesh());
    EXPECT_GE(volume, solid * (1 - 1e-6));
    // Steiner's formula of a convex body of this area, with room for curved and reentrant ones.
    const double d = Diagonal(mesh());
    EXPECT_LE(volume, solid + 2 * (SurfaceArea(mesh()) * h + GetParam().islands * (3 * d * h * h + 5 * h * h * h)));
  }
}

TEST_P(BccLattice, IsTheSameWhateverTheThreads) {
  SetThreads(1);
  const TetMesh one = CoverByLattice(mesh(), CellSizes()[1]);
  SetThreads(3);
  const TetMesh three = CoverByLattice(mesh(), CellSizes()[1]);
  SetThreads(0);
  EXPECT_EQ(one.positions, three.positions);
  EXPECT_EQ(one.tets, three.tets);
}

TEST(BccLatticeOf, AHoleIsClosedByTheWindingNumber) {
  // A sphere without its top.
  TriMesh mesh = testing::Sphere(48, 24);
  const int kept = mesh.triangle_count();
  Triangles open(0, 3);
  for (int t = 0; t < kept; ++t) {
    if (Corners(mesh, t)[0][2] > 0.95) continue;
    open.conservativeResize(open.rows() + 1, 3);
    open.bottomRows(1) = mesh.triangles.row(t);
  }
  ASSERT_LT(open.rows(), kept);
  const double closed = SignedVolume(CoverByLattice(mesh, 0.2));
  mesh.triangles = open;
  EXPECT_NEAR(SignedVolume(CoverByLattice(mesh, 0.2)), closed, 0.03 * closed);
  EXPECT_NEAR(SignedVolume(CoverByLattice(testing::InsideOut(mesh), 0.2)), closed, 0.03 * closed);
}

TEST(BccLatticeOf, SizesThatMakeNoSenseAreRefused) {
  for (const double h : {0.0, -1.0, double(NAN), 1e-9}) {
    EXPECT_THROW(CoverByLattice(testing::Sphere(), h), UsageError) << h;
  }
  TriMesh broken = testing::Sphere();
  broken.positions(3, 1) = NAN;
  EXPECT_THROW(CoverByLattice(broken, 0.1), UsageError);
  EXPECT_EQ(CoverByLattice(testing::MakeMesh({}, {}), 0.1).tet_count(), 0);
}

TEST(Embedding, IsTheDeepestTetrahedronOfAll) {
  const TetMesh lattice = CoverByLattice(testing::Torus(), 0.3);
  const Points points = SurfacePoints(testing::Torus(), 100);
  const Embedding embedding = Embed(points, lattice);
  for (int i = 0; i < embedding.point_count(); ++i) {
    double deepest = -INFINITY;
    for (int t = 0; t < lattice.tet_count(); ++t) {
      const TetCorners c = CornersOf(lattice, t);
      const Vector3d p = points.row(i).cast<double>().transpose();
      double depth = INFINITY;
      for (int k = 0; k < 4; ++k) {
        TetCorners moved = c;
        moved[k] = p;
        depth = std::min(depth, SignedVolume(moved) / SignedVolume(c));
      }
      deepest = std::max(deepest, depth);
    }
    EXPECT_NEAR(embedding.weights.row(i).minCoeff(), deepest, 1e-12);
  }
}

TEST(Embedding, FollowsAffineMotionsExactly) {
  const TetMesh lattice = CoverByLattice(testing::Torus(), 0.3);
  const Points points = SurfacePoints(testing::Torus(), 100);
  Random random(4);
  Eigen::Matrix3d A;
  for (double& a : A.reshaped()) a = random.Normal();
  const Eigen::RowVector3d shift(1, 2, 3);
  const Nodes moved = (lattice.positions * A.transpose()).rowwise() + shift;
  const Nodes expected = (points.cast<double>() * A.transpose()).rowwise() + shift;
  EXPECT_LE((Follow(Embed(points, lattice), lattice.tets, moved) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Embedding, NamesAPointThatIsNowhere) {
  const TetMesh lattice = CoverByLattice(testing::Sphere(), 0.3);
  Points far(1, 3);
  far << 9, 0, 0;
  EXPECT_THROW(Embed(far, lattice), FailedError);
}

}  // namespace
}  // namespace sinew
