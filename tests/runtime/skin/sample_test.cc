// The sample of docs/runtime.md, compiled and run: keep the two the same.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

// [sample
#include "sinew/offline/tables/normal_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

using namespace sinew::runtime;

// One vertex of the engine's own buffer: the runtime writes into it directly.
struct Vertex {
  Float3 position;
  Float3 normal;
  Float4 tangent;
};

// Shared by every instance of a character; loaded once.
struct Asset {
  std::vector<int16_t> parents;       // per joint, parents first
  std::vector<Affine> inverse_binds;  // per joint
  std::vector<Float3> rest_positions, rest_normals;
  std::vector<Float4> rest_tangents;
  sinew::tables::BuiltSkin skin;
  sinew::tables::BuiltNormals normals;
};

// One character on screen: its own memory, sized once.
struct Instance {
  explicit Instance(const Asset& asset) : matrices(asset.parents.size()), vertices(asset.rest_positions.size()) {}
  std::vector<Affine> matrices;
  std::vector<Vertex> vertices;
  Bounds bounds;
};

// Per frame. No allocation, lock, exception or system call from here on.
bool Evaluate(const Asset& asset, std::span<const Transform> pose, TaskRunner* runner, Instance& instance) {
  std::vector<Vertex>& out = instance.vertices;
  const StridedSpan<Float3> positions{&out[0].position, out.size(), sizeof(Vertex)};
  const StridedSpan<Float3> normals{&out[0].normal, out.size(), sizeof(Vertex)};
  const StridedSpan<Float4> tangents{&out[0].tangent, out.size(), sizeof(Vertex)};

  const LocalToModelJob to_model{.parents = asset.parents, .locals = pose, .models = instance.matrices};
  const SkinningMatricesJob to_skin{
      .models = instance.matrices, .inverse_binds = asset.inverse_binds, .skinning = instance.matrices};
  const LinearBlendJob skin{.table = &asset.skin.table,
                            .matrices = instance.matrices,
                            .streams = {.rest_positions = asset.rest_positions,
                                        .rest_normals = asset.rest_normals,
                                        .rest_tangents = asset.rest_tangents,
                                        .positions = positions,
                                        .normals = normals,
                                        .tangents = tangents},
                            .bounds = &instance.bounds,
                            .runner = runner};
  const NormalsJob recompute{.table = &asset.normals.table,
                             .positions = positions,
                             .normals = normals,
                             .tangents = tangents,
                             .runner = runner};
  return to_model.Run() == Status::kOk && to_skin.Run() == Status::kOk && skin.Run() == Status::kOk &&
         recompute.Run() == Status::kOk;
}
// sample]

namespace {

// A square of two triangles, its upper edge on the second of two joints.
Asset Square() {
  Asset asset;
  asset.parents = {-1, 0};
  asset.inverse_binds = {Affine{}, ToAffine({.translation = {0, -1, 0}})};
  asset.rest_positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  asset.rest_normals.assign(4, {0, 0, 1});
  asset.rest_tangents.assign(4, {1, 0, 0, 1});
  const std::vector<uint16_t> joints = {0, 0, 1, 1};
  const std::vector<float> weights(4, 1);
  const std::vector<uint32_t> triangles = {0, 1, 2, 2, 1, 3};
  const PlainWeights plain{1, joints, weights};
  asset.skin = sinew::tables::BuildSkin(plain, 2, "square");
  asset.normals = sinew::tables::BuildNormals({asset.rest_positions, asset.rest_normals, triangles, plain}, "square");
  return asset;
}

TEST(Sample, AnEngineSkinsIntoItsOwnBuffer) {
  const Asset asset = Square();
  Instance instance(asset);
  // The second joint one up and one towards the viewer: the square leans by 45 degrees.
  const std::vector<Transform> pose = {{}, {.translation = {0, 1, 1}}};
  ASSERT_TRUE(Evaluate(asset, pose, nullptr, instance));
  EXPECT_FLOAT_EQ(instance.vertices[3].position.z, 1);
  EXPECT_FLOAT_EQ(instance.bounds.max.z, 1);
  for (const Vertex& vertex : instance.vertices) {
    EXPECT_NEAR(vertex.normal.y, -std::sqrt(0.5f), 1e-6f);
    EXPECT_NEAR(vertex.normal.z, std::sqrt(0.5f), 1e-6f);
    EXPECT_NEAR(vertex.tangent.x, 1, 1e-6f);
  }
}

}  // namespace
