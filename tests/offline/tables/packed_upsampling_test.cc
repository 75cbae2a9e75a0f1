// The operators of a hierarchy, as the runtime evaluates them.
#include <gtest/gtest.h>

#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/lod/hierarchy_measures.h"
#include "sinew/offline/tables/upsampling_builder.h"
#include "sinew/runtime/multires/upsampling.h"
#include "tests/support/test_character.h"

namespace sinew::tables {
namespace {

using runtime::Float3;

std::vector<Float3> PointPositions(const lod::Level& level) {
  const TriMesh mesh = lod::WholeMesh(level.character, level.character.skeleton.RestPose());
  std::vector<Float3> positions(level.point_count);
  for (int v = 0; v < level.vertex_count(); ++v) {
    positions[level.point_of_vertex[v]] = ToFloat3(mesh.positions.row(v).transpose());
  }
  return positions;
}

TEST(PackedUpsampling, FollowsTheOperatorsOfAHierarchy) {
  const lod::Hierarchy hierarchy =
      lod::BuildHierarchy(testing::TestCharacter(), "egg.glb", {.points = {320, 200}, .regions = 12});
  for (int i = 1; i < hierarchy.level_count(); ++i) {
    const lod::Upsampling& U = hierarchy.U[i];
    std::vector<uint32_t> corners;
    std::vector<double> weights;
    for (int f = 0; f < U.fine_count(); ++f) {
      corners.insert(corners.end(), U.corners[f].begin(), U.corners[f].end());
      weights.insert(weights.end(), U.weights[f].begin(), U.weights[f].end());
    }
    const RawUpsampling raw{U.coarse_count, corners, weights};
    const std::vector<Float3> coarse = PointPositions(hierarchy.level(i));
    constexpr double kHeight = 1.9;
    EXPECT_LT(LargestPackingError(raw, coarse), 2e-6 * kHeight);

    const BuiltUpsampling built = BuildUpsampling(raw, {}, "U");
    std::vector<Float3> fine(U.fine_count());
    const runtime::UpsamplingJob job{.table = &built.table, .coarse = coarse, .fine = fine};
    ASSERT_EQ(job.Run(), runtime::Status::kOk);
    Eigen::MatrixXd positions(U.coarse_count, 3);
    for (int c = 0; c < U.coarse_count; ++c) positions.row(c) << coarse[c].x, coarse[c].y, coarse[c].z;
    const Eigen::MatrixXd expected = lod::Upsample(U, positions);
    for (int f = 0; f < U.fine_count(); ++f) {
      EXPECT_LT((ToEigen(fine[f]).cast<double>() - expected.row(f).transpose()).norm(), 1e-5 * kHeight);
    }
  }
}

}  // namespace
}  // namespace sinew::tables
