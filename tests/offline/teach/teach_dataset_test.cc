// Taught datasets: what networks answer, what is dropped, and that nothing depends on threads or interruptions.
#include "sinew/offline/teach/teach_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/graphnet/describe.h"
#include "sinew/offline/teach/teach_frames.h"
#include "tests/support/datasets.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::teach {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A whitening by which every frame of the egg is about `distance` away from what was learned.
graphnet::Familiarity FamiliarityAt(const graphnet::Body& body, const Pose& pose, double distance) {
  const int columns = body.columns();
  graphnet::Familiarity familiarity{std::vector<float>(columns, 0.0f), std::vector<float>(columns * columns, 0.0f), 1};
  for (int c = 0; c < columns; ++c) familiarity.whitening[c * columns + c] = 1;
  familiarity.limit = static_cast<float>(familiarity.FrameDistance(body, body.Evaluate(pose).features) / distance);
  return familiarity;
}

class TeachTest : public ::testing::Test {
 protected:
  TeachTest()
      : stored_(sinew::testing::StoredTestCharacter()),
        sequence_(sinew::testing::TestSequence(stored_.character.skeleton, 8)),
        body_(stored_.character, "egg.glb") {}

  // change: of the model before it is written.
  fs::path WriteModel(const std::string& name, const std::function<void(learn::Model&)>& change = {}) {
    learn::Model model = sinew::testing::SmallGraphModel(body_);
    if (change) change(model);
    learn::WriteModel(model, folder_.path() / name);
    return folder_.path() / name;
  }
  fs::path WriteScored(const std::string& name, double distance) {
    return WriteModel(name, [&](learn::Model& model) {
      graphnet::StoreFamiliarity(FamiliarityAt(body_, sequence_.poses[0], distance), model);
    });
  }
  static constexpr int kExamples = 16;
  static void Silence(learn::Model& model) {
    for (learn::Tensor& tensor : model.tensors) {
      if (tensor.name.rfind("answer.", 0) == 0) std::fill(tensor.values.begin(), tensor.values.end(), 0.0f);
    }
  }

  // The first 16 frames alone, as examples.
  void TeachExamples(const std::string& name, const fs::path& model) {
    TeachDataset(folder_.path() / name, stored_, "egg.glb", sequence_, {0, kExamples}, Teacher({model}), {});
  }
  TeachSummary Teach(const std::string& name, const std::vector<fs::path>& models, const TeachOptions& options = {}) {
    return TeachDataset(folder_.path() / name, stored_, "egg.glb", sequence_, {0, sequence_.frame_count()},
                        Teacher(models), options);
  }
  dataset::Dataset Open(const std::string& name) const { return dataset::Dataset(folder_.path() / name); }

  template <typename Call>
  static std::string ErrorOf(const Call& call, ErrorKind kind) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    return "no error";
  }

  sinew::testing::TemporaryFolder folder_;
  dataset::StoredCharacter stored_;
  dataset::PoseSequence sequence_;
  graphnet::Body body_;
};

TEST_F(TeachTest, ANetworkThatAnswersZeroTeachesSkinning) {
  const TeachSummary summary = Teach("a", {WriteModel("zero.model", Silence)});
  EXPECT_EQ(summary.taught, sequence_.frame_count());
  const dataset::Dataset dataset = Open("a");
  ASSERT_EQ(dataset.OkFrames().size(), sequence_.poses.size());
  for (int i = 0; i < dataset.frame_count(); ++i) {
    EXPECT_EQ(dataset.Shape(i), SkinnedShape(stored_.character, sequence_.poses[i])) << i;
  }
  EXPECT_TRUE(dataset::FindDamage(dataset).empty());
}

TEST_F(TeachTest, AnswersAreThoseOfThePredictor) {
  const fs::path file = WriteModel("a.model");
  Teach("a", {file});
  const graphnet::Predictor predictor(learn::ReadModel(file), "a.model");
  const dataset::Dataset dataset = Open("a");
  const Points shape = predictor.Shape(body_, graphnet::MakeBodyGraph(body_), body_.Evaluate(sequence_.poses[5]));
  EXPECT_EQ(dataset.Shape(5), shape);
  EXPECT_NE(dataset.Shape(5), SkinnedShape(stored_.character, sequence_.poses[5]));
  const Json& settings = dataset.manifest().settings;
  EXPECT_EQ(settings.at("maker"), "teach");
  EXPECT_EQ(settings.at("models")[0].at("file"), "a.model");
  EXPECT_EQ(settings.at("models")[0].at("hash").get<std::string>().size(), 32u);
  EXPECT_EQ(settings.at("score"), "none") << "its file has no statistics";
}

