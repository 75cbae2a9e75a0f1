// Stages whose shapes are taught or given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/few_shot.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/times.h"
#include "tests/support/datasets.h"
#include "tests/support/error_of.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/temporary_folder.h"

namespace sinew::pipeline {
namespace {

using ::testing::HasSubstr;

Request RequestWith(const std::vector<std::string>& settings) {
  Request request{.character = "", .config = Config(), .seed = 1};
  for (const std::string& setting : settings) request.config.Set(setting);
  return request;
}

Subject SmallSubject() {
  Subject subject;
  subject.vertices = 100;
  return subject;
}

TEST(TaughtTruths, EveryModelDecidesOverTheStageWhateverItsName) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_directory(folder / name);
    WriteFileAtomic(folder / name / "x.model", std::string(name));
  }
  const std::string a = folder / "a" / "x.model", b = folder / "b" / "x.model";
  const Request request = RequestWith({"truths.from=teach", "truths.models=[\"" + a + "\", \"" + b + "\"]"});
  const auto outside = [&] { return LearnedTruthsStage(request, SmallSubject()).outside; };
  const auto before = outside();
  EXPECT_EQ(before.size(), 2u);
  WriteFileAtomic(a, std::string("other"));
  const auto after = outside();
  EXPECT_NE(after, before);
  WriteFileAtomic(b, std::string("other"));
  EXPECT_NE(outside(), after);
}

TEST(TaughtTruths, AProgramWithoutAModelSaysSo) {
  const std::string error =
      testing::ErrorOf([] { LearnedTruthsStage(RequestWith({"truths.from=teach"}), SmallSubject()); });
  EXPECT_THAT(error, HasSubstr("no model to teach with comes with this program"));
  EXPECT_THAT(error, HasSubstr("--set truths.models=FILE"));
}

// A folder of a build up to its poses, of an arm that bends more and more.
class FewTruths : public ::testing::Test {
 protected:
  void WriteFolder(const Character& arm) {
    WriteCharacter(arm, folder_ / kCharacter);
    WriteFileAtomic(folder_ / kInputFacts, std::string("{\"metres_per_unit\": 1, \"of_person\": 1}"));
    Clip clip;
    clip.skeleton = arm.skeleton;
    for (const Joint& joint : arm.skeleton.joints) clip.motion.joints.push_back(joint.name);
    for (int i = 0; i < 5; ++i) clip.motion.frames.push_back(testing::BentArm(arm, 10 * i));
    WritePoses(folder_ / kTrainingPoses, clip);
  }
  dataset::Dataset Simulate() {
    const Request request = RequestWith({"truths.from=teach", "truths.few_shot=2", "simulation.tets=300"});
    Times times(folder_ / "times.json");
    FewTruthsStage(request, SmallSubject())->run({folder_.path(), times});
    return dataset::Dataset(folder_ / kFewTruths);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(FewTruths, PosesThatDifferMostAreSimulated) {
  WriteFolder(testing::FleshArm());
  const dataset::Dataset few = Simulate();
  ASSERT_EQ(few.OkFrames(), (std::vector<int>{0, 1}));
  EXPECT_EQ(few.frame(0).motion_frame, 0);
  EXPECT_EQ(few.frame(1).motion_frame, 4);
  EXPECT_TRUE(dataset::FindDamage(few).empty());
}

TEST(TaughtTruths, ItIsSaidWhatNetworksWereTunedTo) {
  const Json simulated = {{"maker", "simulate"}};
  EXPECT_EQ(WhoJudged({{"maker", "teach"}, {"examples", {{"frames", 20}}}}, simulated),
            "It learned from what trained networks answer that were tuned to 20 simulated poses and is judged by "
            "simulated flesh.");
  EXPECT_EQ(WhoJudged({{"maker", "teach"}}, simulated),
            "It learned from what trained networks answer and is judged by simulated flesh.");
}

TEST(TaughtTruths, GivenShapesAreOfTheSameJoints) {
  const testing::TemporaryFolder folder;
  dataset::StoredCharacter stored = testing::StoredTestCharacter();
  const dataset::PoseSequence sequence = testing::TestSequence(stored.character.skeleton, 2);
  testing::WriteNumberedDataset(folder / "given", stored, sequence, {0, sequence.frame_count()});
  const Request request = RequestWith({"truths.from=given", "truths.given=" + (folder / "given").string()});
  const Stage stage = LearnedTruthsStage(request, SmallSubject());
  Times times(folder / "times.json");
  const auto run = [&] { stage.run({folder.path(), times}); };
  WriteCharacter(stored.character, folder / kCharacter);
  EXPECT_EQ(testing::ErrorOf(run), "no error");
  const size_t shapes = dataset::Dataset(folder / "given").OkFrames().size();
  EXPECT_EQ(dataset::Dataset(folder / kTrainingTruths).frame_count(), static_cast<int>(shapes));
  stored.character.skeleton.joints[2].name = "wing";
  WriteCharacter(stored.character, folder / kCharacter);
  EXPECT_THAT(testing::ErrorOf(run), HasSubstr("that of the character that it is used for is 'wing'"));
}

}  // namespace
}  // namespace sinew::pipeline
