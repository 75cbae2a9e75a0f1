// Bundles as plain glTF.
#include "sinew/offline/bundle/export_gltf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/bundle/morph_modes.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/mesh/tri_mesh.h"
#include "tests/offline/bake/baking.h"

namespace sinew::bundle {
namespace {

using testing::SmallCharacter;

const SmallCharacter& Small() {
  static const SmallCharacter small = testing::MakeSmallCharacter();
  return small;
}

std::vector<Pose> Motion(const Skeleton& skeleton, int frames) {
  std::vector<Pose> poses;
  for (int f = 0; f < frames; ++f) poses.push_back(testing::RandomPose(skeleton, 1, 0.05 * f));
  return poses;
}

Json JsonOf(const Bytes& glb) {
  uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, sizeof(length));
  const auto* text = reinterpret_cast<const char*>(glb.data()) + 20;
  return Json::parse(text, text + length);
}

TEST(Export, TheCharacterIsTheLevelThatWasBaked) {
  for (const bake::BakeOrder order : {bake::BakeOrder::kFile, bake::BakeOrder::kInternal}) {
    const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {}, {.order = order});
    for (int level = 1; level <= 3; ++level) {
      const Character& truth = Small().hierarchy.level(level).character;
      const Character character = CharacterOf(baked.bundle, level);
      const Pose pose = testing::RandomPose(truth.skeleton, 3);
      const Points expected = PoseCharacter(truth, pose).parts[0].positions;
      EXPECT_LT((PoseCharacter(character, pose).parts[0].positions - expected).rowwise().norm().maxCoeff(), 1e-5);
      EXPECT_EQ(character.parts[0].mesh.triangles, truth.parts[0].mesh.triangles);
    }
  }
}

TEST(Export, MorphTargetsWithAnimatedWeightsShowTheCorrectives) {
  const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  const std::vector<Pose> poses = Motion(SkeletonOf(baked.bundle), 12);
  ExportError few, all;
  ExportBaked(baked.bundle, poses, {.level = 3, .targets = 2}, &few);
  const Bytes glb = ExportBaked(baked.bundle, poses, {.level = 3, .targets = 32}, &all);
  EXPECT_EQ(few.targets, 2);
  EXPECT_LT(few.rms, few.skinning_rms);
  EXPECT_LT(all.rms, 0.02 * all.skinning_rms);
  EXPECT_GT(all.skinning_rms, 1e-4);

  const Character read = gltf::ReadGltf(glb, "exported.glb", {});
  ASSERT_EQ(read.parts[0].morphs.size(), static_cast<size_t>(all.targets));
  EXPECT_EQ(read.parts[0].morphs[0].name, "corrective_000");
  ASSERT_EQ(read.animations.size(), 1u);
  const Json json = JsonOf(glb);
  int channels = 0;
  for (const Json& channel : json["animations"][0]["channels"]) {
    if (channel["target"]["path"] != "weights") continue;
    ++channels;
    const Json& sampler = json["animations"][0]["samplers"][channel["sampler"].get<size_t>()];
    EXPECT_EQ(json["accessors"][sampler["output"].get<size_t>()]["count"], poses.size() * all.targets);
    EXPECT_EQ(json["accessors"][sampler["input"].get<size_t>()]["count"], poses.size());
  }
  EXPECT_EQ(channels, 1);
}

// Light on the exported file shows the correctives: normals turn as the triangles do, of vertices in any order.
TEST(Export, NormalsFollowTheMorphTargets) {
  constexpr int kLevel = 3;
  for (const bake::BakeOrder order : {bake::BakeOrder::kFile, bake::BakeOrder::kInternal}) {
    const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {}, {.order = order});
    const Pose pose = testing::RandomPose(SkeletonOf(baked.bundle), 1, 0.5);
    const Character read =
        gltf::ReadGltf(ExportBaked(baked.bundle, {pose}, {.level = kLevel}, nullptr), "exported.glb", {});
    ASSERT_EQ(read.parts[0].morphs.size(), 1u);
    const MorphTarget& target = read.parts[0].morphs[0];
    const Points off = bake::Displacements(baked.bundle, pose, kLevel);
    const float weight = off.cwiseProduct(target.positions).sum() / target.positions.squaredNorm();
    TriMesh moved = read.parts[0].mesh;
    moved.positions += off;
    const Points turned = VertexNormals(moved) - VertexNormals(read.parts[0].mesh);
    EXPECT_GT(turned.norm(), 1e-2);
    // The reference weights triangles by angles and ends at seams; what is in another order is off by more than all of
    // it.
    EXPECT_LT((weight * target.normals - turned).norm(), 0.5 * turned.norm());
  }
  const bake::BakedBundle plain = bake::BuildBundle(Small().hierarchy, Small().deformer, {}, {.normals = false});
  const Bytes glb = ExportBaked(plain.bundle, Motion(SkeletonOf(plain.bundle), 3), {.level = kLevel}, nullptr);
  EXPECT_EQ(gltf::ReadGltf(glb, "exported.glb", {}).parts[0].morphs[0].normals.rows(), 0) << "no tables, no normals";
}