// What ships: features of joints and cues, answers in the frames of limbs, a working level and coarser ones below it.
TEST_F(TeachTest, NetworksOnLevelsTeachAsThePredictorAnswers) {
  graphnet::BodyOptions options = graphnet::BodyOptionsFor("hierarchy");
  options.working_edge = 0.1;  // the egg is coarse
  const graphnet::Body body(stored_.character, "egg.glb", options);
  ASSERT_LT(body.points(), body_.points());
  ASSERT_EQ(static_cast<int>(body.coarser().size()), options.coarser_levels);
  learn::Model model = sinew::testing::SmallGraphModel(body, {}, "hierarchy");
  graphnet::StoreFamiliarity(FamiliarityAt(body, sequence_.poses[0], 0.5), model);
  const fs::path file = folder_.path() / "levels.model";
  learn::WriteModel(model, file);
  const TeachSummary summary = Teach("levels", {file}, {.keep_all = true});
  EXPECT_EQ(summary.taught, sequence_.frame_count());
  EXPECT_NEAR(summary.scores[0].value, 0.5, 1e-4);
  const graphnet::Predictor predictor(model, "levels.model");
  const layers::Graph graph = graphnet::MakeBodyGraph(body);
  const dataset::Dataset dataset = Open("levels");
  for (const int i : {0, 5}) {
    EXPECT_EQ(dataset.Shape(i), predictor.Shape(body, graph, body.Evaluate(sequence_.poses[i]))) << i;
    EXPECT_NE(dataset.Shape(i), SkinnedShape(stored_.character, sequence_.poses[i])) << i;
  }
}

TEST_F(TeachTest, NetworksThatSeeBodiesDifferentlyDoNotTeachTogether) {
  const graphnet::Body limbs(stored_.character, "egg.glb",
                             {.features = graphnet::Features::kJoints, .answers = graphnet::Answers::kLimb});
  learn::WriteModel(sinew::testing::SmallGraphModel(limbs), folder_.path() / "limbs.model");
  const fs::path paper = WriteModel("paper.model"), other = folder_.path() / "limbs.model";
  const std::string error = ErrorOf([&] { Teacher({paper, other}); }, ErrorKind::kUsage);
  EXPECT_THAT(error, HasSubstr(paper.string()));
  EXPECT_THAT(error, HasSubstr(other.string()));
  EXPECT_THAT(error, HasSubstr("cannot teach together"));
}

TEST_F(TeachTest, EqualMembersHaveNoSpreadAndOthersHave) {
  const auto renamed = [](const char* licence) { return [=](learn::Model& model) { model.licence = licence; }; };
  const fs::path a = WriteModel("a.model", renamed("a")), b = WriteModel("b.model", renamed("b")),
                 c = WriteModel("c.model", renamed("c")), zero = WriteModel("zero.model", Silence);
  Teach("one", {a});
  const TeachSummary equal = Teach("three", {a, b, c});
  EXPECT_EQ(equal.scores[3].disagreement, 0);
  const dataset::Dataset one = Open("one"), three = Open("three");
  for (const int i : three.OkFrames()) {
    EXPECT_EQ(three.Shape(i), one.Shape(i));
    for (const float spread : three.Array(i, "spread").ToFloats()) EXPECT_EQ(spread, 0);
  }
  EXPECT_GT(Teach("two", {a, zero}).scores[3].disagreement, 0);
  const dataset::Dataset two = Open("two");
  const Points half = 0.5f * (one.Shape(3) + SkinnedShape(stored_.character, sequence_.poses[3]));
  EXPECT_LT((two.Shape(3) - half).cwiseAbs().maxCoeff(), 1e-6f);
  const std::vector<float> spread = two.Array(3, "spread").ToFloats();
  const float apart = (one.Shape(3) - half).rowwise().norm()[7];
  EXPECT_NEAR(spread[7], apart, 1e-6f);
  EXPECT_THAT(ErrorOf([&] { Teacher({a, a}); }, ErrorKind::kUsage), HasSubstr("the same network"));
}

