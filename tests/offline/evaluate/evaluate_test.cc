#include "sinew/offline/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/evaluate/evaluation_page.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/evaluate/layer_test.h"
#include "sinew/offline/evaluate/measure_table.h"
#include "sinew/offline/mesh/measures.h"
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
    EXPECT_NEAR(error.point_rms, kOff * std::sqrt(mixed.SoftShare(i)), 0.02 * kOff) << i;
    EXPECT_NEAR(error.rms, kOff * std::sqrt(1 / 2.21), 0.02 * kOff) << "the outer ball has 1.21 of the area " << i;
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
  EXPECT_NEAR(soft.errors[0].back().soft_rms, soft.errors[0].back().rms, 1e-12);
}

TEST_F(BallInBall, TextAndJsonHaveErrorsOverWhatIsSoft) {
  SetRoles(Role::kFlesh, Role::kRigid);
  const Evaluation mixed = EvaluateMethods(hierarchy_, frames_, {});
  const std::string text = EvaluationText(mixed, 1000);
  for (const char* has : {"soft rms", "50% flesh, 50% rigid", "exact"}) {
    EXPECT_NE(text.find(has), std::string::npos) << has << "\n" << text;
  }
  EXPECT_NE(text.find("exact            -\n"), std::string::npos) << "no limbs touch\n" << text;
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

TEST(CompareFrames, DoesNotCountRounding) {
  LevelError linear, error;
  linear.frame_rms = {0, 1e-7, 1e-7, 1, 1, 1};
  error.frame_rms = {1e-6, 1e-6, 1e-4, 2, 1 + 1e-6, 0.5};
  CompareFrames(linear, 2e-5, error);
  EXPECT_EQ(error.worse_frames, 2);
  EXPECT_EQ(error.worst_excess, 1);
  CompareFrames(error, 2e-5, error);
  EXPECT_EQ(error.worse_frames, 0) << "than itself";
  EXPECT_EQ(error.worst_excess, 0);
}

TEST(FollowEachOther, NeedsThreeFramesOfAMotionWithoutAGap) {
  dataset::TrainingFrames frames;
  frames.motions = {0, 0, 0, 1, 1, 1, 1, -1, -1, -1};
  frames.poses.resize(frames.motions.size());
  frames.motion_frames = {0, 5, 10, 0, 1, 3, 5, 0, 1, 2};
  const auto following = [&] {
    std::vector<int> found;
    for (int j = 0; j <= frames.count(); ++j) {
      if (FollowEachOther(frames, j)) found.push_back(j);
    }
    return found;
  };
  EXPECT_EQ(following(), (std::vector<int>{2, 6})) << "frame 2 of motion 1 is missing";
  frames.motion_frames.clear();
  EXPECT_EQ(following(), (std::vector<int>{2, 5, 6}));
  frames.motions.clear();
  EXPECT_EQ(following(), std::vector<int>{});
}

TEST(CrossingFrames, AreFewAndEvenlySpread) {
  EXPECT_EQ(CrossingFrames(1), (std::vector<int>{0}));
  EXPECT_EQ(CrossingFrames(9), (std::vector<int>{1, 4, 7}));
  EXPECT_EQ(CrossingFrames(64), (std::vector<int>{8, 24, 40, 56}));
  EXPECT_EQ(CrossingFrames(160).size(), 10u);
  EXPECT_EQ(CrossingFrames(100000).size(), 20u);
}

// A method that is off in a known way in every frame, and the truth, which is skinning.
class KnownErrors : public BallInBall {
 protected:
  // 60 frames of two motions.
  KnownErrors() {
    Random random(2);
    frames_.poses.clear();
    frames_.motions.clear();
    for (int j = 0; j < 60; ++j) {
      frames_.poses.push_back(testing::RandomPose(skeleton(), random, 0.2));
      frames_.motions.push_back(j < 31 ? 0 : 1);
    }
  }

  // Moves skinning along x by `off(frame)`.
  Method Moved(const std::string& name, const std::function<double(int)>& off) const {
    return {name, [this, off](const Pose& pose) {
              int j = 0;
              while (&frames_.poses[j] != &pose) ++j;
              std::vector<Points> shapes = SkinningMethod(hierarchy_, false).shapes(pose);
              for (Points& shape : shapes) shape.col(0).array() += static_cast<float>(off(j));
              return shapes;
            }};
  }
};

TEST_F(KnownErrors, AreFoundOnTheFinestLevel) {
  const Evaluation evaluation = EvaluateMethods(
      hierarchy_, frames_,
      {Moved("still", [](int) { return 0.01; }), Moved("trembling", [](int j) { return j % 2 == 0 ? 0.001 : -0.001; }),
       Moved("four frames",
             [](int j) { return j == 3 || j == 4 || j == 20 || j == 50 ? 0.005 * (j % 10 + 1) : 0.0; })});
  EXPECT_EQ(evaluation.methods, (std::vector<std::string>{kLinearBlend, "still", "trembling", "four frames"}));
  EXPECT_EQ(evaluation.judged(), 3u);
  const LevelError &linear = evaluation.errors[0].back(), &still = evaluation.errors[1].back();
  const LevelError &trembling = evaluation.errors[2].back(), &four = evaluation.errors[3].back();
  EXPECT_LE(linear.rms, evaluation.exact());
  EXPECT_EQ(linear.worse_frames, 0);
  EXPECT_NEAR(*linear.flicker, 0, 1e-6);
  EXPECT_NEAR(still.rms, 0.01, 1e-6);
  EXPECT_NEAR(*still.flicker, 0, 1e-6);
  EXPECT_EQ(still.worse_frames, 60);
  EXPECT_NEAR(still.worst_excess, 0.01, 1e-6);
  EXPECT_NEAR(still.farther_share, 1, 1e-9);
  EXPECT_NEAR(trembling.rms, 0.001, 1e-6);
  EXPECT_NEAR(*trembling.flicker, 0.004, 1e-6);
  EXPECT_NEAR(trembling.farther_share, 0, 1e-9) << "less than 2 mm";
  EXPECT_EQ(four.worse_frames, 4);
  EXPECT_NEAR(four.worst_excess, 0.025, 1e-6);
  EXPECT_NEAR(four.farther_share, 4.0 / 60, 1e-9);
  EXPECT_NEAR(four.p95, 0.005, 0.005 / 100) << "the worst three of 60 are 5%";
  EXPECT_NEAR(four.p99, 0.025, 0.025 / 100);
  EXPECT_NEAR(still.normal_mean, 0, 0.01);
  ASSERT_TRUE(still.volume);
  EXPECT_NEAR(still.volume->worst, 0, 1e-4);
  EXPECT_EQ(evaluation.regions.back().size(), 3u);
  for (const JointRegion& region : evaluation.regions.back()) EXPECT_NEAR(region.rms[1], 0.01, 1e-6);
  EXPECT_EQ(evaluation.crossings.frames, 3);
  EXPECT_EQ(evaluation.crossings.truth, evaluation.crossings.methods[0]) << "skinning is the truth";

  // In centimetres, 0.01 is a tenth of a millimetre.
  const Evaluation small = EvaluateMethods(hierarchy_, frames_, {Moved("still", [](int) { return 0.01; })},
                                           {.metres_per_unit = 0.01, .crossings = false});
  EXPECT_EQ(small.errors[1].back().farther_share, 0);
  EXPECT_EQ(small.crossings.frames, 0);
}

TEST_F(KnownErrors, AreTheSameBitsForAnyNumberOfThreadsAndThoseOfBruteForce) {
  // The truth is off in a way that differs from point to point and frame to frame.
  const auto noise = [](int j, Eigen::Index p) { return 0.02 * std::sin(double(7 * j) + 0.37 * double(p)); };
  frames_.truth = [&](int j) {
    Points shape = Skinned(frames_.poses[j]);
    for (Eigen::Index v = 0; v < shape.rows(); ++v) shape(v, 1) += static_cast<float>(noise(j, v));
    return shape;
  };
  std::vector<std::string> results;
  for (const int threads : {1, 3}) {
    SetThreads(threads);
    const Evaluation evaluation = EvaluateMethods(hierarchy_, frames_, {SkinningMethod(hierarchy_, true)});
    results.push_back(EvaluationJson(evaluation, 1000).dump());
    if (threads != 1) continue;
    // The mesh has no seams, so that vertices are points.
    const std::vector<double> areas = VertexAreas({Skinned(skeleton().RestPose()), PointTriangles(finest())});
    const double all = std::accumulate(areas.begin(), areas.end(), 0.0);
    double mean = 0, square = 0, flicker = 0;
    for (int j = 0; j < 60; ++j) {
      for (size_t p = 0; p < areas.size(); ++p) {
        const auto at = static_cast<Eigen::Index>(p);
        mean += areas[p] / all * std::abs(noise(j, at)) / 60;
        square += areas[p] / all * noise(j, at) * noise(j, at) / 60;
        if (j < 2 || j == 31 || j == 32) continue;
        const double second = noise(j, at) - 2 * noise(j - 1, at) + noise(j - 2, at);
        flicker += areas[p] / all * second * second / 56;
      }
    }
    const LevelError& error = evaluation.errors[0].back();
    EXPECT_NEAR(error.mean, mean, 1e-6);
    EXPECT_NEAR(error.rms, std::sqrt(square), 1e-6);
    EXPECT_NEAR(*error.flicker, std::sqrt(flicker), 1e-6);
  }
  SetThreads(0);
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(KnownErrors, AreToldInTextJsonAndPage) {
  const std::vector<Method> methods = {Moved(kSinew, [](int) { return 0.01; })};
  const Evaluation evaluation = EvaluateMethods(hierarchy_, frames_, methods);
  const std::string text = MeasuresText(evaluation, 1000);
  for (const char* has :
       {"mean distance, mm", "flicker, mm", "worse frames, of 60", "volume, mean change, %",
        "crossing triangles, pairs", "2 mm worse than linear blend", "most gained: nowhere\n  most lost: "}) {
    EXPECT_NE(text.find(has), std::string::npos) << has << "\n" << text;
  }
  const Json levels = EvaluationJson(evaluation, 1000);
  const Json& sinew = levels[1].at("sinew");
  EXPECT_NEAR(sinew.at("mean_mm").get<double>(), 10, 1e-3);
  EXPECT_NEAR(sinew.at("p99_mm").get<double>(), 10, 0.1);
  EXPECT_NEAR(sinew.at("flicker_mm").get<double>(), 0, 1e-3);
  EXPECT_EQ(sinew.at("worse_frames"), 60);
  EXPECT_NEAR(sinew.at("worst_excess_mm").get<double>(), 10, 1e-3);
  EXPECT_TRUE(sinew.contains("volume_mean"));
  EXPECT_NEAR(levels[1].at("closed_share").get<double>(), 1, 1e-9);
  EXPECT_EQ(levels[1].at("crossings").at("frames"), 3);
  EXPECT_FALSE(levels[0].contains("crossings"));
  EXPECT_NEAR(levels[1].at("regions")[0].at("rms_mm").at("sinew").get<double>(), 10, 1e-3);
  report::Page page("balls", "measures");
  AddEvaluation(
      {.hierarchy = &hierarchy_, .frames = &frames_, .evaluation = &evaluation, .methods = methods, .worst_frames = 0},
      page);
  for (const MeasureRow& row : MeasureRows(evaluation, 2, 1000)) {
    EXPECT_NE(page.Html().find(row.name), std::string::npos) << row.name;
    EXPECT_EQ(row.cells.size(), 2u) << row.name;
    EXPECT_TRUE(row.reading.ends_with(".")) << row.reading;
  }
  EXPECT_NE(page.Html().find("where sinew loses most"), std::string::npos);

  // Single poses have no flicker, and coarser levels no crossings.
  frames_.motions.assign(60, -1);
  const Evaluation poses = EvaluateMethods(hierarchy_, frames_, methods);
  EXPECT_EQ(MeasuresText(poses, 1000).find("flicker"), std::string::npos);
  EXPECT_FALSE(EvaluationJson(poses, 1000)[1].at("sinew").contains("flicker_mm"));
  for (const MeasureRow& row : MeasureRows(poses, 1, 1000)) {
    EXPECT_EQ(row.name.find("crossing"), std::string::npos);
  }
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
