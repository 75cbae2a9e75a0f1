#include "sinew/offline/multires/train.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <set>
#include <thread>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/multires/predict.h"
#include "sinew/offline/poses/sample_poses.h"
#include "tests/offline/multires/trained_tube.h"

namespace sinew::multires {
namespace {

using testing::TubeFrames;
using testing::TubeHierarchy;

TrainOptions Quick() {
  TrainOptions options;
  options.epsilon = 1e-4;
  options.fit.steps = 600;
  return options;
}

evaluate::Method Predicted(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer) {
  return {"deformer", [&](const Pose& pose) {
            const learn::RowMatrix features =
                FeaturesOfPoses(deformer.features, hierarchy.levels.back().character.skeleton, {pose});
            std::vector<Points> shapes;
            learn::RowMatrix F;
            for (int i = 1; i <= hierarchy.level_count(); ++i) {
              F = PredictLevel(deformer, hierarchy, i, features, F);
              const learn::RowMatrix shown = WithOwn(deformer, i, features, F);
              const LevelSkin skin(hierarchy.level(i));
              const std::vector<Eigen::Affine3f> blend = skin.Blend(pose);
              Points& shape = shapes.emplace_back(skin.point_count(), 3);
              for (int p = 0; p < skin.point_count(); ++p) {
                const Eigen::RowVector3f at = skin.rest().row(p) + shown.block<1, 3>(0, 3 * p);
                shape.row(p) = blend[p] * Eigen::Vector3f(at.transpose());
              }
            }
            return shapes;
          }};
}

TEST(Train, EveryLevelIsFarNearerToTheTruthThanSkinning) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const Training training = Train(hierarchy, TubeFrames(hierarchy, 160, 1), Quick());
  const dataset::TrainingFrames unseen = TubeFrames(hierarchy, 30, 2);
  const evaluate::Evaluation evaluation =
      evaluate::EvaluateMethods(hierarchy, unseen, {Predicted(hierarchy, training.deformer)});
  ASSERT_EQ(evaluation.methods.size(), 2u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(evaluation.errors[1][i].rms, 0.2 * evaluation.errors[0][i].rms) << "level " << i + 1;
    EXPECT_EQ(evaluation.errors[1][i].worse_frames, 0);
    EXPECT_GT(training.levels[i].residual, training.levels[i].training);
    EXPECT_GE(training.levels[i].training, 0.3 * training.levels[i].after_basis);
  }
  // The incremental residuals are small, and so are their bases.
  EXPECT_GT(training.levels[0].residual, 2 * training.levels[2].residual);
}

TEST(Train, ANetworkThatIsNotFiniteIsLeftOutAndTold) {
  TrainedRegion region;
  region.corrective.region = 3;
  region.corrective.points = {0, 1};
  region.corrective.V = Eigen::MatrixXf::Ones(6, 2);
  learn::Fit fit;
  fit.network.W1 = fit.network.W2 = fit.network.W3 = Eigen::MatrixXf::Ones(2, 2);
  fit.network.b1 = fit.network.b2 = fit.network.b3 = Eigen::VectorXf::Ones(2);
  EXPECT_FALSE(WithNetwork(region, fit).failed);
  EXPECT_EQ(WithNetwork(region, fit).corrective.modes(), 2);
  fit.network.b2[1] = std::numeric_limits<float>::quiet_NaN();
  const TrainedRegion without = WithNetwork(region, fit);
  EXPECT_TRUE(without.failed);
  EXPECT_EQ(without.corrective.modes(), 0);
  EXPECT_EQ(without.corrective.region, 3);
}

TEST(Train, ALevelThatCannotBeStoredIsLeftOutAndTheOthersAreNot) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const dataset::TrainingFrames frames = TubeFrames(hierarchy, 24, 1);
  TrainOptions options = Quick();
  options.fit.steps = 50;
  // A checkpoint in which a network of level 2 has gone bad.
  Checkpoint damaged;
  Train(
      hierarchy, frames, options,
      {.resume = nullptr, .checkpoint = [&](const Checkpoint& so_far) { damaged = so_far; }, .checkpoint_seconds = 0});
  ASSERT_GE(damaged.deformer.levels.size(), 2u);
  ASSERT_FALSE(damaged.deformer.levels[1].regions.empty());
  damaged.deformer.levels[1].regions[0].network.W1(0, 0) = std::numeric_limits<float>::infinity();
  const Training training = Train(hierarchy, frames, options, {.resume = &damaged, .checkpoint = {}});
  EXPECT_EQ(training.levels[0].left_out, "");
  EXPECT_NE(training.levels[1].left_out.find("network 0"), std::string::npos) << training.levels[1].left_out;
  EXPECT_EQ(training.levels[2].left_out, "");
  EXPECT_FALSE(training.deformer.levels[0].regions.empty());
  EXPECT_TRUE(training.deformer.levels[1].regions.empty());
  EXPECT_FALSE(training.deformer.levels[2].regions.empty());
  EXPECT_EQ(training.levels[1].networks, 0);
  EXPECT_EQ(training.fits[1].size(), 0u);
}

