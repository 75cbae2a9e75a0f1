// From datasets to a model and its test, on eggs whose truths are a formula. What needs libtorch is skipped where
// libsinew_torch is not built.
#include "sinew/offline/graphnet/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/dataset/procedural.h"
#include "sinew/offline/graphnet/test_model.h"
#include "sinew/offline/learn/layers/description.h"
#include "sinew/offline/learn/layers/torch_run.h"
#include "tests/support/datasets.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/temporary_folder.h"

namespace sinew::graphnet {
namespace {

using testing::ErrorOf;

namespace fs = std::filesystem;
using ::testing::HasSubstr;

bool TorchIsBuilt() { return fs::exists(fs::read_symlink("/proc/self/exe").parent_path() / "libsinew_torch.so"); }

class TrainTest : public ::testing::Test {
 protected:
  fs::path WriteDataset(const std::string& name, uint64_t seed, const sinew::testing::RigOptions& rig = {}) {
    const dataset::StoredCharacter stored = sinew::testing::StoredTestCharacter(rig);
    const dataset::PoseSequence sequence = sinew::testing::TestSequence(stored.character.skeleton, 8, seed);
    const fs::path path = folder_.path() / name;
    dataset::WriteProceduralDataset(path, stored, sequence, {0, sequence.frame_count()}, {}, 1.0);
    return path;
  }

  // Trains on 24 frames of two eggs.
  Trained TrainSmall(const TrainOptions& options, bool resume = false, const Predictor* from = nullptr) {
    const SplitSources split = SplitForValidation(OpenSources({a_, b_}), 0.2, 1);
    return Train(FrameSet(split.training), FrameSet(split.validation), options, from, checkpoint_, resume);
  }

  static learn::Model Untrained(const FrameSet& seen) {
    std::vector<std::string> hashes;
    for (int k = 0; k < seen.count(); ++k) hashes.push_back(seen.HashOf(k));
    return sinew::testing::SmallGraphModel(seen.bodies()[0], hashes);
  }

