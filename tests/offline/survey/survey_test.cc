#include "sinew/offline/survey/survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/survey/survey_methods.h"
#include "sinew/offline/survey/survey_page.h"
#include "sinew/offline/survey/survey_text.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::survey {
namespace {

using testing::EggOn;

// A method that is given by a function of the frame's truths.
using Make = std::function<std::vector<Points>(const std::vector<Points>& truths, const Character& character)>;
BodyMethod Made(const std::string& name, const Make& make) {
  return {name, [name, make](const LoadedBody& body) {
            std::vector<Points> truths;
            for (const int i : body.dataset.OkFrames()) truths.push_back(body.dataset.Shape(i));
            const std::vector<Points> shapes = make(truths, body.character());
            const std::vector<int> point_of = body.hierarchy.levels[0].point_of_vertex;
            const int points = body.hierarchy.levels[0].point_count;
            return evaluate::Method{name, {}, [shapes, point_of, points](int j) {
                                      Points on_points(points, 3);
                                      for (size_t v = 0; v < point_of.size(); ++v) {
                                        on_points.row(point_of[v]) = shapes[j].row(static_cast<Eigen::Index>(v));
                                      }
                                      return std::vector<Points>{on_points};
                                    }};
          }};
}

BodyMethod Truth() {
  return Made("itself", [](const std::vector<Points>& truths, const Character&) { return truths; });
}
BodyMethod Noise(double metres) {
  return Made("noise", [metres](std::vector<Points> shapes, const Character&) {
    Random random(7);
    for (Points& shape : shapes) {
      for (Eigen::Index v = 0; v < shape.rows(); ++v) {
        for (int k = 0; k < 3; ++k) shape(v, k) += static_cast<float>(random.Uniform(-metres, metres));
      }
    }
    return shapes;
  });
}
BodyMethod Frozen() {
  return Made("frozen", [](const std::vector<Points>& truths, const Character& character) {
    return std::vector<Points>(truths.size(), character.parts[0].mesh.positions);
  });
}
BodyMethod Shuffled() {
  return Made("shuffled", [](std::vector<Points> shapes, const Character&) {
    std::rotate(shapes.begin(), shapes.begin() + 1, shapes.end());
    return shapes;
  });
}

class SurveyOfEggs : public ::testing::Test {
 protected:
  Body Write(const std::string& name, const std::string& family, const Character& character, uint64_t seed = 1,
             int frames_each = 2) {
    testing::WriteBumpedDataset(folder_ / (name + ".dataset"), character, frames_each, seed);
    return {folder_ / (name + ".dataset"), family, name, name};
  }
  std::vector<Body> TwoFamilies() {
    return {Write("a", "thick", EggOn({})), Write("b", "thick", EggOn({}, {.height = 1.9}), 2, 1),
            Write("c", "thin", EggOn({.columns = 20, .rows = 14}, {.height = 1.2}), 3)};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(SurveyOfEggs, TheTruthItselfIsExactAndBadMethodsAreWorse) {
  const Survey survey = MeasureBodies(TwoFamilies(), {Truth(), Noise(0.2), Frozen(), Shuffled()});
  const Row all = AllBodies(survey);
  EXPECT_EQ(all.methods[1].max, 0);
  EXPECT_EQ(*all.methods[1].share, 0);
  for (size_t m = 2; m < survey.methods.size(); ++m) EXPECT_GT(*all.methods[m].share, 2) << survey.methods[m];
  EXPECT_EQ(*all.methods[0].share, 1) << "linear blend is the measure";
}

TEST_F(SurveyOfEggs, MoreNoiseIsWorse) {
  const std::vector<Body> bodies = {Write("a", "", EggOn({}))};
  double last = 0;
  for (const double metres : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const Row all = AllBodies(MeasureBodies(bodies, {Noise(metres)}));
    // Uniform in a cube: each axis has a third of the square of its half side.
    EXPECT_NEAR(all.methods[1].rms, 1e3 * metres, 0.03 * 1e3 * metres);
    EXPECT_GT(*all.methods[1].share, last);
    last = *all.methods[1].share;
  }
  EXPECT_GT(last, 1);
}

TEST_F(SurveyOfEggs, FiguresDoNotDependOnTheMesh) {
  const Survey survey = MeasureBodies(
      {Write("plain", "", EggOn({.columns = 48, .rows = 32})), Write("fine", "", EggOn({.columns = 80, .rows = 64})),
       Write("crowded", "", EggOn({.columns = 48, .rows = 48, .crowded = 0.8}))},
      {});
  const std::vector<Row> rows = ByBody(survey);
  const Figures& plain = rows[0].methods[0];
  for (const Row& row : rows) {
    const Figures& figures = row.methods[0];
    EXPECT_NEAR(figures.mean, plain.mean, 0.01 * plain.mean) << row.name;
    EXPECT_NEAR(figures.rms, plain.rms, 0.01 * plain.rms) << row.name;
    EXPECT_NEAR(figures.p99, plain.p99, 0.02 * plain.p99) << row.name;
    EXPECT_NEAR(figures.max, plain.max, 0.02 * plain.max) << row.name;
  }
  // Where every point counts the same, crowded points pull the figure away.
  const auto point_rms = [&](int b) { return 1e3 * survey.bodies[b].evaluation.errors[0][0].point_rms; };
  EXPECT_GT(std::abs(point_rms(2) - point_rms(0)), 0.03 * plain.rms);
}

TEST_F(SurveyOfEggs, RegionsAddUpToTheBodyAndBodiesToFamilies) {
  const Survey survey = MeasureBodies(TwoFamilies(), {DualQuaternionMethod()});
  const std::vector<Row> bodies = ByBody(survey), families = ByFamily(survey);
  for (size_t b = 0; b < survey.bodies.size(); ++b) {
    Survey one = survey;
    one.bodies = {survey.bodies[b]};
    for (size_t m = 0; m < survey.methods.size(); ++m) {
      double surface = 0, mean = 0, square = 0;
      for (const Row& region : ByRegion(one)) {
        surface += region.surface;
        mean += region.surface * region.methods[m].mean;
        square += region.surface * region.methods[m].rms * region.methods[m].rms;
      }
      EXPECT_NEAR(surface, 1, 1e-9);
      EXPECT_NEAR(mean, bodies[b].methods[m].mean, 1e-6 * mean);
      EXPECT_NEAR(std::sqrt(square), bodies[b].methods[m].rms, 1e-6 * std::sqrt(square));
      // The level's own error is the same by another way.
      EXPECT_NEAR(bodies[b].methods[m].rms, 1e3 * survey.bodies[b].evaluation.errors[m][0].rms, 1e-6);
      EXPECT_NEAR(bodies[b].methods[m].max, 1e3 * survey.bodies[b].evaluation.errors[m][0].max, 1e-6);
    }
  }
  ASSERT_EQ(families.size(), 2);
  EXPECT_EQ(families[0].name, "thick");
  EXPECT_EQ(families[0].bodies, 2);
  EXPECT_EQ(families[0].frames, 9);
  const auto square = [](double x) { return x * x; };
  EXPECT_NEAR(square(families[0].methods[1].rms),
              0.5 * (square(bodies[0].methods[1].rms) + square(bodies[1].methods[1].rms)), 1e-6)
      << "each body counts the same, whatever its number of frames";
  EXPECT_NEAR(families[1].methods[1].rms, bodies[2].methods[1].rms, 1e-9);
}

TEST_F(SurveyOfEggs, NamesTheWorstBodyAndFamily) {
  // Wrong by a centimetre on the small body alone.
  const BodyMethod small = Made("small", [](std::vector<Points> shapes, const Character& character) {
    if (character.vertex_count() < 400) shapes = std::vector<Points>(shapes.size(), character.parts[0].mesh.positions);
    return shapes;
  });
  const std::vector<Body> bodies = TwoFamilies();
  const Survey survey = MeasureBodies(bodies, {small});
  EXPECT_EQ(ByBody(survey)[*WorstRow(ByBody(survey), 1)].name, "c");
  EXPECT_EQ(ByFamily(survey)[*WorstRow(ByFamily(survey), 1)].name, "thin");
  const Json json = SurveyJson(survey);
  EXPECT_EQ(json.at("worst").at("small").at("body").at("name"), "c");
  EXPECT_EQ(json.at("worst").at("small").at("family").at("name"), "thin");
  const std::string text = SurveyText(survey);
  EXPECT_NE(text.find("3 bodies of 2 families, 15 frames"), std::string::npos) << text;
  for (const char* has : {"thick", "torso", "worst family", "small mm"}) {
    EXPECT_NE(text.find(has), std::string::npos) << has << "\n" << text;
  }
  EXPECT_EQ(text.find("to pose"), std::string::npos) << "nothing is known of training";
  report::Page page("title");
  AddSurvey(survey, page);
  for (const char* has : {"<svg", "error by family", "thin", "torso"}) {
    EXPECT_NE(page.Html().find(has), std::string::npos) << has;
  }
}

TEST_F(SurveyOfEggs, DistancesToTrainingStandBesideEveryFigure) {
  const std::vector<Body> bodies = TwoFamilies();
  const TrainingBodies training({bodies[0]});
  const Survey survey = MeasureBodies(bodies, {DualQuaternionMethod()}, {.training = &training});
  const std::vector<Row> rows = ByBody(survey);
  EXPECT_NEAR(*rows[0].nearness.pose_max, 0, 1e-4);
  EXPECT_EQ(*rows[0].nearness.body_mm, 0);
  EXPECT_EQ(rows[0].nearness.body, "a");
  EXPECT_GT(*rows[1].nearness.pose_mean, 1);
  EXPECT_GE(*rows[1].nearness.pose_max, *rows[1].nearness.pose_mean);
  EXPECT_GT(*rows[1].nearness.body_mm, 1);
  EXPECT_NEAR(*rows[1].nearness.body_percent, 0.1 * *rows[1].nearness.body_mm / survey.bodies[1].shape.stature, 1e-9);
  const std::vector<PoseBin> bins = ByPoseDistance(survey);
  ASSERT_EQ(bins.size(), 4);
  int frames = 0;
  for (size_t k = 0; k < bins.size(); ++k) {
    frames += bins[k].frames;
    EXPECT_LE(bins[k].from, bins[k].to);
    EXPECT_LE(k > 0 ? bins[k - 1].to : 0, bins[k].from);
    EXPECT_NEAR(*bins[k].shares[0], 1, 1e-12);
  }
  EXPECT_EQ(frames, 15);
  const Json json = SurveyJson(survey);
  for (const char* table : {"families", "regions", "bodies"}) {
    for (const Json& row : json.at(table)) {
      EXPECT_TRUE(row.at("nearest_training").at("pose_mean_degrees").is_number()) << table;
      EXPECT_TRUE(row.at("nearest_training").at("body_mm").is_number()) << table;
    }
  }
  EXPECT_NE(SurveyText(survey).find("6 training poses"), std::string::npos);
}

TEST_F(SurveyOfEggs, DoesNotDependOnTheNumberOfThreads) {
  const std::vector<Body> bodies = TwoFamilies();
  const auto text = [&](int threads) {
    SetThreads(threads);
    const TrainingBodies training(bodies);
    return JsonText(SurveyJson(MeasureBodies(bodies, {DeltaMushMethod()}, {.training = &training})));
  };
  const std::string one = text(1), three = text(3);
  SetThreads(0);
  EXPECT_EQ(one, three);
}

TEST_F(SurveyOfEggs, RefusesWhatCannotBeTold) {
  const Body body = Write("a", "", EggOn({}));
  EXPECT_THROW(MeasureBodies({body, body}, {}), UsageError);
  EXPECT_THROW(MeasureBodies({body}, {Truth(), Truth()}), UsageError);
  EXPECT_THROW(MeasureBodies({{folder_ / "none.dataset", "", "none", "none"}}, {}), InputError);
}

}  // namespace
}  // namespace sinew::survey
