#include "sinew/offline/bodies/remesh_character.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/offline/bodies/small_biped.h"
#include "tests/support/robots.h"
#include "tests/support/same_character.h"

namespace sinew::bodies {
namespace {

using Base = RemeshRecipe::Base;

std::vector<RemeshRecipe> Recipes() {
  return {{.base = Base::kSame, .flips = 0.3, .splits = 0.2, .collapses = 0.3, .seed = 4},
          {.base = Base::kSimplified, .vertices = 1500, .seed = 1},
          {.base = Base::kIsotropic, .vertices = 2500, .seed = 2},
          {.base = Base::kIsotropic, .vertices = 2000, .flips = 0.2, .splits = 0.1, .collapses = 0.1, .seed = 3}};
}

void ExpectSoundWeights(const Part& part) {
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    double sum = 0;
    for (int i = 0; i < part.weights.influences; ++i) sum += part.weights.weights[v * part.weights.influences + i];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST(RemeshCharacter, KeepsBodyClosedAndItsVolume) {
  const Character biped = SmallBiped();
  const double volume = SignedVolume(biped.parts[0].mesh);
  for (const RemeshRecipe& recipe : Recipes()) {
    SCOPED_TRACE(NameOf(recipe.base));
    const MadeBody body = RemeshCharacter(biped, recipe, "biped");
    const Part& part = body.character.parts[0];
    EXPECT_EQ(body.map.count(), body.character.vertex_count());
    EXPECT_TRUE(AnalyzeTopology(part.mesh.triangles, part.mesh.vertex_count()).watertight());
    EXPECT_NEAR(SignedVolume(part.mesh) / volume, 1, 0.01);
    ExpectSoundWeights(part);
    EXPECT_EQ(part.normals.rows(), part.mesh.vertex_count());
  }
}

// Skinning the new mesh and carrying over the skinned old one must agree but for what lies between vertices.
TEST(RemeshCharacter, MapCarriesPosedShapesOver) {
  const Character biped = SmallBiped();
  const TriMesh source = SourceSurface(biped, "biped");
  ASSERT_EQ(source.vertex_count(), biped.vertex_count());
  Pose pose = biped.skeleton.RestPose();
  const int elbow = biped.skeleton.Find("left_elbow");
  pose[elbow].rotation = ToQuaternion(Eigen::Quaternionf(Eigen::AngleAxisf(1.0F, Eigen::Vector3f::UnitY())));
  for (const RemeshRecipe& recipe : Recipes()) {
    SCOPED_TRACE(NameOf(recipe.base));
    const MadeBody body = RemeshCharacter(biped, recipe, "biped");
    const SurfaceFollower follower(source, body.map);
    const Points carried = follower.Follow(SkinnedShape(biped, pose)), skinned = SkinnedShape(body.character, pose);
    double sum = 0;
    for (int v = 0; v < carried.rows(); ++v) sum += (carried.row(v) - skinned.row(v)).norm();
    EXPECT_LT(sum / static_cast<double>(carried.rows()), 5e-4);
    const Points rest = follower.Follow(SkinnedShape(biped, biped.skeleton.RestPose()));
    EXPECT_LT((rest - SkinnedShape(body.character, biped.skeleton.RestPose())).cwiseAbs().maxCoeff(), 1e-5F);
  }
}

TEST(RemeshCharacter, SameSeedSameBytesWhateverTheThreads) {
  const Character biped = SmallBiped();
  const RemeshRecipe recipe = Recipes().back();
  const MadeBody one = RemeshCharacter(biped, recipe, "biped");
  SetThreads(1);
  const MadeBody again = RemeshCharacter(biped, recipe, "biped");
  SetThreads(0);
  EXPECT_EQ(testing::Differences(one.character, again.character), std::vector<std::string>());
  RemeshRecipe other = recipe;
  other.seed = 99;
  EXPECT_NE(RemeshCharacter(biped, other, "biped").character.parts[0].mesh.triangles,
            one.character.parts[0].mesh.triangles);
}

// Two parts with UVs: a plane cut in two materials, whose texture has a seam.
Character TexturedPlane() {
  Character character = testing::Robot({.islands = 1, .joints = 2, .parts = 1});
  const Part bound = character.parts[0];
  character.parts.clear();
  constexpr int n = 24;
  for (int side = 0; side < 2; ++side) {
    Part part = bound;
    part.name = side == 0 ? "left" : "right";
    part.morphs.clear();
    part.mesh.positions.resize((n + 1) * (n + 1), 3);
    part.attributes = {{.name = "TEXCOORD_0", .components = 2, .values = {}}};
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        const float x = static_cast<float>(i) / n, y = static_cast<float>(j) / n, shift = static_cast<float>(side);
        part.mesh.positions.row(j * (n + 1) + i) << shift + x, y, 0;
        part.attributes[0].values.insert(part.attributes[0].values.end(), {0.5F * shift + 0.4F * x, y});
      }
    }
    part.mesh.triangles.resize(2 * n * n, 3);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int a = j * (n + 1) + i;
        part.mesh.triangles.row(2 * (j * n + i)) << a, a + 1, a + n + 2;
        part.mesh.triangles.row(2 * (j * n + i) + 1) << a, a + n + 2, a + n + 1;
      }
    }
    part.normals = VertexNormals(part.mesh);
    part.tangents.resize(0, 4);
    const int vertices = part.mesh.vertex_count();
    part.weights.influences = 1;
    part.weights.joints.assign(vertices, 1);
    part.weights.weights.assign(vertices, 1);
    character.parts.push_back(part);
  }
  return character;
}

