#include "sinew/offline/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/evaluate/layer_test.h"
#include "tests/support/mesh_families.h"
#include "tests/support/rigs.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::evaluate {
namespace {

// A ball in a larger one: the first part is the body, the second one lies over it.
class BallInBall : public ::testing::Test {
 protected:
  BallInBall() {
    TriMesh body = testing::Sphere(28, 20), over = body;
    over.positions *= 1.1f;
    hierarchy_ = lod::BuildHierarchy(testing::SkinnedMesh({body, over}), "balls.glb", {.points = {200}, .regions = 6});
    Random random(1);
    for (int j = 0; j < 5; ++j) frames_.poses.push_back(testing::RandomPose(skeleton(), random, 0.3));
    frames_.name = "balls.dataset";
    frames_.motions.assign(5, -1);
    frames_.truth = [this](int j) { return Skinned(frames_.poses[j]); };
  }

  const lod::Level& finest() const { return hierarchy_.levels.back(); }
  const Skeleton& skeleton() const { return finest().character.skeleton; }
  int body_vertices() const { return finest().character.parts[0].mesh.vertex_count(); }
  Points Skinned(const Pose& pose) const {
    return lod::OnVertices(finest(), SkinningMethod(hierarchy_, false).shapes(pose).back());
  }
  void SetRoles(Role body, Role over) {
    frames_.roles.assign(finest().vertex_count(), over);
    std::fill_n(frames_.roles.begin(), body_vertices(), body);
  }