TEST(Train, CorrectivesVanishAtRestAndFadeFarOutside) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const deformer::Deformer deformer = Train(hierarchy, TubeFrames(hierarchy, 60, 1), Quick()).deformer;
  const Skeleton& skeleton = hierarchy.levels.back().character.skeleton;
  const auto finest = [&](const Pose& pose) {
    const learn::RowMatrix features = FeaturesOfPoses(deformer.features, skeleton, {pose});
    learn::RowMatrix F;
    for (int i = 1; i <= 3; ++i) F = PredictLevel(deformer, hierarchy, i, features, F);
    return F;
  };
  EXPECT_LT(finest(skeleton.RestPose()).cwiseAbs().maxCoeff(), 1e-6);
  Pose far = skeleton.RestPose();
  far[1].rotation = far[2].rotation = {1, 0, 0, 0};  // half a turn
  EXPECT_EQ(finest(far).cwiseAbs().maxCoeff(), 0);
  // Trained poses are left alone.
  const learn::RowMatrix features = FeaturesOfPoses(deformer.features, skeleton, TubeFrames(hierarchy, 60, 1).poses);
  for (const deformer::RangeTest& test : deformer.ranges) {
    for (int j = 0; j < features.cols(); ++j) EXPECT_EQ(Fade(test, 3, features.col(j)), 1);
  }
}

TEST(Train, SameSeedSameBitsWhateverTheThreads) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick();
  options.fit.steps = 60;
  const dataset::TrainingFrames frames = TubeFrames(hierarchy, 40, 1);
  SetThreads(1);
  const Bytes one = deformer::FormatDeformer(Train(hierarchy, frames, options).deformer);
  SetThreads(3);
  const Bytes three = deformer::FormatDeformer(Train(hierarchy, frames, options).deformer);
  SetThreads(0);
  EXPECT_TRUE(one == three);
}

TEST(Train, GoesOnFromACheckpointToTheSameBits) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick();
  options.fit.steps = 60;
  const dataset::TrainingFrames frames = TubeFrames(hierarchy, 40, 1);
  std::vector<Checkpoint> checkpoints;
  TrainHooks hooks;
  hooks.checkpoint_seconds = 0;
  hooks.checkpoint = [&](const Checkpoint& so_far) { checkpoints.push_back(so_far); };
  const Training training = Train(hierarchy, frames, options, hooks);
  const Bytes whole = deformer::FormatDeformer(training.deformer);
  ASSERT_GT(checkpoints.size(), 6u);
  for (const size_t at : {size_t{0}, checkpoints.size() / 2, checkpoints.size() - 1}) {
    const Json call = {{"seed", 1}};
    const Checkpoint kept = ParseCheckpoint(FormatCheckpoint(checkpoints[at], call), call, "checkpoint");
    TrainHooks resumed;
    resumed.resume = &kept;
    const Training again = Train(hierarchy, frames, options, resumed);
    EXPECT_TRUE(deformer::FormatDeformer(again.deformer) == whole) << at;
    // What is said about it, too.
    for (size_t i = 0; i < training.levels.size(); ++i) {
      EXPECT_EQ(again.levels[i].after_basis, training.levels[i].after_basis);
      for (size_t k = 0; k < training.fits[i].size(); ++k) {
        EXPECT_EQ(again.fits[i][k].curve.size(), training.fits[i][k].curve.size());
        EXPECT_EQ(again.fits[i][k].curve.back().validation, training.fits[i][k].curve.back().validation);
      }
    }
  }
}

TEST(LevelKeeper, SavesLevelsThatAreEachShorterThanTheTimeBetweenCheckpoints) {
  const Checkpoint finished;
  int saved = 0;
  const LevelKeeper::Save save = [&](const Checkpoint&) { ++saved; };
  CheckpointClock clock(0.05);
  for (int level = 0; level < 4; ++level) {
    LevelKeeper keeper(finished, 1, save, clock);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    keeper.Keep(0, {});
  }
  EXPECT_GE(saved, 1);
}