  sinew::testing::TemporaryFolder folder_;
  fs::path a_ = WriteDataset("a.dataset", 1), b_ = WriteDataset("b.dataset", 2, {.height = 1.2});
  fs::path checkpoint_ = folder_.path() / "x.model.state";
  const TrainOptions quick_ = {.run = {.steps = 12, .batch = 3, .edges = 0.5, .threads = 1}};
};

TEST_F(TrainTest, SplitsAreWholeAndApart) {
  const std::vector<FrameSource> sources = OpenSources({a_, b_});
  EXPECT_EQ(sources[0].name, "a");
  const SplitSources split = SplitForValidation(sources, 0.25, 7);
  const FrameSet training(split.training), validation(split.validation);
  EXPECT_EQ(training.bodies().size(), 2u);
  EXPECT_GT(validation.count(), 4);
  std::set<std::string> hashes;
  for (int k = 0; k < training.count(); ++k) hashes.insert(training.HashOf(k));
  for (int k = 0; k < validation.count(); ++k) EXPECT_EQ(hashes.count(validation.HashOf(k)), 0u);
}

TEST(ChooseBodies, SpreadsOverFamiliesAndNests) {
  std::vector<FrameSource> sources;
  for (const char* family : {"a", "a", "a", "a", "a", "a", "b", "b", "b", "c", "c", "c"}) {
    sources.push_back({nullptr, family + std::to_string(sources.size()), family, {}});
  }
  std::set<std::string> before;
  for (int count = 1; count <= 12; ++count) {
    std::set<std::string> names;
    std::map<std::string, int> of_family;
    for (const FrameSource& source : ChooseBodies(sources, count)) {
      names.insert(source.name);
      ++of_family[source.family];
    }
    EXPECT_EQ(static_cast<int>(names.size()), count);
    EXPECT_TRUE(std::includes(names.begin(), names.end(), before.begin(), before.end()));
    EXPECT_NEAR(of_family["a"], count / 2.0, 1);
    EXPECT_NEAR(of_family["b"], count / 4.0, 1);
    before = names;
  }
  for (const int count : {0, 13}) {
    EXPECT_EQ(ErrorOf([&] { ChooseBodies(sources, count); }),
              "--bodies " + std::to_string(count) + ": the number of bodies to train on is 12; ask for at most that");
  }
}

// Rows of an ablation with fewer bodies are validated with the same frames.
TEST_F(TrainTest, FewerBodiesKeepWhatValidates) {
  const TrainingInputs inputs = {.paths = {a_, b_}, .share = 0.25, .seed = 7};
  TrainingInputs fewer = inputs;
  fewer.bodies = 1;
  const SplitSources all = OpenTraining(inputs), one = OpenTraining(fewer);
  EXPECT_EQ(all.training.size(), 2u);
  ASSERT_EQ(one.training.size(), 1u);
  EXPECT_EQ(one.training[0].frames, all.training[0].frames);
  ASSERT_EQ(one.validation.size(), all.validation.size());
  EXPECT_EQ(one.validation[1].frames, all.validation[1].frames);
  EXPECT_EQ(StepsOf(20, 2900, {.batch = 16}), 3625);
  EXPECT_EQ(StepsOf(0.01, 24, {.batch = 4}), 1);
}

TEST_F(TrainTest, ScalingStandardises) {
  const FrameSet frames(OpenSources({a_, b_}));
  const Scaling scaling = FitScaling(frames);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(frames.bodies()[0].columns()), squares = sum;
  double rows = 0;
  for (int k = 0; k < frames.count(); ++k) {
    RowMatrix features = frames.Evaluate(k).features;
    scaling.Standardise(features);
    sum += features.cast<double>().colwise().sum();
    squares += features.cast<double>().array().square().matrix().colwise().sum();
    rows += static_cast<double>(features.rows());
  }
  EXPECT_LT((sum / rows).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT(((squares / rows).array() - 1).abs().maxCoeff(), 1e-3);
  SetThreads(1);
  EXPECT_EQ(FitScaling(frames), scaling);
  SetThreads(0);
}

// A poisoned test set changes nothing: statistics know only what is trained on.
TEST_F(TrainTest, ScalingKnowsTrainingFramesOnly) {
  const SplitSources split = SplitForValidation(OpenSources({a_, b_}), 0.25, 7);
  const Scaling clean = FitScaling(FrameSet(split.training));
  const fs::path other = WriteDataset("poison.dataset", 99, {.height = 40});
  std::vector<FrameSource> validation = split.validation;
  validation.push_back(OpenSources({other})[0]);
  const FrameSet poisoned(validation);
  EXPECT_EQ(FitScaling(FrameSet(split.training)), clean);
  EXPECT_FALSE(FitScaling(poisoned) == clean);
}

TEST_F(TrainTest, TestsRefuseWhatTheyMust) {
  const FrameSet a(OpenSources({a_})), b(OpenSources({b_}));
  const learn::Model model = Untrained(a);
  const Predictor predictor(model, "x.model");
  EXPECT_THAT(ErrorOf([&] { TestModel(predictor, a); }), HasSubstr("24 of its 24 frames were used in training"));
  const TestTable table = TestModel(predictor, b);
  ASSERT_EQ(table.bodies.size(), 1u);
  EXPECT_EQ(table.bodies[0].frames, 24);
  EXPECT_GT(table.bodies[0].skinning.mean, 0);
  EXPECT_THAT(TextOf(table), HasSubstr("skinning"));

  const FrameSet other(OpenSources({WriteDataset("other.dataset", 3, {.spines = 2})}));
  EXPECT_THAT(ErrorOf([&] { TestModel(predictor, other); }), HasSubstr("joints that x.model was trained for"));
  EXPECT_THAT(ErrorOf([&] {
                FrameSet(OpenSources({a_, folder_.path() / "other.dataset"}));
              }),
              HasSubstr("and that of the first body is"));
}

TEST_F(TrainTest, ModelsOfAnotherKindOrVersionAreRefused) {
  const learn::Model model = Untrained(FrameSet(OpenSources({a_})));
  const auto changed = [&](const char* key, const Json& value) {
    learn::Model other = model;
    Json settings = *model.settings;
    settings[key] = value;
    other.settings = JsonBox(settings);
    return ErrorOf([&] { Predictor(other, "x.model"); });
  };
  EXPECT_THAT(changed("kind", "autorig"), HasSubstr("is no graph network"));
  EXPECT_THAT(changed("version", 1), HasSubstr("is of version 1, and this program is for version 2"));
  EXPECT_THAT(changed("joints", 3), HasSubstr("x.model: settings"));
  EXPECT_THAT(changed("seen", Json::array({1})), HasSubstr("an entry that is not text"));
  learn::Model short_one = model;
  short_one.tensors.back().values.push_back(1);
  short_one.tensors.back().shape = {2};
  EXPECT_THAT(ErrorOf([&] { Predictor(short_one, "x.model"); }), HasSubstr("scaling.answer"));
}

// What a network should answer makes the truth, so a table of it has no error.
TEST_F(TrainTest, ErrorsAreThoseOfTheShape) {
  const FrameSet b(OpenSources({b_}));
  learn::Model model = Untrained(b);
  for (learn::Tensor& tensor : model.tensors) {
    if (tensor.name.rfind("answer.", 0) == 0) std::fill(tensor.values.begin(), tensor.values.end(), 0.0f);
  }
  const TestTable table = MeasureModel(Predictor(model, "x.model"), b);
  EXPECT_EQ(table.all.network.mean, table.all.skinning.mean);
  EXPECT_EQ(table.all.network.max, table.all.skinning.max);
}

TEST_F(TrainTest, LearnsAndGoesOnBitByBit) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  const Trained whole = TrainSmall(quick_);
  EXPECT_TRUE(whole.finished);
  EXPECT_LT(whole.state.best_loss, whole.state.history.front().validation);
  EXPECT_GT((*whole.model.settings)["training"]["parameters"], 10000);

  // The same steps in three calls, on other numbers of threads.
  TrainOptions hurried = quick_;
  hurried.run.minutes = 1e-9;
  Trained part;
  for (const int call : {1, 2}) {
    hurried.run.threads = call;
    part = TrainSmall(hurried, call > 1);
    EXPECT_FALSE(part.finished);
    EXPECT_EQ(part.state.step, call);
    EXPECT_TRUE(fs::exists(checkpoint_));
  }
  part = TrainSmall(quick_, true);
  EXPECT_TRUE(part.finished);
  EXPECT_EQ(learn::EncodeModel(part.model), learn::EncodeModel(whole.model));

  // A model is a start, too: a step that changes next to nothing leaves its loss, but for its statistics.
  const Predictor from(whole.model, "x.model");
  TrainOptions careful = quick_;
  careful.run.steps = 1;
  careful.run.rate = 1e-7;
  const Trained more = TrainSmall(careful, false, &from);
  EXPECT_NEAR(more.state.best_loss, whole.state.best_loss, 0.1 * whole.state.best_loss);
  EXPECT_EQ((*more.model.settings)["seen"], (*whole.model.settings)["seen"]);
}

// Without a gain the rate falls after every eighth epoch, also over stops in between, and the state remembers.
TEST_F(TrainTest, PlateausLowerTheRate) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  std::vector<FrameSource> training = OpenSources({a_}), validation = training;
  training[0].frames = {0, 1};
  validation[0].frames = {2};
  const FrameSet two(training), one(validation);
  TrainOptions options = {
      .run = {.steps = 40, .batch = 1, .plateau = true, .edges = 0.5, .threads = 1}};  // two steps an epoch
  options.run.rate = 1e-7;                                                             // too small for a gain
  const Trained whole = Train(two, one, options, nullptr, checkpoint_, false);
  EXPECT_EQ(whole.state.plateau.factor, 0.75 * 0.75);
  EXPECT_DOUBLE_EQ(whole.state.history.front().rate, 1e-7);
  EXPECT_DOUBLE_EQ(whole.state.history.back().rate, 1e-7 * 0.75 * 0.75);
  EXPECT_EQ((*whole.model.settings)["training"]["schedule"], "plateau");

