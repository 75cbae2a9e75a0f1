#include "sinew/offline/survey/survey_artefacts.h"

#include <gtest/gtest.h>

#include <functional>

#include "sinew/offline/core/random.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/survey/survey_page.h"
#include "sinew/offline/survey/survey_text.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::survey {
namespace {

// What a method makes of a frame's truth and of linear blend skinning; all rows are points.
using Make = std::function<Points(const Points& truth, const Points& skinned, int frame, const lod::Level& level)>;

BodyMethod Made(const std::string& name, const Make& make) {
  return {name, [name, make](const LoadedBody& body) {
            const evaluate::ShapesOfPose skinning = evaluate::SkinningMethod(body.hierarchy, false).shapes;
            return evaluate::Method{name, {}, [&body, skinning, make](int j) {
                                      const int frame = body.frames[j];
                                      const lod::Level& level = body.hierarchy.levels[0];
                                      const Points vertices = body.dataset.Shape(frame);
                                      Points truth(level.point_count, 3);
                                      for (Eigen::Index v = 0; v < vertices.rows(); ++v) {
                                        truth.row(level.point_of_vertex[v]) = vertices.row(v);
                                      }
                                      const Points skinned = skinning(body.dataset.pose(frame))[0];
                                      return std::vector<Points>{make(truth, skinned, j, level)};
                                    }};
          }};
}

BodyMethod Trembling(float metres) {
  return Made("trembling", [metres](const Points& truth, const Points&, int frame, const lod::Level&) {
    Points shape = truth;
    shape.col(1).array() += frame % 2 == 0 ? metres : -metres;
    return shape;
  });
}

BodyMethod Off(float metres) {
  return Made("off", [metres](const Points& truth, const Points&, int, const lod::Level&) {
    return Points(truth.array() + metres);
  });
}

BodyMethod Rough(double metres) {
  return Made("rough", [metres](const Points& truth, const Points&, int, const lod::Level&) {
    Random random(7);
    Points shape = truth;
    for (Eigen::Index i = 0; i < shape.size(); ++i) {
      shape.data()[i] += static_cast<float>(random.Uniform(-metres, metres));
    }
    return shape;
  });
}

// Skinning, whose error is multiplied where one joint is strongest.
BodyMethod WorseAt(int joint, float factor) {
  return Made("worse", [=](const Points& truth, const Points& skinned, int, const lod::Level& level) {
    Points shape = skinned;
    const SkinWeights& weights = level.character.parts[0].weights;
    for (int v = 0; v < level.vertex_count(); ++v) {
      const int p = level.point_of_vertex[v];
      if (weights.joints[v * weights.influences] != joint) continue;
      shape.row(p) = truth.row(p) + factor * (skinned.row(p) - truth.row(p));
    }
    return shape;
  });
}

class ArtefactsOfEggs : public ::testing::Test {
 protected:
  ArtefactsOfEggs() { testing::WriteBumpedDataset(folder_ / "egg.dataset", testing::EggOn({}), 4); }
  Survey Measure(const std::vector<BodyMethod>& methods, bool crossings = false) const {
    return MeasureBodies({ParseBody((folder_ / "egg.dataset").string())}, methods, {.crossings = crossings});
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ArtefactsOfEggs, AnErrorThatTremblesFlickersAndOneThatStaysDoesNot) {
  Survey survey = Measure({Trembling(0.002f), Off(0.05f)});
  std::vector<Artefacts> all = FindArtefacts(survey);
  // a - 2 (-a) + a
  EXPECT_NEAR(*all[1].flicker, 4 * 2, 1e-3);
  EXPECT_NEAR(*all[2].flicker, 0, 1e-3);
  EXPECT_FALSE(all[1].crossings) << "they were not counted";
  survey.bodies[0].evaluation.errors[0].back().flicker = 0.004;
  all = FindArtefacts(survey);
  EXPECT_NEAR(*all[1].flicker_share, 2, 1e-3);
  EXPECT_NEAR(*all[0].flicker_share, 1, 1e-12);
}

TEST_F(ArtefactsOfEggs, ARoughSurfaceCrossesItself) {
  Survey survey = Measure({Rough(0.2), Off(0.05f)}, true);
  std::vector<Artefacts> all = FindArtefacts(survey);
  EXPECT_GT(*all[1].crossings, 2 * *CrossingsOfTruth(survey));
  EXPECT_EQ(*all[2].crossings, *CrossingsOfTruth(survey)) << "a shape that is moved as a whole crosses as the truth";
  survey.bodies[0].evaluation.crossings.methods[0] = *all[1].crossings / 2;
  EXPECT_NEAR(*FindArtefacts(survey)[1].crossings_share, 2, 1e-12);
}

TEST_F(ArtefactsOfEggs, RegionsThatAreWorseThanSkinningAreNamedWithTheirSurface) {
  const Survey survey = Measure({WorseAt(1, 1.5f)});
  const std::vector<Artefacts> all = FindArtefacts(survey);
  EXPECT_TRUE(all[0].worse.empty());
  ASSERT_EQ(all[1].worse.size(), 1);
  const WorseRegion& worse = all[1].worse[0];
  const std::vector<evaluate::JointRegion>& regions = survey.bodies[0].evaluation.regions.back();
  const Character egg = testing::EggOn({});
  EXPECT_EQ(worse.joint, egg.skeleton.joints[1].name);
  EXPECT_NEAR(worse.share, 1.5, 1e-3);
  const auto region = std::find_if(regions.begin(), regions.end(),
                                   [&](const evaluate::JointRegion& one) { return one.joint == worse.joint; });
  EXPECT_EQ(worse.surface, region->share);
  EXPECT_EQ(all[1].worse_surface, region->share);
  EXPECT_TRUE(FindArtefacts(Measure({WorseAt(1, 1.05f)}))[1].worse.empty()) << "a tenth is allowed";
}

TEST_F(ArtefactsOfEggs, AreToldInTextJsonAndPage) {
  const Survey survey = Measure({WorseAt(1, 1.5f)}, true);
  const std::string joint = FindArtefacts(survey)[1].worse[0].joint;
  const Json json = SurveyJson(survey).at("artefacts");
  EXPECT_EQ(json.at("crossing_pairs_of_truth"), *CrossingsOfTruth(survey));
  const Json& worse = json.at("methods").at("worse");
  EXPECT_EQ(worse.at("worse_regions")[0].at("joint"), joint);
  EXPECT_EQ(worse.at("worse_regions")[0].at("body"), "egg");
  EXPECT_TRUE(worse.at("flicker_mm").is_number());
  const std::string text = SurveyText(survey);
  EXPECT_NE(text.find(joint + " of egg 1.50"), std::string::npos) << text;
  report::Page page("title");
  AddSurvey(survey, page);
  EXPECT_NE(page.Html().find(joint + " of egg 1.50"), std::string::npos);
}

}  // namespace
}  // namespace sinew::survey
