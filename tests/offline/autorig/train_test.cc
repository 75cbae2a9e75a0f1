// Training of rigging networks with libtorch; skipped where the library is not built.
#include "sinew/offline/autorig/train.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

bool TorchIsBuilt() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(here / "libsinew_torch.so");
}

// Stances of the biped on a coarse mesh.
std::vector<Example> SmallExamples(int count, uint64_t seed) {
  const ExampleMaker maker(Remesh(MakeWeightedBody(testing::SmallBiped(), "biped"), 400, 2, "biped"));
  std::vector<Example> examples;
  for (int k = 0; k < count; ++k) examples.push_back(maker.Make({.proportions = 0.2}, seed + k));
  return examples;
}

TrainRigOptions SmallOptions(const std::string& preset) {
  TrainRigOptions options = PresetOptions(preset);
  options.network.blocks = preset == "paper" ? "paper-small" : "small";
  options.run.steps = 40;
  options.run.batch = 2;
  options.run.rate = 3e-3;
  options.run.threads = 1;
  options.others = 0;
  return options;
}

TrainedRig Train(const TrainRigOptions& options, const RigNetwork* from = nullptr) {
  const auto checkpoint = std::filesystem::temp_directory_path() / "autorig_train_test.state";
  return TrainRig(SmallExamples(4, 1), SmallExamples(2, 50), options, std::string(32, '0'), from, checkpoint, false);
}

void ExpectLearns(const TrainRigOptions& options) {
  const TrainedRig trained = Train(options);
  ASSERT_TRUE(trained.finished);
  const auto& history = trained.state.history;
  ASSERT_GE(history.size(), 2u);
  EXPECT_LT(history.back().validation, 0.95 * history.front().validation);
  const RigNetwork network(learn::DecodeModel(learn::EncodeModel(trained.model), "rig.model"), "rig.model");
  const RigErrors errors = MeasureRig(network, SmallExamples(2, 90));
  EXPECT_LT(errors.mean, 0.5);  // so few steps teach no rig; the file can be measured
  EXPECT_LT(errors.weights, 2);
}

class TrainRigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  }
};

// Every row of the paper's table of supervision, and the other switches, lower their loss.
TEST_F(TrainRigTest, ThePapersNetworkLearnsIndirectly) { ExpectLearns(SmallOptions("paper")); }

TEST_F(TrainRigTest, ThePapersNetworkLearnsDirectly) {
  TrainRigOptions options = SmallOptions("paper");
  options.loss.supervision = Supervision::kDirect;
  options.network.by_area = options.loss.by_area = true;
  ExpectLearns(options);
}

TEST_F(TrainRigTest, OursLearnsWithEverySwitchTurned) {
  TrainRigOptions options = SmallOptions("ours");
  options.network.offsets = OffsetBlock::kSmall;
  options.loss.supervision = Supervision::kBoth;
  options.loss.influences = 4;
  options.network.by_area = options.loss.by_area = false;
  ExpectLearns(options);
}

// The same bytes of all that was drawn and summed.
TEST_F(TrainRigTest, TheSameSeedGivesTheSameNetwork) {
  TrainRigOptions options = SmallOptions("paper");
  options.run.steps = 4;
  const learn::Model one = Train(options).model;
  options.run.threads = 2;
  EXPECT_EQ(learn::EncodeModel(one), learn::EncodeModel(Train(options).model));
}

// Its layers and weights are those of the network that it started from, whatever the options say.
TEST_F(TrainRigTest, GoesOnFromAnotherNetwork) {
  TrainRigOptions options = SmallOptions("paper");
  const TrainedRig first = Train(options);
  const RigNetwork from(first.model, "rig.model");
  options.network = PresetOptions("ours").network;
  options.run.rate = 1e-6;
  options.run.steps = 2;
  const TrainedRig second = Train(options, &from);
  const RigNetwork network(second.model, "rig.model");
  EXPECT_EQ(network.card().network, "paper-small");
  EXPECT_EQ(network.network().description(), from.network().description());
  EXPECT_LT(second.state.history.front().validation, 1.01 * first.state.history.back().validation);
  EXPECT_NE((*second.model.settings)["training"]["from"], Json());
}

TEST(PresetOptions, AreNamed) {
  EXPECT_EQ(PresetOptions("ours").network.blocks, "reaching");
  EXPECT_EQ(PresetOptions("paper").loss.supervision, Supervision::kIndirect);
  EXPECT_THROW(PresetOptions("papers"), UsageError);
}

}  // namespace
}  // namespace sinew::autorig