TEST_F(TeachTest, ThreadsAndInterruptionsChangeNoByte) {
  const fs::path model = WriteScored("a.model", 0.9), other = WriteModel("b.model", Silence);
  Teach("whole", {model, other}, {.keep_all = true});
  SetThreads(1);
  Teach("one_thread", {model, other}, {.keep_all = true});
  // On one thread the first chunk is finished first.
  std::atomic<int> asked = 0;
  TeachSummary summary = Teach("stopped", {model, other}, {.keep_all = true, .stop = [&] { return ++asked > 20; }});
  SetThreads(0);
  EXPECT_LT(summary.there, summary.frames);
  EXPECT_GT(summary.there, 0);
  EXPECT_THAT(ErrorOf(
                  [&] {
                    Teach("stopped", {model, other}, {.keep_all = true});
                  },
                  ErrorKind::kFailed),
              HasSubstr("--resume"));
  EXPECT_THAT(ErrorOf([&] { Teach("stopped", {model}, {.keep_all = true, .resume = true}); }, ErrorKind::kInput),
              HasSubstr("was begun with models"));
  summary = Teach("stopped", {model, other}, {.keep_all = true, .resume = true});
  EXPECT_EQ(summary.there, summary.frames);
  EXPECT_LT(summary.taught, summary.frames);
  EXPECT_EQ(summary.scores.size(), sequence_.poses.size());
  const auto files = sinew::testing::FilesBelow(folder_.path() / "whole");
  EXPECT_EQ(sinew::testing::FilesBelow(folder_.path() / "one_thread"), files);
  EXPECT_EQ(sinew::testing::FilesBelow(folder_.path() / "stopped"), files);
}

TEST_F(TeachTest, StrangeFramesAreDroppedAndListed) {
  // A limit between the frames' own distances, so that some of them are beyond it.
  const TeachSummary all = Teach("all", {WriteScored("home.model", 1)}, {.keep_all = true});
  std::vector<double> values;
  for (const FrameScore& score : all.scores) values.push_back(score.value);
  std::sort(values.begin(), values.end());
  const double limit = 0.5 * (values[values.size() - 4] + values[values.size() - 3]);
  EXPECT_EQ(all.dropped.size(), 0u);
  const TeachSummary summary = Teach("some", {WriteScored("strict.model", 1 / limit)});
  EXPECT_EQ(summary.beyond, 3);
  std::vector<int> dropped;
  for (const auto& [reason, frames] : summary.dropped) {
    EXPECT_THAT(reason, HasSubstr("too different from what was learned: score 1."));
    dropped.insert(dropped.end(), frames.begin(), frames.end());
  }
  EXPECT_EQ(dropped.size(), 3u);
  const dataset::Dataset dataset = Open("some");
  for (const FrameScore& score : summary.scores) {
    EXPECT_EQ(dataset.frame(score.frame).ok(), score.value <= 1);
    EXPECT_NEAR(score.weight, 1 / (1 + score.value * score.value), 1e-6);
    EXPECT_NEAR(dataset.Array(score.frame, "weight").ToDoubles()[0], score.weight, 0);
    EXPECT_GT(score.expected_error, 0);
    EXPECT_NEAR(score.value * limit, all.scores[score.frame].value, 1e-4);
  }
}

TEST_F(TeachTest, ACharacterThatIsTooDifferentIsRefusedBeforeAnythingIsWritten) {
  const fs::path model = WriteScored("far.model", 5);
  const std::string error = ErrorOf([&] { Teach("far", {model}); }, ErrorKind::kInput);
  EXPECT_THAT(error, HasSubstr("egg.glb: is too different from what the networks have learned: 24 of 24 frames"));
  EXPECT_THAT(error, HasSubstr("simulate instead"));
  EXPECT_FALSE(fs::exists(folder_.path() / "far"));
  const TeachSummary kept = Teach("far", {model}, {.keep_all = true});
  EXPECT_EQ(kept.beyond, kept.frames);
  EXPECT_GT(kept.character_score, 1);
  EXPECT_TRUE(kept.dropped.empty());
}

