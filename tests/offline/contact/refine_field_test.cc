#include "sinew/offline/contact/refine_field.h"

#include <gtest/gtest.h>

#include "sinew/offline/contact/train_field.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "tests/offline/contact/small_worm.h"
#include "tests/support/gradient_check.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using Eigen::VectorXd;

ContactField TrainedField(int width, int steps) {
  return TrainField(SmallWorm(), {.hidden_layers = 1, .width = width}, SmallShards(),
                    {.samples = 8, .nodes = 24, .edges = 8}, {.steps = steps, .rate = 5e-3}, nullptr);
}

TEST(RefineField, GradientIsThatOfTheLoss) {
  const ContactField field = TrainedField(4, 30);
  const std::vector<SampleRef> all = ListSamples(SmallShards()), refs(all.begin() + 2, all.begin() + 5);
  const EnergyLoss loss(SmallWorm(), field, 0.1, 1);
  std::vector<float> gradient(field.parameters().size(), 0.0f);
  loss.Add(refs, field.parameters(), gradient);
  const auto count = static_cast<Eigen::Index>(gradient.size());
  const VectorXd at = Eigen::Map<const Eigen::VectorXf>(field.parameters().data(), count).cast<double>();
  const VectorXd own = Eigen::Map<const Eigen::VectorXf>(gradient.data(), count).cast<double>();
  const auto value = [&](const VectorXd& x) {
    const Eigen::VectorXf parameters = x.cast<float>();
    std::vector<float> unused(gradient.size(), 0.0f);
    return loss.Add(refs, std::span(parameters.data(), gradient.size()), unused);
  };
  EXPECT_LT(GradientError(value, at, own, 3e-3), 1e-2);
}

// The simulated displacements have no more energy than themselves, and every field more.
TEST(RefineField, LowersTheEnergyToTheSameBits) {
  const std::vector<SampleRef> refs = ListSamples(SmallShards());
  const RefineOptions options{.steps = 30, .samples = 4};
  SetThreads(1);
  ContactField field = TrainedField(16, 60), again = TrainedField(16, 60);
  const Refined refined = RefineField(SmallWorm(), refs, refs, options, field);
  EXPECT_EQ(refined.before, ExcessEnergy(SmallWorm(), again, refs));
  EXPECT_EQ(refined.after, ExcessEnergy(SmallWorm(), field, refs));
  EXPECT_GT(refined.after, 0);
  EXPECT_LT(refined.after, 0.99 * refined.before);
  SetThreads(3);
  RefineField(SmallWorm(), refs, refs, options, again);
  SetThreads(0);
  EXPECT_EQ(field.parameters(), again.parameters());
  EXPECT_THROW(RefineField(SmallWorm(), {}, refs, options, field), UsageError);
}

TEST(RefineField, GoesOnFromItsCheckpoint) {
  const testing::TemporaryFolder folder;
  const std::vector<SampleRef> refs = ListSamples(SmallShards());
  RefineOptions options{.steps = 10, .samples = 2, .checkpoint = folder / "energies.state", .inputs = "these"};
  ContactField field = TrainedField(8, 20), again = TrainedField(8, 20);
  RefineField(SmallWorm(), refs, refs, options, field);
  // Nothing is left to do, whatever is asked for now.
  options.steps = 0;
  const Refined refined = RefineField(SmallWorm(), refs, refs, options, again);
  EXPECT_EQ(refined.steps, 10);
  EXPECT_EQ(field.parameters(), again.parameters());
  options.inputs = "others";
  EXPECT_THROW(RefineField(SmallWorm(), refs, refs, options, again), InputError);
}

}  // namespace
}  // namespace sinew::contact