  TrainOptions hurried = options;
  hurried.run.minutes = 1e-9;
  for (const bool resume : {false, true, true}) {
    EXPECT_FALSE(Train(two, one, hurried, nullptr, checkpoint_, resume).finished);
  }
  const Trained part = Train(two, one, options, nullptr, checkpoint_, true);
  EXPECT_EQ(part.state.plateau, whole.state.plateau);
  EXPECT_EQ(part.state.history, whole.state.history);
  EXPECT_EQ(learn::EncodeModel(part.model), learn::EncodeModel(whole.model));
}

TEST_F(TrainTest, TheClockGoesOnAfterACheckpoint) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  layers::Description line(2);
  line.Linear({"input"}, 1, "answer");
  const layers::DescribedNetwork network(line.json(), "line");
  const layers::RunOptions options = {.steps = 40, .minutes = 1e-9, .anneal = true, .batch = 1, .threads = 1};
  Random random(1);
  const std::vector<float> start = network.InitialParameters(random);
  const auto go = [&](bool resume) {
    layers::TorchRun run(network, start, options, Json::object(), checkpoint_);
    const std::vector<int> starts = {0, 1, 2}, neighbours = {1, 0};
    const std::vector<float> features = {1, 0, 0, 1}, targets = {2.5f, -0.5f}, weights = {1, 1};
    const int frame = run.trainer().AddFrame(run.trainer().AddMesh(starts, neighbours), features, targets, weights);
    run.SetFrames({frame}, {frame});
    if (resume) run.Resume();
    EXPECT_TRUE(run.Go()) << "the end of the time is that of the training";
    return run.state().history;
  };
  EXPECT_GT(go(false).back().rate, 0.9 * options.rate);
  const std::vector<learn::LossPoint> history = go(true);
  ASSERT_EQ(history.size(), 2u);
  EXPECT_LT(history.back().rate, 0.1 * options.rate) << "the time was over before";
}

TEST_F(TrainTest, ARateThatFallsByTheClockNeedsATimeAndTheCosine) {
  EXPECT_THAT(ErrorOf([] { layers::CheckOptions({.anneal = true}); }), HasSubstr("--minutes"));
  EXPECT_THAT(ErrorOf([] { layers::CheckOptions({.minutes = 1, .anneal = true, .plateau = true}); }),
              HasSubstr("--schedule plateau"));
  EXPECT_NO_THROW(layers::CheckOptions({.minutes = 1, .anneal = true}));
}

TEST_F(TrainTest, ACheckpointOfOtherOptionsIsRefused) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  TrainOptions options = quick_;
  options.run.minutes = 1e-9;
  TrainSmall(options);
  options.run.rate *= 2;
  EXPECT_THAT(ErrorOf([&] { TrainSmall(options, true); }), HasSubstr("x.model.state"));
}

}  // namespace
}  // namespace sinew::graphnet