TEST_F(TeachTest, AnswersThatAreNotFiniteAreDropped) {
  const fs::path model = WriteModel("wild.model", [](learn::Model& given) {
    for (learn::Tensor& tensor : given.tensors) {
      if (tensor.name == "scaling.answer") tensor.values[0] = std::numeric_limits<float>::max();
      if (tensor.name.rfind("answer.", 0) == 0) std::fill(tensor.values.begin(), tensor.values.end(), 6e4f);
    }
  });
  const TeachSummary summary = Teach("wild", {model});
  ASSERT_EQ(summary.dropped.size(), 1u);
  EXPECT_THAT(summary.dropped.begin()->first, HasSubstr("did not answer with finite numbers"));
  EXPECT_TRUE(Open("wild").OkFrames().empty());
}

TEST_F(TeachTest, RigidPartsFollowTheirJoints) {
  const std::string part = stored_.character.parts[0].name;
  Teach("rigid", {WriteModel("a.model")}, {.roles = {{part, Role::kRigid}}});
  const dataset::Dataset dataset = Open("rigid");
  for (const int i : dataset.OkFrames()) {
    EXPECT_EQ(dataset.Shape(i), SkinnedShape(stored_.character, sequence_.poses[i]));
  }
}

// True shapes that another last layer would answer: what it lacks is found, in poses that are no examples, too.
TEST_F(TeachTest, ExamplesTuneTheNetworks) {
  const fs::path model = WriteModel("a.model"), other = WriteModel("other.model", [](learn::Model&given) {
                                                  Random random(8);
                                                  for (learn::Tensor& tensor : given.tensors) {
                                                    if (tensor.name.rfind("answer.", 0) != 0) continue;
                                                    for (float& value : tensor.values)
                                                      value += static_cast<float>(0.05 * random.Normal());
                                                  }
                                                });
  Teach("truth", {other});
  TeachExamples("examples", other);
  Teach("untuned", {model});
  const TeachSummary summary = Teach("tuned", {model}, {.examples = folder_.path() / "examples"});
  EXPECT_EQ(summary.examples, kExamples);
  EXPECT_GT(summary.tuned.error_before, 0);
  EXPECT_LT(summary.tuned.error_after, 0.7 * summary.tuned.error_before);
  EXPECT_TRUE(summary.tuned.faded.empty());
  const dataset::Dataset truth = Open("truth"), tuned = Open("tuned"), untuned = Open("untuned");
  double left = 0, before = 0;
  for (int i = kExamples; i < sequence_.frame_count(); ++i) {
    left += (tuned.Shape(i) - truth.Shape(i)).norm();
    before += (untuned.Shape(i) - truth.Shape(i)).norm();
  }
  EXPECT_LT(left, 0.7 * before);
  EXPECT_EQ(tuned.manifest().settings.at("examples").at("frames"), kExamples);
}

// Whatever a network says of a pose, and however strange it is: its true shape is known.
TEST_F(TeachTest, ExamplesThemselvesKeepTheirTrueShapes) {
  TeachExamples("examples", WriteModel("zero.model", Silence));
  const fs::path strange = WriteScored("far.model", 0.97), other = WriteModel("other.model");
  Teach("tuned", {strange, other}, {.examples = folder_.path() / "examples"});
  const dataset::Dataset tuned = Open("tuned");
  for (int i = 0; i < kExamples; ++i) {
    ASSERT_TRUE(tuned.frame(i).ok()) << tuned.frame(i).failure;
    EXPECT_EQ(tuned.Shape(i), SkinnedShape(stored_.character, sequence_.poses[i]));
    EXPECT_EQ(tuned.Array(i, "weight").ToDoubles()[0], 1);
    for (const double spread : tuned.Array(i, "spread").ToDoubles()) ASSERT_EQ(spread, 0);
  }
  EXPECT_LT(tuned.Array(kExamples, "weight").ToDoubles()[0], 1);
}

// Where true shapes are those of skinning, every correction is worse.
TEST_F(TeachTest, RegionsThatAreWorseThanSkinningFadeAndAreNamed) {
  Teach("skinned", {WriteModel("zero.model", Silence)});
  TeachExamples("examples", folder_.path() / "zero.model");
  const TeachSummary summary = Teach("faded", {WriteModel("a.model")}, {.examples = folder_.path() / "examples"});
  EXPECT_FALSE(summary.tuned.faded.empty());
  const dataset::Dataset faded = Open("faded"), skinned = Open("skinned");
  for (const int i : faded.OkFrames()) {
    EXPECT_LT((faded.Shape(i) - skinned.Shape(i)).cwiseAbs().maxCoeff(), 1e-5f);
  }
}

