#include "sinew/offline/mesh/weld.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::Unwelded;

TEST(Weld, UndoesTheSplittingOfEveryFamily) {
  for (const auto& family : testing::MeshFamilies()) {
    const TriMesh split = Unwelded(family.mesh);
    const TriMesh welded = Weld(split, WeldEqual(split.positions));
    EXPECT_EQ(Unwelded(welded).positions, split.positions) << family.name;
    const auto used = static_cast<int>(WeldEqual(split.positions).first_of.size());
    EXPECT_LE(used, family.mesh.vertex_count()) << family.name;
  }
}

TEST(Weld, MinusZeroIsZero) {
  Points points(2, 3);
  points << 0, 1, 0, -0.0f, 1, 0;
  EXPECT_EQ(WeldEqual(points).welded_count(), 1);
}

TEST(Weld, AnEmptyMeshHasNothingToWeld) { EXPECT_EQ(WeldWithin(Points(0, 3), 1).welded_count(), 0); }

TEST(Weld, AChainDoesNotCollapse) {
  Points points(5, 3);
  points << 0, 0, 0, 0.75f, 0, 0, 1.5f, 0, 0, 2.25f, 0, 0, 3, 0, 0;
  const Welding welding = WeldWithin(points, 1);
  EXPECT_EQ(welding.welded_of, (std::vector<int>{0, 0, 1, 1, 2}));
  EXPECT_EQ(welding.first_of, (std::vector<int>{0, 2, 4}));
}

// What WeldWithin promises, said as the slow loop.
std::vector<int> WeldByBruteForce(const Points& points, double tolerance) {
  std::vector<int> first_of, welded_of;
  for (int v = 0; v < points.rows(); ++v) {
    int found = -1;
    for (int w = 0; w < static_cast<int>(first_of.size()) && found < 0; ++w) {
      if ((points.row(v).cast<double>() - points.row(first_of[w]).cast<double>()).norm() <= tolerance) found = w;
    }
    if (found < 0) {
      found = static_cast<int>(first_of.size());
      first_of.push_back(v);
    }
    welded_of.push_back(found);
  }
  return welded_of;
}

RC_GTEST_PROP(Weld, AgreesWithBruteForce, ()) {
  Random random(*rc::gen::arbitrary<uint64_t>());
  Points points(*rc::gen::inRange(1, 150), 3);
  // Coordinates on a coarse lattice, shaken a little: many pairs near the tolerance.
  for (int i = 0; i < points.size(); ++i)
    points.data()[i] = static_cast<float>(random.Below(4) + random.Normal() * 0.1) - 2;
  const float tolerance = static_cast<float>(random.Uniform(0, 0.6));
  RC_ASSERT(WeldWithin(points, tolerance).welded_of == WeldByBruteForce(points, tolerance));
}

}  // namespace
}  // namespace sinew
