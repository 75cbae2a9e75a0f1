#include "sinew/offline/bodies/dress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/offline/bodies/small_biped.h"
#include "tests/support/robots.h"
#include "tests/support/same_character.h"

namespace sinew::bodies {
namespace {

DressRecipe Sleeves(double reach, double thickness) {
  Garment shirt;
  shirt.name = "shirt";
  shirt.low[kUp] = 0.5;
  shirt.high[kUp] = 4.3;
  shirt.high[kArm] = reach;
  shirt.thickness = thickness;
  return {{shirt}};
}

TEST(Dress, StaysClosedWithoutIntersections) {
  const Character biped = SmallBiped();
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(seed);
    const MadeBody dressed = Dress(biped, DrawDress(seed), "biped");
    const TriMesh& mesh = dressed.character.parts[0].mesh;
    const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
    EXPECT_TRUE(topology.watertight());
    EXPECT_TRUE(topology.non_manifold_vertices.empty());
    EXPECT_EQ(topology.euler_characteristic(), 2);
    EXPECT_TRUE(SelfIntersections(mesh, 1).empty());
    EXPECT_GT(SignedVolume(mesh), 1.005 * SignedVolume(biped.parts[0].mesh));
    EXPECT_EQ(dressed.map.count(), mesh.vertex_count());
  }
}

// The hem is a step as high as the cloth is thick, on one line around each arm.
TEST(Dress, HemIsSharpWhereTheSleeveEnds) {
  const Character biped = SmallBiped();
  const double height = BoundingBox(biped.parts[0].mesh.positions).sizes().y();
  const MadeBody dressed = Dress(biped, Sleeves(1.5, 0.006), "biped");
  const auto frames = LocalToModel(biped.skeleton, biped.skeleton.RestPose());
  const double elbow = frames[biped.skeleton.Find("left_elbow")].translation().x();
  const double wrist = frames[biped.skeleton.Find("left_wrist")].translation().x();
  const double hem = elbow + 0.5 * (wrist - elbow);
  int covered = 0, bare = 0;
  for (int v = 0; v < dressed.map.count(); ++v) {
    const double x = dressed.character.parts[0].mesh.positions(v, 0);
    const double offset = dressed.map.offsets[v].norm();
    if (x > hem - 0.03 && x < hem - 0.005) {
      EXPECT_GT(offset, 0.5 * 0.006 * height);
      ++covered;
    } else if (x > hem + 0.005 && x < hem + 0.03) {
      EXPECT_LT(offset, 1e-5);
      ++bare;
    }
  }
  EXPECT_GT(covered, 4);
  EXPECT_GT(bare, 4);
}

TEST(Dress, FollowsTheFleshBelow) {
  const Character biped = SmallBiped();
  const MadeBody dressed = Dress(biped, DrawDress(2), "biped");
  const SurfaceFollower follower(SourceSurface(biped, "biped"), dressed.map);
  const Points rest = follower.Follow(SkinnedShape(biped, biped.skeleton.RestPose()));
  EXPECT_LT((rest - dressed.character.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-5F);
  // Flesh that swells by a centimetre carries the cloth with it.
  Points swollen = biped.parts[0].mesh.positions + 0.01F * VertexNormals(biped.parts[0].mesh);
  const Points carried = follower.Follow(swollen);
  const auto moved = (carried - dressed.character.parts[0].mesh.positions).rowwise().norm().eval();
  EXPECT_NEAR(moved.mean(), 0.01, 0.001);
  EXPECT_LT(moved.maxCoeff(), 0.03);
}

TEST(Dress, SameSeedSameBytesWhateverTheThreads) {
  const Character biped = SmallBiped();
  const MadeBody one = Dress(biped, DrawDress(3), "biped");
  SetThreads(1);
  const MadeBody again = Dress(biped, DrawDress(3), "biped");
  SetThreads(0);
  EXPECT_EQ(testing::Differences(one.character, again.character), std::vector<std::string>());
}

TEST(Dress, SaysWhatItCannotDress) {
  EXPECT_THROW(Dress(testing::Robot(), DrawDress(1), "robot.glb"), InputError);
  EXPECT_THROW(Dress(SmallBiped(), Sleeves(1, 0), "biped"), UsageError);
  EXPECT_THROW(Dress(SmallBiped(), Sleeves(1, 0.5), "biped"), UsageError);
}

TEST(DrawDress, DrawsEveryGarment) {
  std::set<std::string> names;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const DressRecipe recipe = DrawDress(seed);
    EXPECT_FALSE(recipe.garments.empty());
    for (const Garment& garment : recipe.garments) names.insert(garment.name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"coat", "gloves", "hair", "helmet", "shirt", "shoes", "trousers"}));
}

}  // namespace
}  // namespace sinew::bodies
