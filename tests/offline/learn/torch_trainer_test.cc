// Training with libtorch from the program's side. What the library computes is tested where it is built (scripts/torch
// --test); these tests are skipped where it is not.
#include "sinew/offline/learn/torch_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/error.h"

namespace sinew::learn {
namespace {

using ::testing::HasSubstr;

bool IsBuilt() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(here / "libsinew_torch.so");
}

SinewTorchOptions Options() { return {2, 0, 1, 0.9, 0.999, 1e-8, 0, 0.1, 0, 0, 0, nullptr, 0, nullptr}; }

// One linear layer from 2 numbers to 1.
std::vector<TorchLayer> Line() {
  TorchLayer layer;
  layer.layer.kind = SINEW_TORCH_LINEAR;
  layer.layer.width = 1;
  layer.layer.bias = 1;
  layer.inputs = {0};
  return {layer};
}

// Three points in a row; the target is 2 x - y + 0.5.
TorchTrainer LineTrainer() {
  TorchTrainer trainer(Line(), Options());
  const std::vector<int> starts = {0, 1, 3, 4}, neighbours = {1, 0, 2, 1};
  const std::vector<float> features = {1, 0, 0, 1, 1, 1}, targets = {2.5f, -0.5f, 1.5f}, weights = {1, 1, 2};
  const int mesh = trainer.AddMesh(starts, neighbours);
  trainer.AddFrame(mesh, features, targets, weights);
  return trainer;
}

TEST(TorchTrainer, FitsALineAndGoesOn) {
  if (!IsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  TorchTrainer trainer = LineTrainer(), other = LineTrainer();
  ASSERT_EQ(trainer.size(), 3u);
  const std::vector<int> frames = {0};
  for (int step = 1; step <= 400; ++step) trainer.Step(frames, step, 0.05);
  other.SetState(trainer.State());
  for (int step = 401; step <= 800; ++step) {
    ASSERT_EQ(trainer.Step(frames, step, 0.05), other.Step(frames, step, 0.05));
  }
  EXPECT_EQ(trainer.State(), other.State());
  const std::vector<float> values = trainer.State().values;
  EXPECT_NEAR(values[0], 2, 1e-2);
  EXPECT_NEAR(values[1], -1, 1e-2);
  EXPECT_NEAR(values[2], 0.5, 1e-2);
  EXPECT_LT(trainer.Look(frames)[0], 1e-4);
  EXPECT_NEAR(trainer.Apply(0, 3)[2], 1.5, 2e-2);
}

TEST(TorchTrainer, RefusesInASentence) {
  if (!IsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  const auto error = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const Error& caught) {
      return caught.what();
    }
    return "no error";
  };
  TorchTrainer trainer = LineTrainer();
  const std::vector<int> lost = {7};
  EXPECT_THAT(error([&] { trainer.Step(lost, 1, 0.1); }), HasSubstr("there is no frame 7"));
  EXPECT_THAT(error([&] { trainer.SetState({{1}, {1}, {1}}); }), HasSubstr("another network"));
  std::vector<TorchLayer> bad = Line();
  bad[0].inputs = {1};
  EXPECT_THAT(error([&] { TorchTrainer(bad, Options()); }),
              HasSubstr("layer 0 of the network uses a value that is not there"));
}

}  // namespace
}  // namespace sinew::learn