// Sparse targets move what one joint moves, nothing else is stored, and all of them together are the correctives.
TEST(Export, SparseTargetsMoveWhatOneJointMoves) {
  const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  const std::vector<Pose> poses = Motion(SkeletonOf(baked.bundle), 12);
  ExportError few, all;
  ExportBaked(baked.bundle, poses, {.level = 3, .targets = 3, .sparse = true}, &few);
  const Bytes glb = ExportBaked(baked.bundle, poses, {.level = 3, .targets = 256, .sparse = true}, &all);
  EXPECT_EQ(few.targets, 3);
  EXPECT_LT(all.rms, few.rms);
  EXPECT_LT(few.rms, few.skinning_rms);
  EXPECT_LT(all.rms, 0.02 * all.skinning_rms);
  const Character read = gltf::ReadGltf(glb, "exported.glb", {});
  const Part& part = read.parts[0];
  ASSERT_EQ(static_cast<int>(part.morphs.size()), all.targets);
  for (const MorphTarget& target : part.morphs) {
    std::vector<int> moved(read.skeleton.joints.size(), 0);  // vertices of this target, by joint
    int vertices = 0;
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      if (target.positions.row(v).isZero(0)) {
        EXPECT_TRUE(target.normals.row(v).isZero(0)) << v;
        continue;
      }
      ++vertices;
      for (int k = 0; k < part.weights.influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * part.weights.influences + k;
        if (part.weights.weights[slot] > 0) ++moved[part.weights.joints[slot]];
      }
    }
    EXPECT_GT(vertices, 0);
    EXPECT_EQ(*std::max_element(moved.begin(), moved.end()), vertices) << "some joint moves all of them";
  }
}

// A target that moves few vertices stores only these, and comes back whole; one that moves none is legal, too.
TEST(Export, VerticesThatATargetDoesNotMoveAreNotStored) {
  Character character = Small().hierarchy.level(3).character;
  Part& part = character.parts[0];
  MorphTarget one, none;
  one.positions = none.positions = Points::Zero(part.mesh.vertex_count(), 3);
  one.positions.row(5) << 1, -2, 3;
  one.positions.row(7) << 0, 0, 4;
  part.morphs = {one, none};
  const Bytes glb = gltf::EncodeGlb(character);
  const Json json = JsonOf(glb);
  const Json& targets = json["meshes"][0]["primitives"][0]["targets"];
  const std::vector<int> counts = {2, 1};
  for (size_t t = 0; t < 2; ++t) {
    const Json& accessor = json["accessors"][targets[t]["POSITION"].get<size_t>()];
    EXPECT_FALSE(accessor.contains("bufferView"));
    EXPECT_EQ(accessor["sparse"]["count"], counts[t]);
    EXPECT_EQ(accessor["count"], part.mesh.vertex_count());
  }
  const Character read = gltf::ReadGltf(glb, "morphs.glb", {});
  ASSERT_EQ(read.parts[0].morphs.size(), 2u);
  EXPECT_EQ(read.parts[0].morphs[0].positions, one.positions);
  EXPECT_EQ(read.parts[0].morphs[1].positions, none.positions);
}

// With few joints each, the window of a joint in one frame is the corrective times its weights.
TEST(Export, LocalModesOfOneFrameAddUpToIt) {
  const Character& character = Small().hierarchy.level(3).character;
  Random random(4);
  FrameMatrix D(1, 3 * static_cast<Eigen::Index>(character.vertex_count()));
  for (Eigen::Index c = 0; c < D.cols(); ++c) D(0, c) = static_cast<float>(random.Uniform(-1, 1));
  const Modes modes = StrongestLocalModes(D, character, 1000);
  EXPECT_GT(modes.count(), 1);
  EXPECT_LT((modes.weights * modes.modes - D).cwiseAbs().maxCoeff(), 1e-5);
  for (int m = 0; m < modes.count(); ++m) EXPECT_NEAR(modes.modes.row(m).cwiseAbs().maxCoeff(), 1, 1e-6);
  EXPECT_EQ(StrongestLocalModes(FrameMatrix::Zero(2, D.cols()), character, 8).count(), 0);
}

}  // namespace
}  // namespace sinew::bundle
