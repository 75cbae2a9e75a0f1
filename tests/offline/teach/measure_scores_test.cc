#include "sinew/offline/teach/measure_scores.h"

#include <gtest/gtest.h>

#include <limits>

#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/procedural.h"
#include "sinew/offline/graphnet/test_model.h"
#include "tests/support/datasets.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/temporary_folder.h"

namespace sinew::teach {
namespace {

TEST(RankCorrelation, IsThatOfTheOrder) {
  EXPECT_DOUBLE_EQ(RankCorrelation({1, 2, 3, 4}, {10, 20, 25, 1000}), 1);
  EXPECT_DOUBLE_EQ(RankCorrelation({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(RankCorrelation({1, 2, 3}, {5, 5, 5}), 0);
  EXPECT_NEAR(RankCorrelation({1, 2, 2, 3}, {1, 2, 3, 4}), 0.9487, 1e-4) << "equal values share a rank";
  EXPECT_EQ(RankCorrelation({}, {}), 0);
}

TEST(RankCorrelation, PairsThatAreNotFiniteDoNotCount) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(RankCorrelation({1, kNan, 2, 3, kInfinity}, {4, 9, kNan, 5, 0}), 1);
  EXPECT_EQ(RankCorrelation({kNan, kNan}, {1, 2}), 0);
}

class ScoresTest : public ::testing::Test {
 protected:
  ScoresTest() {
    const dataset::StoredCharacter stored = sinew::testing::StoredTestCharacter();
    const dataset::PoseSequence sequence = sinew::testing::TestSequence(stored.character.skeleton, 4);
    dataset::WriteProceduralDataset(folder_.path() / "a", stored, sequence, {0, sequence.frame_count()}, {}, 1.0);
    const graphnet::Body body(stored.character, "egg");
    learn::Model model = sinew::testing::SmallGraphModel(body);
    learn::WriteModel(model, folder_.path() / "e.model");
    for (learn::Tensor& tensor : model.tensors) {
      if (tensor.name == "scaling.answer") tensor.values[0] *= 0.5f;
    }
    model.tensors.front().values[0] += 1;
    learn::WriteModel(model, folder_.path() / "e_2.model");
  }
  graphnet::FrameSet Frames() const { return graphnet::FrameSet(graphnet::OpenSources({folder_.path() / "a"})); }

  sinew::testing::TemporaryFolder folder_;
};

TEST_F(ScoresTest, ErrorsAreThoseOfTheTest) {
  const Teacher teacher({folder_.path() / "e.model"});
  const graphnet::FrameSet frames = Frames();
  const std::vector<ScoredFrame> scored = MeasureScores(teacher, frames);
  ASSERT_EQ(static_cast<int>(scored.size()), frames.count());
  double error = 0, skinning = 0;
  for (const ScoredFrame& frame : scored) {
    error += frame.error / frames.count();
    skinning += frame.skinning / frames.count();
  }
  const auto known = [](const ScoredFrame& frame) { return 3 * frame.error; };
  EXPECT_NEAR(CorrelationWithinBodies(scored, known), 1, 1e-9);
  const graphnet::TestTable table = graphnet::TestModel(teacher.members()[0].predictor, frames);
  const double size = 1e3 * frames.bodies()[0].size();
  EXPECT_NEAR(error * size, table.all.network.mean, 1e-4 * table.all.network.mean);
  EXPECT_NEAR(skinning * size, table.all.skinning.mean, 1e-4 * table.all.skinning.mean);
}

TEST_F(ScoresTest, FramesWithoutFiniteNumbersAreLeftOut) {
  learn::Model model = learn::ReadModel(folder_.path() / "e.model");
  for (learn::Tensor& tensor : model.tensors) {
    if (tensor.name == "scaling.answer") tensor.values[0] = std::numeric_limits<float>::max();
    if (tensor.name.rfind("answer.", 0) == 0) std::fill(tensor.values.begin(), tensor.values.end(), 6e4f);
  }
  learn::WriteModel(model, folder_.path() / "wild.model");
  const CollectWarnings warnings;
  EXPECT_TRUE(MeasureScores(Teacher({folder_.path() / "wild.model"}), Frames()).empty());
  ASSERT_EQ(warnings.messages().size(), 1u);
  EXPECT_NE(warnings.messages()[0].find("did not answer with finite numbers"), std::string::npos);
}

TEST_F(ScoresTest, AgreementCountsForExactlyTheseMembers) {
  const std::filesystem::path first = folder_.path() / "e.model", second = folder_.path() / "e_2.model";
  EXPECT_EQ(MembersBeside(first), (std::vector<std::filesystem::path>{first, second}));
  const Teacher unmeasured({first, second});
  EXPECT_FALSE(unmeasured.agreement().has_value());
  const std::vector<ScoredFrame> before = MeasureScores(unmeasured, Frames());
  EXPECT_GT(before[0].score.disagreement, 0);
  EXPECT_EQ(before[0].score.value, 0);
  learn::Model model = learn::ReadModel(first);
  RecordAgreement(unmeasured, 0.5 * before[0].score.disagreement, model);
  learn::WriteModel(model, first);
  const Teacher measured({second, first});
  ASSERT_TRUE(measured.agreement().has_value()) << "in any order";
  EXPECT_NEAR(MeasureScores(measured, Frames())[0].score.value, 2, 1e-6);
  EXPECT_EQ(measured.Description().at("score"), "disagreement");
  EXPECT_FALSE(Teacher({first}).agreement().has_value());
}

}  // namespace
}  // namespace sinew::teach
