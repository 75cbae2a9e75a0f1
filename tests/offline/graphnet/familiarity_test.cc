// Statistics of what a network was trained on.
#include "sinew/offline/graphnet/familiarity.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/dataset/procedural.h"
#include "tests/support/datasets.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/temporary_folder.h"

namespace sinew::graphnet {
namespace {

class FamiliarityTest : public ::testing::Test {
 protected:
  FrameSet Frames(const std::string& name, uint64_t seed, double height = 1.7, double arm_down = 0) const {
    const dataset::StoredCharacter stored =
        sinew::testing::StoredTestCharacter({.arm_down = arm_down, .height = height});
    const dataset::PoseSequence sequence = sinew::testing::TestSequence(stored.character.skeleton, 8, seed);
    dataset::WriteProceduralDataset(folder_.path() / name, stored, sequence, {0, sequence.frame_count()}, {}, 1.0);
    return FrameSet(OpenSources({folder_.path() / name}));
  }
  static double Mean(const Familiarity& familiarity, const FrameSet& frames) {
    double sum = 0;
    for (int k = 0; k < frames.count(); ++k) {
      sum += familiarity.FrameDistance(frames.bodies()[0], frames.Evaluate(k).features);
    }
    return sum / frames.count();
  }

  sinew::testing::TemporaryFolder folder_;
};

TEST_F(FamiliarityTest, WhatWasTrainedOnIsNearAndOtherBodiesAreFar) {
  const FrameSet training = Frames("a", 1), validation = Frames("b", 2);
  const Familiarity familiarity = FitFamiliarity(training, validation, FitScaling(training));
  // Variance 1 in every direction, less what is added to directions that hardly vary.
  EXPECT_LT(Mean(familiarity, training), 1);
  EXPECT_GT(Mean(familiarity, training), 0.5);
  int below = 0;
  for (int k = 0; k < validation.count(); ++k) {
    const double distance = familiarity.FrameDistance(validation.bodies()[0], validation.Evaluate(k).features);
    below += distance <= familiarity.limit ? 1 : 0;
  }
  EXPECT_NEAR(below, 0.95 * validation.count(), 1.5);
  // Size alone does not count; arms that hang do.
  EXPECT_NEAR(Mean(familiarity, Frames("giant", 2, 17)), Mean(familiarity, validation), 1e-3);
  EXPECT_GT(Mean(familiarity, Frames("other", 2, 1.7, 0.8)), 1.2 * familiarity.limit);
}

TEST_F(FamiliarityTest, ThreadsChangeNoBitAndFilesKeepIt) {
  const FrameSet training = Frames("a", 1), validation = Frames("b", 2);
  const Scaling scaling = FitScaling(training);
  const Familiarity familiarity = FitFamiliarity(training, validation, scaling);
  SetThreads(1);
  EXPECT_EQ(FitFamiliarity(training, validation, scaling), familiarity);
  SetThreads(0);
  const int columns = training.bodies()[0].columns();
  learn::Model model = sinew::testing::SmallGraphModel(training.bodies()[0]);
  EXPECT_FALSE(TakeFamiliarity(model, columns, "x.model").has_value());
  StoreFamiliarity(familiarity, model);
  EXPECT_EQ(TakeFamiliarity(learn::DecodeModel(learn::EncodeModel(model), "x.model"), columns, "x.model"), familiarity);
}

}  // namespace
}  // namespace sinew::graphnet