TEST(Train, SingleLevelsDoNotBuildOnEachOther) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick();
  options.fit.steps = 100;
  const Training ours = Train(hierarchy, TubeFrames(hierarchy, 60, 1), options);
  options.single_level = true;
  const Training single = Train(hierarchy, TubeFrames(hierarchy, 60, 1), options);
  EXPECT_FALSE(single.deformer.incremental);
  for (const LevelSummary& level : single.levels) EXPECT_EQ(level.own_dimensions, 0);
  EXPECT_GT(single.levels[2].residual, 2 * ours.levels[2].residual);
  const learn::RowMatrix features = FeaturesOfPoses(
      single.deformer.features, hierarchy.levels.back().character.skeleton, testing::TubePoses(hierarchy, 3, 7));
  const learn::RowMatrix coarser = learn::RowMatrix::Ones(3, 3 * hierarchy.level(2).point_count);
  EXPECT_EQ(PredictLevel(single.deformer, hierarchy, 3, features, coarser),
            PredictLevel(single.deformer, hierarchy, 3, features, {}));
}

TEST(Train, NetworksSeeTheJointsThatTheRigSaysMatter) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick();
  options.fit.steps = 20;
  const auto joints_of = [&](const dataset::TrainingFrames* probe) {
    options.probe = probe;
    std::set<int> joints;
    // On coarser levels the last joint always matters: their skinning bends otherwise than the finest level's.
    const Training training = Train(hierarchy, TubeFrames(hierarchy, 60, 1), options);
    for (const deformer::RegionCorrective& region : training.deformer.levels.back().regions) {
      joints.insert(region.joints.begin(), region.joints.end());
    }
    return joints;
  };
  EXPECT_EQ(joints_of(nullptr), (std::set<int>{1, 2}));
  dataset::TrainingFrames probe = TubeFrames(hierarchy, 1, 1);
  probe.poses = poses::MakeProbingPoses(testing::TubePoses(hierarchy, 4, 3), testing::TubePoses(hierarchy, 4, 4)).poses;
  probe.truth = [&](int j) { return testing::TubeTruth(hierarchy, probe.poses[j]); };
  EXPECT_EQ(joints_of(&probe), (std::set<int>{1, 2}));
  // A rig in which the last joint only turns what hangs on it.
  const Pose rest = hierarchy.levels.back().character.skeleton.RestPose();
  probe.truth = [&](int j) {
    Pose bent = probe.poses[j];
    bent[2] = rest[2];
    const LevelSkin skin(hierarchy.levels.back());
    const Points added = testing::TubeDisplacements(skin.rest(), bent);
    const std::vector<Eigen::Affine3f> blend = skin.Blend(probe.poses[j]);
    Points truth(hierarchy.levels.back().vertex_count(), 3);
    for (int v = 0; v < truth.rows(); ++v) {
      const int p = hierarchy.levels.back().point_of_vertex[v];
      truth.row(v) = blend[p] * Eigen::Vector3f((skin.rest().row(p) + added.row(p)).transpose());
    }
    return truth;
  };
  EXPECT_EQ(joints_of(&probe), (std::set<int>{1}));
  probe = TubeFrames(hierarchy, 6, 5);
  EXPECT_THROW(joints_of(&probe), InputError);  // no two poses differ in one joint alone
}

TEST(Train, SaysWhatIsWrongWithFrames) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const auto message = [&](const dataset::TrainingFrames& frames) -> std::string {
    try {
      Train(hierarchy, frames, Quick());
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  dataset::TrainingFrames frames = TubeFrames(hierarchy, 10, 1);
  frames.poses[7].pop_back();
  EXPECT_EQ(
      message(frames),
      "tube.dataset: frame 7: has 2 joints, and the character of the hierarchy 3; use a dataset of that character");
  frames = TubeFrames(hierarchy, 2, 1);
  EXPECT_EQ(message(frames),
            "tube.dataset: frames: are 2, too few to split into training and validation; make 4 at least");
  frames = TubeFrames(hierarchy, 10, 1);
  frames.truth = [](int) { return Points(Points::Zero(5, 3)); };
  EXPECT_NE(message(frames).find("has 5 vertices"), std::string::npos);
}

TEST(SplitFrames, KeepsNeighboursTogetherAndLosesFewFrames) {
  dataset::TrainingFrames frames;
  frames.poses.resize(500);
  for (int j = 0; j < 500; ++j) frames.motions.push_back(j < 400 ? j / 200 : -1);
  const dataset::FrameSplit split = dataset::SplitFrames(frames, 0.2, 1);
  std::vector<int> kind(500, 0);
  for (const int j : split.training) kind[j] += 1;
  for (const int j : split.validation) kind[j] += 2;
  for (int j = 0; j < 500; ++j) EXPECT_LE(kind[j], 2);
  for (int j = 1; j < 400; ++j) {
    if (frames.motions[j] == frames.motions[j - 1]) {
      EXPECT_NE(kind[j] + kind[j - 1], 3) << j;
    }
  }
  EXPECT_GT(split.validation.size(), 20u);
  EXPECT_GT(split.training.size() + split.validation.size(), 470u);
}

}  // namespace
}  // namespace sinew::multires
