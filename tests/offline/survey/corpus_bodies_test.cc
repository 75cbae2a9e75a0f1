// Corpora in a survey: which frames are measured, and that none of them counts as training.
#include "sinew/offline/survey/corpus_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/make_corpus.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/survey/survey_methods.h"
#include "sinew/offline/survey/survey_tables.h"
#include "tests/support/error_of.h"
#include "tests/support/rigs.h"
#include "tests/support/small_recipes.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::survey {
namespace {

using testing::ErrorOf;

namespace fs = std::filesystem;
using dataset::Side;

class CorpusBodies : public ::testing::Test {
 protected:
  // Four bodies of six samples each: two to train on, one to validate with, one to test with.
  std::string MakeDealtCorpus() { return Make("dealt", corpus::SmallRecipe(4)); }

  // Two bodies to train on, each with three frames of alice's clip, and two of bob's to test with.
  std::string MakeCorpusOfPeople() {
    for (const char* person : {"alice", "bob"}) WriteClip(person);
    std::string recipe = corpus::SmallRecipe(2, "[splits]\ntest = 0\nvalidation = 0\ntest_people = [\"bob\"]\n");
    recipe.replace(recipe.find("clear = false"), 13,
                   "clear = false\nclips = \"clips\"\nclip_frames = 3\nunseen_clip_frames = 2\nclip_distance = 2");
    return Make("people", recipe);
  }

  std::string Make(const std::string& name, const std::string& recipe) {
    corpus::WriteSmallBodies(folder_.path(), 4);
    const fs::path file = folder_ / "recipe.toml";
    corpus::MakeCorpus(corpus::ParseRecipe(recipe, file), file.string(), folder_ / name);
    return (folder_ / name).string();
  }

  void WriteClip(const std::string& person) {
    fs::create_directories(folder_ / "clips");
    Clip clip;
    clip.skeleton = testing::MakeRig({});
    clip.motion = {.name = "motion", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
    for (int f = 0; f < 40; ++f) clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random_, 0.6));
    WriteBvh(folder_ / "clips" / (person + "_01.bvh"), clip);
  }

  testing::TemporaryFolder folder_;
  Random random_ = Random(3);
};

TEST_F(CorpusBodies, ACorpusStandsForItsBodiesWithFramesOnOneSide) {
  const std::string path = MakeDealtCorpus();
  const corpus::Corpus corpus(path);
  size_t all = 0;
  for (const Side side : {Side::kTrain, Side::kValidation, Side::kTest}) {
    for (const Body& body : OpenBodies({path}, {.side = side})) {
      const corpus::CorpusBody& listed = corpus.body(corpus.manifest().FindBody(body.name));
      EXPECT_EQ(listed.side, side);
      EXPECT_EQ(body.family, "figure");
      EXPECT_EQ(body.identity, listed.identity);
      EXPECT_EQ(body.frames->size(), 6u);
      ++all;
    }
  }
  EXPECT_EQ(all, 4u);
  EXPECT_EQ(OpenBodies({path}, {.unseen_family = "figure"}).size(), 4u);
  EXPECT_TRUE(BodiesOfCorpus(path, {Side::kTrain, "figure"}).empty());
  EXPECT_NE(ErrorOf([&] { OpenBodies({path}, {Side::kTrain, "figure"}); }).find("side \"train\""), std::string::npos);
  EXPECT_NE(ErrorOf([&] { OpenBodies({path}, {.unseen_family = "robot"}); }).find("robot"), std::string::npos);
  EXPECT_TRUE(NamesBodies(path));
  EXPECT_TRUE(NamesBodies("x=" + path));
  EXPECT_FALSE(NamesBodies(folder_.path().string()));
  EXPECT_NE(ErrorOf([&] { OpenBodies({"x=" + path}, {}); }).find("families of its own"), std::string::npos);
}

TEST_F(CorpusBodies, OnlyTheChosenFramesAreMeasured) {
  const std::vector<Body> bodies = OpenBodies({MakeCorpusOfPeople()}, {});
  ASSERT_EQ(bodies.size(), 2u);
  const LoadedBody loaded(bodies[0]);
  ASSERT_EQ(loaded.frames.size(), 2u);
  // Shapes that are the truth in these frames alone.
  std::vector<Points> shapes;
  for (int i = 0; i < loaded.dataset.frame_count(); ++i) {
    const bool chosen = std::count(loaded.frames.begin(), loaded.frames.end(), i) > 0;
    shapes.push_back(chosen ? loaded.dataset.Shape(i)
                            : Points(Points::Constant(loaded.character().vertex_count(), 3, 7)));
  }
  testing::WriteShapes(folder_ / "mine.npy", shapes);
  const Survey survey = MeasureBodies({bodies[0]}, {RecordedShapes("mine", folder_ / "mine.npy")});
  EXPECT_EQ(survey.bodies[0].frame_count(), 2);
  EXPECT_EQ(AllBodies(survey).methods[1].max, 0);
  Body wrong = bodies[0];
  wrong.frames = std::vector<int>{loaded.dataset.frame_count()};
  EXPECT_THROW(MeasureBodies({wrong}, {}), InputError);
}

TEST_F(CorpusBodies, DistancesAreToTrainingFramesOfTheSameDatasetsAlone) {
  const std::string path = MakeCorpusOfPeople();
  const std::vector<Body> test = OpenBodies({path}, {}), train = OpenBodies({path}, {.side = Side::kTrain});
  ASSERT_EQ(test[0].dataset, train[0].dataset) << "each body has frames on both sides";
  const TrainingBodies training(train);
  EXPECT_EQ(training.pose_count(), 2 * (6 + 3));
  const Survey survey = MeasureBodies(test, {}, {.training = &training});
  for (const MeasuredBody& body : survey.bodies) {
    const LoadedBody loaded(body.body);
    const Articulation articulation(loaded.character().skeleton);
    const poses::PoseMetric metric(articulation);
    for (size_t j = 0; j < loaded.frames.size(); ++j) {
      double nearest = 1e9;
      for (const Body& trained : train) {
        const dataset::Dataset dataset(trained.dataset);
        for (const int i : *trained.frames) {
          nearest = std::min(nearest, metric.Distance(articulation.Deltas(loaded.dataset.pose(loaded.frames[j])),
                                                      articulation.Deltas(dataset.pose(i))));
        }
      }
      EXPECT_NEAR(body.pose_degrees[j], nearest * 180 / 3.14159265358979, 1e-6);
      EXPECT_GT(body.pose_degrees[j], 1) << "a test frame counts as training";
    }
  }
}

TEST_F(CorpusBodies, TestFramesGivenAsTrainingAreRefused) {
  const std::string path = MakeCorpusOfPeople();
  const std::vector<Body> test = OpenBodies({path}, {});
  std::vector<std::string> datasets;
  for (const Body& body : test) datasets.push_back(body.dataset.string());
  const TrainingBodies leak(OpenBodies(datasets, {}));
  const std::string sentence = ErrorOf([&] { MeasureBodies(test, {}, {.training = &leak}); });
  EXPECT_NE(sentence.find("2 of the 2 frames to measure are also given as training"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(datasets[0]), std::string::npos) << sentence;
  // A whole dataset may be measured beside itself.
  EXPECT_EQ(MeasureBodies(OpenBodies(datasets, {}), {}, {.training = &leak}).bodies[0].pose_degrees[0], 0);
}

}  // namespace
}  // namespace sinew::survey
