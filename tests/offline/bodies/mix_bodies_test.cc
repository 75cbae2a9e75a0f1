#include "sinew/offline/bodies/mix_bodies.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/bodies/scale_bones.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "tests/offline/bodies/small_biped.h"
#include "tests/support/same_character.h"

namespace sinew::bodies {
namespace {

TEST(MixBodies, MixesVerticesAndJointsAlike) {
  const Character a = SmallBiped(1), b = SmallBiped(2), c = SmallBiped(3);
  const std::vector<double> shares = {0.7, -0.2, 0.5};
  const Character mixed = MixBodies({{"a", &a}, {"b", &b}, {"c", &c}}, shares);
  const auto mean = [&](const auto& get) -> Eigen::Vector3f { return 0.7F * get(a) - 0.2F * get(b) + 0.5F * get(c); };
  for (const int v : {0, 100, 2000}) {
    const Eigen::Vector3f wanted =
        mean([&](const Character& body) { return Eigen::Vector3f(body.parts[0].mesh.positions.row(v)); });
    EXPECT_LT((mixed.parts[0].mesh.positions.row(v).transpose() - wanted).norm(), 1e-5F);
  }
  for (int j = 0; j < a.skeleton.joint_count(); ++j) {
    const Eigen::Vector3f wanted = mean([&](const Character& body) {
      return LocalToModel(body.skeleton, body.skeleton.RestPose())[j].translation().eval();
    });
    EXPECT_LT((LocalToModel(mixed.skeleton, mixed.skeleton.RestPose())[j].translation() - wanted).norm(), 1e-5F);
  }
  const Points rest = SkinnedShape(mixed, mixed.skeleton.RestPose());
  EXPECT_LT((rest - mixed.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-5F);
}

TEST(MixBodies, OneShareOfOneIsThatBody) {
  const Character a = SmallBiped(1), b = SmallBiped(2);
  const Character mixed = MixBodies({{"a", &a}, {"b", &b}}, {1, 0});
  EXPECT_LT((mixed.parts[0].mesh.positions - a.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-6F);
}

TEST(MixBodies, RefusesOtherTopologiesAndSkeletonsByName) {
  const Character a = SmallBiped(1);
  const Character remeshed = RemeshCharacter(a, {.vertices = 2000}, "a").character;
  Character renamed = a;
  renamed.skeleton.joints[5].name = "wing";
  const auto message = [&](const Character& other) -> std::string {
    try {
      MixBodies({{"a.glb", &a}, {"other.glb", &other}}, {0.5, 0.5});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(remeshed).find("other.glb"), std::string::npos);
  EXPECT_NE(message(remeshed).find("vertices"), std::string::npos);
  EXPECT_NE(message(renamed).find("wing"), std::string::npos);
  EXPECT_EQ(message(a), "");
}

TEST(MixBodies, RefusesSharesThatDoNotFit) {
  const Character a = SmallBiped(1);
  const std::vector<Parent> both = {{"a", &a}, {"b", &a}};
  EXPECT_THROW(MixBodies(both, {0.5}), UsageError);
  EXPECT_THROW(MixBodies(both, {0.5, 0.6}), UsageError);
  EXPECT_THROW(MixBodies(both, {2, -1}), UsageError);
  EXPECT_THROW(MixBodies({{"a", &a}}, {1}), UsageError);
}

TEST(DrawMix, DrawsThreeToSixParentsWhoseSharesSumToOne) {
  std::set<size_t> counts;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const MixRecipe recipe = DrawMix(12, seed);
    counts.insert(recipe.parents.size());
    EXPECT_EQ(std::set<int>(recipe.parents.begin(), recipe.parents.end()).size(), recipe.parents.size());
    EXPECT_GE(recipe.parents.front(), 0);
    EXPECT_LT(recipe.parents.back(), 12);
    EXPECT_NEAR(std::accumulate(recipe.shares.begin(), recipe.shares.end(), 0.0), 1, 1e-12);
    for (const double share : recipe.shares) {
      EXPECT_GE(share, kLowestShare);
      EXPECT_LE(share, kHighestShare);
    }
    EXPECT_EQ(DrawMix(12, seed).shares, recipe.shares);
  }
  EXPECT_EQ(counts, (std::set<size_t>{3, 4, 5, 6}));
  EXPECT_EQ(DrawMix(2, 1).parents.size(), 2U);
  EXPECT_THROW(DrawMix(1, 1), UsageError);
}

}  // namespace
}  // namespace sinew::bodies
