#include "sinew/offline/survey/network_method.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/graphnet/test_model.h"
#include "sinew/offline/survey/survey_tables.h"
#include "sinew/offline/survey/survey_text.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::survey {
namespace {

using testing::EggOn;

class NetworkMethodTest : public ::testing::Test {
 protected:
  NetworkMethodTest() {
    const Character egg = EggOn({.columns = 16, .rows = 10});
    testing::WriteBumpedDataset(folder_ / "a.dataset", egg, 1, 1, {2});
    testing::WriteBumpedDataset(folder_ / "b.dataset", EggOn({.columns = 20, .rows = 12}, {.height = 1.9}), 1, 2);
    WriteModel(egg, {});
  }
  void WriteModel(const Character& character, const std::vector<std::string>& seen) const {
    learn::WriteModel(testing::SmallGraphModel(graphnet::Body(character, "egg"), seen), model_);
  }
  std::vector<Body> Bodies() const {
    return {ParseBody((folder_ / "a.dataset").string()), ParseBody((folder_ / "b.dataset").string())};
  }
  // The sentence that a survey of both bodies is refused with, before any body is measured.
  std::string Refusal() const {
    const BodyMethod never{"never", [](const LoadedBody&) -> evaluate::Method {
                             ADD_FAILURE() << "a body is measured";
                             throw UsageError("measured");
                           }};
    try {
      MeasureBodies(Bodies(), {never, NetworkMethod("network", model_)});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  testing::TemporaryFolder folder_;
  std::filesystem::path model_ = folder_ / "small.model";
};

TEST_F(NetworkMethodTest, HasTheFiguresOfTheNetworksOwnTest) {
  const graphnet::Predictor predictor(learn::ReadModel(model_), model_.string());
  const graphnet::TestTable table = graphnet::TestModel(
      predictor, graphnet::FrameSet(graphnet::OpenSources({folder_ / "a.dataset", folder_ / "b.dataset"})));
  const std::vector<Row> rows = ByBody(MeasureBodies(Bodies(), {NetworkMethod("network", model_)}));
  for (size_t b = 0; b < rows.size(); ++b) {
    const graphnet::TestRow& expected = table.bodies[b];
    EXPECT_EQ(rows[b].frames, expected.frames);
    EXPECT_NE(expected.network.rms, expected.skinning.rms);
    const graphnet::Errors errors[] = {expected.skinning, expected.network};
    for (int m = 0; m < 2; ++m) {
      EXPECT_NEAR(rows[b].methods[m].mean, errors[m].mean, 1e-4 * errors[m].mean);
      EXPECT_NEAR(rows[b].methods[m].rms, errors[m].rms, 1e-4 * errors[m].rms);
      EXPECT_NEAR(rows[b].methods[m].max, errors[m].max, 1e-4 * errors[m].max);
    }
  }
}

TEST_F(NetworkMethodTest, GivesTheSameBitsForAnyNumberOfThreads) {
  SetThreads(1);
  const Json one = SurveyJson(MeasureBodies(Bodies(), {NetworkMethod("network", model_)}));
  SetThreads(4);
  EXPECT_EQ(SurveyJson(MeasureBodies(Bodies(), {NetworkMethod("network", model_)})), one);
  SetThreads(0);
}

TEST_F(NetworkMethodTest, AnEnsembleAnswersWithTheMeanOfItsMembersAndRefusesWhatOneHasSeen) {
  const std::filesystem::path other = folder_ / "other.model";
  const graphnet::Body egg(EggOn({.columns = 16, .rows = 10}), "egg");
  learn::WriteModel(testing::SmallGraphModel(egg, {}, "mlp"), other);
  const LoadedBody body(Bodies()[0]);
  const Pose pose = body.dataset.pose(1);
  const Points a = NetworkMethod("a", model_).make(body).shapes(pose)[0];
  const Points b = NetworkMethod("b", other).make(body).shapes(pose)[0];
  const Points both = EnsembleMethod("both", {model_, other}).make(body).shapes(pose)[0];
  EXPECT_GT((a - b).norm(), 1e-3f);
  EXPECT_LT((both - (a + b) / 2).cwiseAbs().maxCoeff(), 1e-6f);
  EXPECT_THROW(EnsembleMethod("twice", {model_, model_}), UsageError);
  const std::string seen = graphnet::SeenHash(body.dataset.frame(0));
  learn::WriteModel(testing::SmallGraphModel(egg, {seen}, "mlp"), other);
  EXPECT_THROW(MeasureBodies(Bodies(), {EnsembleMethod("both", {model_, other})}), InputError);
}

TEST_F(NetworkMethodTest, RefusesSeenFramesAndOtherJointsBeforeAnythingIsMeasured) {
  const dataset::Dataset b(folder_ / "b.dataset");
  WriteModel(EggOn({}), {graphnet::SeenHash(b.frame(1))});
  EXPECT_NE(Refusal().find("1 of its 3 frames were used in training"), std::string::npos) << Refusal();
  EXPECT_NE(Refusal().find("b.dataset"), std::string::npos) << Refusal();
  // Of frames that do not count it does not matter.
  Body other = Bodies()[1];
  other.frames = std::vector<int>{0, 2};
  EXPECT_EQ(MeasureBodies({other}, {NetworkMethod("network", model_)}).bodies[0].frame_count(), 2);
  Character renamed = EggOn({});
  renamed.skeleton.joints.back().name = "tail";
  WriteModel(renamed, {});
  EXPECT_NE(Refusal().find("joints that"), std::string::npos) << Refusal();
  EXPECT_THROW(NetworkMethod("network", folder_ / "none.model"), InputError);
}

}  // namespace
}  // namespace sinew::survey