  lod::Hierarchy hierarchy_;
  dataset::TrainingFrames frames_;
};

TEST_F(BallInBall, ErrorsOverWhatIsSoftLeaveOutRigidPieces) {
  // Skinning is wrong about the body alone, by the same distance everywhere.
  constexpr double kOff = 0.125;
  frames_.truth = [&](int j) {
    Points shape = Skinned(frames_.poses[j]);
    shape.topRows(body_vertices()).col(0).array() += static_cast<float>(kOff);
    return shape;
  };
  SetRoles(Role::kFlesh, Role::kRigid);
  const Evaluation mixed = EvaluateMethods(hierarchy_, frames_, {});
  for (int i = 1; i <= mixed.level_count(); ++i) {
    const LevelError& error = mixed.errors[0][i - 1];
    EXPECT_NEAR(mixed.SoftShare(i), 0.5, i == 2 ? 1e-9 : 0.05);
    EXPECT_NEAR(error.soft_rms, kOff, i == 2 ? 1e-6 : 0.02 * kOff) << i;
    EXPECT_NEAR(error.rms, kOff * std::sqrt(mixed.SoftShare(i)), 0.02 * kOff) << i;
  }
  EXPECT_FALSE(mixed.AllSoft());
  EXPECT_NEAR(mixed.role_shares.back()[static_cast<size_t>(Role::kFlesh)], 0.5, 1e-9);
  EXPECT_NEAR(mixed.size, 2.2, 0.05);

  // The other way around, what is wrong is rigid; and without a soft point there is no error over them.
  SetRoles(Role::kRigid, Role::kThin);
  EXPECT_LT(EvaluateMethods(hierarchy_, frames_, {}).errors[0].back().soft_rms, 1e-6);
  SetRoles(Role::kRigid, Role::kRigid);
  const Evaluation rigid = EvaluateMethods(hierarchy_, frames_, {});
  EXPECT_EQ(rigid.SoftShare(1), 0);
  EXPECT_EQ(rigid.errors[0].back().soft_rms, 0);
  EXPECT_GT(rigid.errors[0].back().rms, 0);

  // Frames without roles are soft everywhere.
  frames_.roles.clear();
  const Evaluation soft = EvaluateMethods(hierarchy_, frames_, {});
  EXPECT_TRUE(soft.AllSoft());
  EXPECT_EQ(soft.errors[0].back().soft_rms, soft.errors[0].back().rms);
}

TEST_F(BallInBall, TextAndJsonHaveErrorsOverWhatIsSoft) {
  SetRoles(Role::kFlesh, Role::kRigid);
  const Evaluation mixed = EvaluateMethods(hierarchy_, frames_, {});
  const std::string text = EvaluationText(mixed, 1000);
  for (const char* has : {"soft rms", "50% flesh, 50% rigid", "exact"}) {
    EXPECT_NE(text.find(has), std::string::npos) << has << "\n" << text;
  }
  EXPECT_NE(text.find("exact            -          -\n"), std::string::npos) << "no limbs touch\n" << text;
  const Json levels = EvaluationJson(mixed, 1000);
  EXPECT_NEAR(levels[1].at("soft_share").get<double>(), 0.5, 1e-9);
  EXPECT_TRUE(levels[1].at("linear blend").at("of_linear_blend").is_null()) << "skinning is the truth here";
  EXPECT_TRUE(levels[1].at("linear blend").contains("soft_rms_mm"));
  EXPECT_NEAR(RolesJson(mixed.role_shares.back()).at("rigid").get<double>(), 0.5, 1e-9);
  frames_.roles.clear();
  EXPECT_EQ(EvaluationText(EvaluateMethods(hierarchy_, frames_, {}), 1000).find("soft rms"), std::string::npos);
}

TEST(ShareText, TellsExactFromUnknown) {
  EXPECT_EQ(ShareText(1, 4, 0.5), "0.250");
  EXPECT_EQ(ShareText(0.5, 0.25, 0.5), "exact");
  EXPECT_EQ(ShareText(0, 0, 0), "exact");
  EXPECT_EQ(ShareText(1, 0.25, 0.5), "-");
}

TEST(CountWorse, DoesNotCountRoundingWhereSkinningIsExact) {
  Evaluation evaluation;
  evaluation.size = 2;
  evaluation.errors.resize(3, std::vector<LevelError>(1));
  evaluation.errors[0][0].frame_rms = {0, 1e-7, 1e-7, 1};
  evaluation.errors[2][0].frame_rms = {1e-6, 1e-6, 1e-4, 2};
  EXPECT_EQ(CountWorse(evaluation, 2, 1), 2);
}

TEST_F(BallInBall, PointsOfALayerCountAsInsideOnlyIfTheyAreDeep) {
  // Sinks the layer of some vertices to a share of the body's radius.
  const auto sunk = [&](const char* name, int vertices, float radius) {
    return Method{name, [this, vertices, radius](const Pose& pose) {
                    std::vector<Points> shapes = SkinningMethod(hierarchy_, false).shapes(pose);
                    const Points rest = SkinningMethod(hierarchy_, false).shapes(skeleton().RestPose()).back();
                    shapes.back() = rest;
                    for (int v = body_vertices(); v < body_vertices() + vertices; ++v) {
                      shapes.back().row(finest().point_of_vertex[v]) *= radius / 1.1f;
                    }
                    return shapes;
                  }};
  };
  EXPECT_TRUE(TestLayers(hierarchy_, frames_, {}).empty()) << "no layers";
  SetRoles(Role::kRigid, Role::kLayer);
  EXPECT_TRUE(TestLayers(hierarchy_, frames_, {}).empty()) << "no flesh";
  EXPECT_EQ(LayerSentence(TestLayers(hierarchy_, frames_, {}), 1000), "");
  EXPECT_TRUE(LayerJson(TestLayers(hierarchy_, frames_, {}), 1000).is_null());

  SetRoles(Role::kFlesh, Role::kLayer);
  const int layer_points = finest().point_count / 2;
  const LayerTest deep =
      TestLayers(hierarchy_, frames_,
                 {sunk("few", 30, 0.9f), sunk("all", layer_points, 0.9f), sunk("near", layer_points, 0.9985f)}, 3);
  ASSERT_EQ(deep.frames, 3);
  EXPECT_EQ(deep.points.back(), layer_points);
  EXPECT_EQ(deep.names, (std::vector<std::string>{"truth", "linear blend", "few", "all", "near"}));
  EXPECT_NEAR(deep.tolerance, 2.2e-3, 1e-4);
  EXPECT_EQ(deep.inside_at_rest, (std::vector<double>{0, 0}));
  for (const size_t exact : {0, 1}) EXPECT_EQ(deep.inside[exact], (std::vector<double>{0, 0})) << exact;
  EXPECT_NEAR(deep.inside[2][1], 30.0 / layer_points, 1e-9);
  EXPECT_EQ(deep.inside[3][1], 1);
  EXPECT_EQ(deep.inside[4][1], 0) << "less deep than the tolerance";
  EXPECT_EQ(deep.inside[3][0], 0) << "only the finest level was sunk";

  const Json json = LayerJson(deep, 1000);
  EXPECT_EQ(json.at("levels")[1].at("all"), 1);
  EXPECT_EQ(json.at("levels")[1].at("inside_at_rest"), 0);
  EXPECT_NE(LayerSentence(deep, 1000).find("all 100.00%"), std::string::npos) << LayerSentence(deep, 1000);
}

// A layer between two pieces of flesh, as a belt between trousers and a jacket.
TEST_F(BallInBall, LayersMayComeNearWhatIsOverThemButNotIntoWhatIsBelow) {
  TriMesh body = testing::Sphere(28, 20), belt = body, jacket = body;
  belt.positions *= 1.04f;
  jacket.positions *= 1.1f;
  hierarchy_ =
      lod::BuildHierarchy(testing::SkinnedMesh({body, belt, jacket}), "balls.glb", {.points = {200}, .regions = 6});
  frames_.roles.assign(finest().vertex_count(), Role::kFlesh);
  std::fill_n(frames_.roles.begin() + body_vertices(), body_vertices(), Role::kLayer);
  const auto moved = [&](const char* name, float radius) {
    return Method{name, [this, radius](const Pose&) {
                    std::vector<Points> shapes = SkinningMethod(hierarchy_, false).shapes(skeleton().RestPose());
                    for (int v = body_vertices(); v < 2 * body_vertices(); ++v) {
                      shapes.back().row(finest().point_of_vertex[v]) *= radius / 1.04f;
                    }
                    return shapes;
                  }};
  };
  const LayerTest test =
      TestLayers(hierarchy_, frames_, {moved("up", 1.09f), moved("down", 0.95f), moved("through", 1.13f)});
  EXPECT_EQ(test.points.back(), finest().point_count / 3);
  EXPECT_EQ(test.inside_at_rest.back(), 0);
  EXPECT_EQ(test.inside[2].back(), 0);
  EXPECT_EQ(test.inside[3].back(), 1);
  EXPECT_EQ(test.inside[4].back(), 1);
}

TEST_F(BallInBall, WhatIsInsideAtRestIsMeantToBeThere) {
  // The lower half of the layer is below the skin.
  Character character = finest().character;
  Points& over = character.parts[1].mesh.positions;
  int hidden = 0;
  for (Eigen::Index v = 0; v < over.rows(); ++v) {
    if (over(v, 1) > 0.01f) continue;
    over.row(v) *= 0.9f / 1.1f;
    ++hidden;
  }
  hierarchy_ = lod::BuildHierarchy(character, "balls.glb", {.points = {200}, .regions = 6});
  SetRoles(Role::kFlesh, Role::kLayer);
  const LayerTest test = TestLayers(hierarchy_, frames_, {});
  const int layer_points = finest().point_count / 2;
  EXPECT_EQ(test.points.back(), layer_points - hidden);
  EXPECT_NEAR(test.inside_at_rest.back(), static_cast<double>(hidden) / layer_points, 1e-9);
  EXPECT_EQ(test.inside[0].back(), 0);
}

}  // namespace
}  // namespace sinew::evaluate