TEST_F(TeachTest, ExamplesMustBeSeveral) {
  const fs::path model = WriteModel("a.model");
  TeachDataset(folder_.path() / "one", stored_, "egg.glb", sequence_, {0, 1}, Teacher({model}), {});
  EXPECT_THAT(ErrorOf([&] { Teach("b", {model}, {.examples = folder_.path() / "one"}); }, ErrorKind::kInput),
              HasSubstr("has fewer than two frames with a shape"));
  EXPECT_FALSE(fs::exists(folder_.path() / "b"));
}

TEST_F(TeachTest, StatisticsOfAnotherSizeAreRefused) {
  const fs::path model = WriteModel("bad.model", [](learn::Model& given) {
    graphnet::StoreFamiliarity({std::vector<float>(3, 0.0f), std::vector<float>(9, 1.0f), 1}, given);
  });
  EXPECT_THAT(ErrorOf([&] { Teacher({model}); }, ErrorKind::kInput), HasSubstr("familiarity.mean"));
  EXPECT_THAT(ErrorOf([&] { Teacher({folder_.path() / "none.model"}); }, ErrorKind::kInput), HasSubstr("none.model"));
  EXPECT_THAT(ErrorOf([] { Teacher({}); }, ErrorKind::kUsage), HasSubstr("--model"));
}

// The heat of vertices is the distance of the points' features, wherever the body stands and however it turns.
TEST_F(TeachTest, VertexDistancesAreThoseOfThePoints) {
  const fs::path file = WriteScored("a.model", 0.5);
  const Teacher teacher({file});
  const TaughtBody body(teacher, stored_.character, "egg.glb");
  const std::vector<float> vertices = body.VertexDistances(sequence_.poses[4]);
  ASSERT_EQ(static_cast<int>(vertices.size()), stored_.entry.vertices);
  const RestSurface surface = CollectRestSurface(stored_.character);
  double squares = 0, area = 0;
  for (int i = 0; i < body_.points(); ++i) {
    const float distance = vertices[surface.welding.first_of[i]];
    squares += body_.bending()[i] * distance * distance;
    area += body_.bending()[i];
  }
  EXPECT_NEAR(std::sqrt(squares / area), body.Judge(sequence_.poses[4]).distance, 1e-3);
}

// Frames in memory are those that a dataset would have, without the ones that it drops.
TEST_F(TeachTest, FramesInMemoryAreThoseOfTheDataset) {
  const fs::path file = WriteScored("a.model", 1);
  Teach("a", {file}, {.keep_all = true});
  const dataset::Dataset dataset = Open("a");
  const Teacher teacher({file});
  const TaughtBody body(teacher, stored_.character, "egg.glb");
  const TaughtFrames all = TeachFrames(body, "egg.glb", sequence_.poses, true);
  ASSERT_EQ(all.poses.size(), sequence_.poses.size());
  int beyond = 0;
  std::vector<int> near;
  for (int i = 0; i < dataset.frame_count(); ++i) {
    EXPECT_EQ(all.shapes[i], dataset.Shape(i)) << i;
    EXPECT_EQ(all.weights[i], dataset.Array(i, "weight").ToFloats()[0]) << i;
    const bool far = dataset.Array(i, "score").ToFloats()[0] > 1;
    beyond += far ? 1 : 0;
    if (!far) near.push_back(i);
  }
  EXPECT_EQ(all.beyond, beyond);
  if (2 * beyond <= all.asked) {
    EXPECT_EQ(TeachFrames(body, "egg.glb", sequence_.poses, false).poses, near);
  }
}

TEST_F(TeachTest, FramesInMemoryOfAStrangerAreRefused) {
  const Teacher teacher({WriteScored("far.model", 3)});
  const TaughtBody body(teacher, stored_.character, "egg.glb");
  const std::string error = ErrorOf([&] { TeachFrames(body, "egg.glb", sequence_.poses, false); }, ErrorKind::kInput);
  EXPECT_THAT(error, HasSubstr("egg.glb"));
  EXPECT_THAT(error, HasSubstr("too different"));
  EXPECT_EQ(TeachFrames(body, "egg.glb", sequence_.poses, true).shapes.size(), sequence_.poses.size());
}

}  // namespace
}  // namespace sinew::teach
