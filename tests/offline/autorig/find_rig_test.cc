#include "sinew/offline/autorig/find_rig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/autorig/verdict.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

const RigNetwork& ShippedNetwork() {
  static const RigNetwork network(learn::ReadModel(SINEW_SOURCE_DIR "/models/rig.model"), "rig.model");
  return network;
}

// The same network, which takes less doubtful bodies for none.
RigNetwork WithLimit(double limit) {
  learn::Model model = learn::ReadModel(SINEW_SOURCE_DIR "/models/rig.model");
  for (learn::Tensor& tensor : model.tensors) {
    if (tensor.name == "doubts.limit") tensor.values = {static_cast<float>(limit)};
  }
  return {model, "rig.model"};
}

// The body, and the same again so far below its skin, where it is thick enough: what a character in clothes looks like.
TriMesh Layered(const TriMesh& body, const std::vector<float>& depths) {
  const Points normals = VertexNormals(body);
  const WindingNumber winding(body);
  TriMesh layered = body;
  for (const float depth : depths) {
    const Points below = body.positions - depth * normals;
    const auto first = static_cast<int>(layered.positions.rows());
    layered.positions.conservativeResize(first + body.vertex_count(), 3);
    layered.positions.bottomRows(body.vertex_count()) = below;
    for (int t = 0; t < body.triangle_count(); ++t) {
      bool inside = true;
      for (int k = 0; k < 3; ++k) inside = inside && winding.Inside(below.row(body.triangles(t, k)).transpose());
      if (!inside) continue;
      layered.triangles.conservativeResize(layered.triangles.rows() + 1, 3);
      layered.triangles.bottomRows(1) = body.triangles.row(t).array() + first;
    }
  }
  return layered;
}

double DoubtOf(const FoundRig& found) { return Doubt(found.doubts, ShippedNetwork().usual()); }

TEST(FindRig, WhatIsUsedAllTheSameIsExact) {
  const TriMesh body = CollectRestSurface(testing::SmallBiped()).welded;
  const RigNetwork strict = WithLimit(0.5 * DoubtOf(FindRig(body, ShippedNetwork(), 1, "body")));
  EXPECT_EQ(FindRig(body, strict, 1, "body").skins.size(), 1u);
  EXPECT_EQ(FindRig(body, strict, 1, "body", Refused::kUsed).skins.size(), 3u);
}

TEST(SmallIslands, AVertexFarAwayHidesNone) {
  const TriMesh body = CollectRestSurface(testing::SmallBiped()).welded;
  // A copy of a twentieth of its size beside it, for a crumb, and one of the whole size, for a second body.
  TriMesh mesh = body;
  for (const float scale : {0.05F, 1.0F}) {
    const int first = mesh.vertex_count();
    mesh.positions.conservativeResize(first + body.vertex_count(), 3);
    mesh.positions.bottomRows(body.vertex_count()) =
        (scale * body.positions).rowwise() + Eigen::RowVector3f(3 * scale, 0, 0);
    mesh.triangles.conservativeResize(mesh.triangle_count() + body.triangle_count(), 3);
    mesh.triangles.bottomRows(body.triangle_count()) = body.triangles.array() + first;
  }
  const SmallIslands small = FindSmallIslands(mesh);
  EXPECT_GT(small.area, 0);
  mesh.positions.row(10) = Eigen::RowVector3f(500, 800, 0);
  const SmallIslands spiked = FindSmallIslands(mesh);
  EXPECT_EQ(spiked.triangles, small.triangles);
  EXPECT_NEAR(spiked.area, small.area, 0.02 * small.area);
}

TEST(FindRig, LayersBelowTheSkinDoNotMatter) {
  const TriMesh body = CollectRestSurface(testing::SmallBiped()).welded;
  const TriMesh layered = Layered(body, {0.01F, 0.02F, 0.03F, 0.04F, 0.05F});
  const FoundRig plain = FindRig(body, ShippedNetwork(), 1, "body");
  const double sure = DoubtOf(plain), unsure = DoubtOf(FindRig(layered, ShippedNetwork(), 1, "layered"));
  ASSERT_GT(unsure, 1.2 * sure) << "else nothing is tested";
  const double limit = std::sqrt(sure * unsure);
  const FoundRig found = FindRigThroughLayers(layered, WithLimit(limit), 1, "layered");
  EXPECT_LE(DoubtOf(found), limit);
  EXPECT_EQ(found.working.left_out.size(), static_cast<size_t>(layered.triangle_count()));
  const auto in_file = [](const FoundRig& rig, int j) {
    return rig.frame.ToFile(rig.answer.joints.row(j).transpose());
  };
  for (int j = 0; j < kJoints; ++j) {
    EXPECT_LT((in_file(plain, j) - in_file(found, j)).norm(), 0.03 * plain.frame.height) << j;
  }
}

}  // namespace
}  // namespace sinew::autorig
