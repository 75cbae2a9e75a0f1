#include "sinew/offline/survey/training_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/poses/sample_poses.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::survey {
namespace {

using testing::EggOn;

class Training : public ::testing::Test {
 protected:
  Body Write(const std::string& name, const Character& character, uint64_t seed) {
    testing::WriteBumpedDataset(folder_ / (name + ".dataset"), character, 2, seed);
    return ParseBody((folder_ / (name + ".dataset")).string());
  }
  static std::vector<Pose> PosesOf(const Body& body) {
    const dataset::Dataset dataset(body.dataset);
    std::vector<Pose> poses;
    for (const int i : dataset.OkFrames()) poses.push_back(dataset.pose(i));
    return poses;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Training, PoseDistancesAreTheSmallestOfAll) {
  const Character egg = EggOn({});
  const std::vector<Body> bodies = {Write("a", egg, 1), Write("b", EggOn({}, {.height = 1.9}), 2)};
  const TrainingBodies training(bodies);
  EXPECT_EQ(training.body_count(), 2);
  EXPECT_EQ(training.pose_count(), 12);
  const std::vector<Pose> poses = PosesOf(Write("c", egg, 3));
  const std::vector<double> found = training.PoseDistances(egg.skeleton, poses);
  const Articulation articulation(egg.skeleton);
  const poses::PoseMetric metric(articulation);
  ASSERT_EQ(found.size(), poses.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    double least = 1e9;
    for (const Body& body : bodies) {
      for (const Pose& trained : PosesOf(body)) {
        least = std::min(least, metric.Distance(articulation.Deltas(poses[i]), articulation.Deltas(trained)));
      }
    }
    EXPECT_NEAR(found[i], least, 1e-6) << i;
    EXPECT_GT(found[i], 0.05);
  }
}

TEST_F(Training, PosesThatWereTrainedAreNotFarWhateverTheRig) {
  const Character egg = EggOn({});
  const Body body = Write("a", egg, 1);
  const TrainingBodies training({body});
  for (const double distance : training.PoseDistances(egg.skeleton, PosesOf(body))) EXPECT_NEAR(distance, 0, 1e-6);

  // The same poses with other joint frames are carried over.
  const Character other = EggOn({}, {.frames_seed = 7});
  const TrainingBodies same_body({Write("b", other, 1)});
  const std::vector<double> found = same_body.PoseDistances(egg.skeleton, PosesOf(body));
  ASSERT_EQ(found.size(), PosesOf(body).size());

  Skeleton strange;
  strange.joints = {{.name = "qqq", .parent = -1, .rest = {}}};
  EXPECT_TRUE(training.PoseDistances(strange, {strange.RestPose()}).empty());
}

TEST_F(Training, NearestBodyIsTheOneThatIsMostAlike) {
  const TrainingBodies training({Write("small", EggOn({}, {.height = 1.5}), 1),
                                 Write("middle", EggOn({}, {.height = 1.75}), 2),
                                 Write("tall", EggOn({}, {.height = 2.1}), 3)});
  const auto nearest = [&](double height) {
    return training.Nearest(MeasureBody(EggOn({.columns = 40, .rows = 30}, {.height = height}), 1));
  };
  EXPECT_EQ(nearest(1.55)->name, "small");
  EXPECT_EQ(nearest(1.75)->name, "middle");
  EXPECT_EQ(nearest(2.0)->name, "tall");
  EXPECT_LT(nearest(1.75)->distance.Total(), nearest(1.85)->distance.Total());
  EXPECT_FALSE(training.Nearest({}).has_value());
}

TEST_F(Training, ParsesFamilies) {
  const Body plain = ParseBody("data/anna.dataset"), family = ParseBody("adults=data/anna.dataset/");
  EXPECT_EQ(plain.name, "anna");
  EXPECT_EQ(plain.family, "");
  EXPECT_EQ(family.name, "anna");
  EXPECT_EQ(family.family, "adults");
  EXPECT_EQ(family.dataset, "data/anna.dataset/");
  EXPECT_THROW(RefuseRepeated({plain, family}), UsageError);
  const Body with_sign = Write("x=y", EggOn({}), 1);
  EXPECT_EQ(with_sign.family, "");
  EXPECT_EQ(with_sign.name, "x=y");
}

}  // namespace
}  // namespace sinew::survey