TEST(RemeshCharacter, CarriesUvsAndKeepsParts) {
  const Character plane = TexturedPlane();
  const RestPlacement placement = PlaceAtRest(plane);
  for (const RemeshRecipe& recipe : {RemeshRecipe{.base = Base::kIsotropic, .vertices = 600, .seed = 1},
                                     {.base = Base::kSame, .flips = 0.5, .splits = 0.3}}) {
    const MadeBody body = RemeshCharacter(plane, recipe, "plane");
    double area = 0;
    for (size_t p = 0; p < 2; ++p) {
      const Part& part = body.character.parts[p];
      const auto shift = static_cast<float>(p);
      ASSERT_GT(part.mesh.vertex_count(), 50);
      area += SurfaceArea(part.mesh);
      for (int v = 0; v < part.mesh.vertex_count(); ++v) {
        const Eigen::Vector3f at = part.mesh.positions.row(v);
        EXPECT_NEAR(part.attributes[0].values[2 * v], 0.5F * shift + 0.4F * (at.x() - shift), 1e-4);
        EXPECT_NEAR(part.attributes[0].values[2 * v + 1], at.y(), 1e-4);
      }
    }
    EXPECT_NEAR(area, 2, 1e-4);
  }
}

TEST(RemeshCharacter, TakesRobots) {
  const Character robot = testing::Robot();
  for (const RemeshRecipe& recipe : Recipes()) {
    const MadeBody body = RemeshCharacter(robot, recipe, "robot");
    EXPECT_EQ(body.map.count(), body.character.vertex_count());
    for (const Part& part : body.character.parts) ExpectSoundWeights(part);
  }
}

TEST(RemeshCharacter, RefusesWhatCannotBe) {
  const Character biped = SmallBiped();
  EXPECT_THROW(RemeshCharacter(biped, {.vertices = 3}, "biped"), UsageError);
  EXPECT_THROW(RemeshCharacter(biped, {.flips = -1}, "biped"), UsageError);
  EXPECT_THROW(RemeshCharacter(biped, {.exponent = std::nan("")}, "biped"), UsageError);
  EXPECT_THROW(BaseOfName("smooth"), UsageError);
}

TEST(DrawRemesh, DrawsEveryBaseInsideTheRange) {
  std::vector<int> drawn(3, 0);
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const RemeshRecipe recipe = DrawRemesh(13000, 2000, 20000, seed);
    ++drawn[static_cast<int>(recipe.base)];
    EXPECT_GE(recipe.vertices, 2000);
    EXPECT_LE(recipe.vertices, recipe.base == Base::kSimplified ? 13000 : 20000);
    EXPECT_EQ(BaseOfName(NameOf(recipe.base)), recipe.base);
    EXPECT_EQ(DrawRemesh(13000, 2000, 20000, seed).vertices, recipe.vertices);
  }
  for (const int count : drawn) EXPECT_GT(count, 5);
  EXPECT_NE(DrawRemesh(50000, 2000, 20000, 1).base, Base::kSame);
}

}  // namespace
}  // namespace sinew::bodies
