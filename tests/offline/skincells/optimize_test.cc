#include "sinew/offline/skincells/optimize.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/skincells/checkpoint.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/skincells/init_field.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/simple_weights.h"
#include "tests/support/rigs.h"
#include "tests/support/skin_subjects.h"
#include "tests/support/temporary_folder.h"

namespace sinew::skincells {
namespace {

struct Scene {
  Character character = testing::OnAChain(testing::Sausage(), 4);
  Subject subject = MakeSubject(character, "chain");
  SurfaceQuery query{subject.surface};
  std::vector<Bone> bones = FindBones(subject, query);
  TrainingSet set = Set(3 * kBatch, 1);
  SkinField initial = InitialField(subject, bones, {.l = 2, .sites = 3, .seed = 1});

  TrainingSet Set(int count, uint64_t seed) const {
    Random random(seed);
    std::vector<Pose> poses;
    for (int p = 0; p < count; ++p) poses.push_back(testing::RandomPose(character.skeleton, random, 0.8));
    return MakeTrainingSet(subject, MakeSprings(subject, bones, query), character.skeleton, poses);
  }
};

OptimizeOptions Quick() {
  OptimizeOptions options;
  options.steps = 150;
  options.measure_every = 10;
  options.progress = false;
  return options;
}

TEST(Optimize, BeatsProximityOnPosesItHasNotSeen) {
  const Scene scene;
  OptimizeOptions options = Quick();
  options.weights.loc = 0.05;
  const OptimizeResult result = Optimize(scene.set, scene.initial, options);
  EXPECT_LT(result.after.total, 0.7 * result.before.total);
  for (const SkinCell& cell : result.field.cells) EXPECT_EQ(cell.c, 0);
  const TrainingSet test = scene.Set(32, 99);
  const SkinWeights own = EvaluateField(result.field, scene.subject.surface.positions);
  const Quality a = MeasureQuality(scene.subject, test, own);
  const Quality b = MeasureQuality(scene.subject, test, ProximityWeights(scene.subject, scene.bones, 2));
  EXPECT_LT(a.delta_mush, 0.95 * b.delta_mush);
  EXPECT_EQ(a.max_influences, 2);
}

TEST(Optimize, GivesTheSameBitsWhateverTheThreads) {
  const Scene scene;
  OptimizeOptions options = Quick();
  options.steps = 30;
  SetThreads(1);
  const Bytes one = EncodeField(Optimize(scene.set, scene.initial, options).field);
  SetThreads(3);
  const Bytes three = EncodeField(Optimize(scene.set, scene.initial, options).field);
  SetThreads(0);
  EXPECT_EQ(one, three);
  options.seed = 2;
  EXPECT_NE(EncodeField(Optimize(scene.set, scene.initial, options).field), one);
}

TEST(Optimize, StopsEarlyWhenNothingImproves) {
  const Scene scene;
  OptimizeOptions options = Quick();
  options.steps = 2000;
  options.relaxed = 0.01;
  options.place_rate = options.shape_rate = 1e-12;
  EXPECT_LT(Optimize(scene.set, scene.initial, options).steps, 200);
}

TEST(Optimize, NeedsEnoughPoses) {
  const Scene scene;
  EXPECT_THROW(Optimize(scene.Set(kBatch, 1), scene.initial, Quick()), UsageError);
}

TEST(Checkpoint, ComesBackAndIsRefusedWhenDamagedOrForeign) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.checkpoint";
  const std::string inputs(32, 'a');
  OptimizerState state;
  state.step = 7;
  state.best_loss = 0.5;
  state.parameters = Eigen::VectorXd::LinSpaced(5, 0, 1);
  state.first = state.second = state.best = 2 * state.parameters;
  state.before.dm = 3;
  state.after.total = 4;
  state.history = {{0, state.before, state.after}, {50, state.after, state.before}};
  EXPECT_FALSE(ReadCheckpoint(path, inputs, 5));
  WriteCheckpoint(state, inputs, path);
  const auto back = ReadCheckpoint(path, inputs, 5);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->step, 7);
  EXPECT_EQ(back->parameters, state.parameters);
  EXPECT_EQ(back->best, state.best);
  EXPECT_EQ(back->before, state.before);
  EXPECT_EQ(back->after, state.after);
  EXPECT_EQ(back->history, state.history);
  EXPECT_FALSE(ReadCheckpoint(path, std::string(32, 'b'), 5));
  EXPECT_FALSE(ReadCheckpoint(path, inputs, 6));
  const Bytes whole = ReadFile(path);
  for (size_t size = 0; size < whole.size(); size += 13) {
    WriteFileAtomic(path, std::span(whole).first(size));
    EXPECT_FALSE(ReadCheckpoint(path, inputs, 5));
  }
  Bytes changed = whole;
  changed.back() ^= std::byte{1};
  WriteFileAtomic(path, changed);
  EXPECT_FALSE(ReadCheckpoint(path, inputs, 5));
}

}  // namespace
}  // namespace sinew::skincells
