#include "sinew/offline/pipeline/build_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/pipeline/everyday.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/report/page.h"
#include "tests/support/datasets.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::pipeline {
namespace {

using testing::TemporaryFolder;

// What would be markup if it were not escaped.
constexpr const char* kEvil = "<script>alert('x')</script>&\"";

const lod::Hierarchy& SmallHierarchy() {
  static const lod::Hierarchy hierarchy =
      lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {160, 60}, .regions = 12});
  return hierarchy;
}

const bake::BakedBundle& SmallBundle() {
  static const bake::BakedBundle baked =
      bake::BuildBundle(SmallHierarchy(), testing::SyntheticDeformer(SmallHierarchy()), {});
  return baked;
}

using TruthOfPose = std::function<Points(const Pose& pose)>;

// Eight frames each of two motions and of samples; the third fails.
dataset::Dataset WriteDataset(const std::filesystem::path& path, uint64_t seed, const TruthOfPose& truth) {
  const dataset::StoredCharacter stored = testing::StoredTestCharacter();
  const dataset::PoseSequence sequence = testing::TestSequence(stored.character.skeleton, 8, seed);
  {
    dataset::DatasetWriter writer(path, dataset::StartManifest(stored, sequence, {{"maker", "test"}}),
                                  {{stored.entry.file, stored.file}});
    dataset::MakeFrames(writer, sequence, {0, sequence.frame_count()}, {.label = "test"}, [&](int i) {
      dataset::FrameTruth frame;
      frame.shape = truth(sequence.poses[i]);
      if (i == 2) frame.failure = kEvil;
      return frame;
    });
  }
  return dataset::Dataset(path);
}

// What Sinew itself makes of a pose, and what skinning makes of it.
Points SinewShape(const Pose& pose) { return bake::Deform(SmallBundle().bundle, pose, 3).positions; }
Points SkinnedShape(const Pose& pose) { return bake::Deform(SmallBundle().bundle, pose, 3, true).positions; }

// Everyday poses of the egg; the third of them, a bent knee, fails, and all of them if `fail` says so.
dataset::Dataset WriteEveryday(const std::filesystem::path& folder, const TruthOfPose& truth, bool fail = false) {
  const dataset::StoredCharacter stored = testing::StoredTestCharacter();
  const Articulation articulation(stored.character.skeleton);
  WritePoses(folder / "everyday.poses",
             poses::ToClip(stored.character.skeleton, "everyday",
                           poses::EverydayPoses(articulation, FindLimits(stored.character.skeleton, {}))));
  const dataset::PoseSequence sequence =
      dataset::ReadPoseSequence({(folder / "everyday.poses").string()}, stored.character.skeleton);
  {
    dataset::DatasetWriter writer(folder / "everyday.dataset",
                                  dataset::StartManifest(stored, sequence, {{"maker", "test"}}),
                                  {{stored.entry.file, stored.file}});
    dataset::MakeFrames(writer, sequence, {0, sequence.frame_count()}, {.label = "test"}, [&](int i) {
      dataset::FrameTruth frame;
      frame.shape = truth(sequence.poses[i]);
      if (i == 2 || fail) frame.failure = kEvil;
      return frame;
    });
  }
  return dataset::Dataset(folder / "everyday.dataset");
}

Json TrainingSummary() {
  const Json level = {
      {"networks", 2},
      {"residual_mm", 5.5},
      {"after_basis_mm", 1.25},
      {"training_mm", 2.5},
      {"validation_mm", 3.5},
      {"curves",
       {{{"region", 0}, {"curve", {{50, 1.0, 2.0}, {100, 0.5, 1.5}}}}, {{"region", 1}, {"curve", {{50, 1.0, 2.0}}}}}}};
  return {{"levels", {level, level, level}}};
}

Json SomeTimings() {
  Json timings = Json::array();
  for (const char* stage : {"frame", "floor", "skinning only"}) {
    for (const int level : {0, 1, 2, 3}) {
      timings.push_back({{"stage", stage},
                         {"level", level},
                         {"threads", 1},
                         {"hot_us", {{"median", 123.0}}},
                         {"cold_us", {{"median", 456.0}}}});
    }
  }
  return {{"timings", timings}};
}

class BuildReport : public ::testing::Test {
 protected:
  std::string Write(const BuildReportInput& input) const {
    WriteBuildReport(input, folder_ / "report.html");
    return ReadTextFile(folder_ / "report.html");
  }

  BuildReportInput Input() const {
    BuildReportInput input{.name = kEvil};
    input.conclusion = "what the command says";
    input.facts = {{"unit", "1 m"}, {"weights", kEvil}};
    input.hierarchy = &SmallHierarchy();
    input.sinew = {&SmallBundle().bundle, SmallBundle().file.bytes().size(), TrainingSummary(), SomeTimings()};
    input.compared = input.sinew;
    input.settings = {{"training", {{"epsilon", 2e-4}, {"note", kEvil}}}, {"flat.key", true}};
    input.versions = {{"sinew", "0.1.0"}};
    input.seed = 77;
    input.stage_seconds = {{"hierarchy", 1.5}, {kEvil, 2}};
    input.pictures = false;
    return input;
  }

  TemporaryFolder folder_;
};

bool Has(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }

size_t CountOf(const std::string& page, const std::string& text) {
  size_t count = 0;
  for (size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++count;
  return count;
}

TEST_F(BuildReport, SaysAllThatIsKnown) {
  const dataset::Dataset unseen = WriteDataset(folder_ / "unseen.dataset", 1, SinewShape);
  BuildReportInput input = Input();
  input.unseen = {{"Unseen poses", &unseen}};
  const std::string page = Write(input);
  for (const char* section : {"Conclusion", "What went in", "Levels of detail", "Unseen poses", "Retained dimensions",
                              "Time", "Memory", "Training", "Failed frames", "How it was made"}) {
    EXPECT_TRUE(Has(page, std::string(">") + section + "</h2>")) << section;
  }
  for (const char* text : {"what the command says",
                           "linear blend",
                           "dual quaternion",
                           "single-level",
                           "memory floor",
                           "training.epsilon",
                           "0.0002",
                           "flat.key",
                           "true",
                           "0.1.0",
                           "77",
                           "hierarchy",
                           "5.500",
                           "23 of 24 frames",
                           "in order of time",
                           "123",
                           "456",
                           "how to read it",
                           "normals off by",
                           "flicker"}) {
    EXPECT_TRUE(Has(page, text)) << text;
  }
}

TEST_F(BuildReport, SaysWhetherMorePosesWouldHelp) {
  BuildReportInput input = Input();
  EXPECT_FALSE(Has(Write(input), "More poses would help"));
  for (Json& level : input.sinew.training["levels"]) level["validation_mm"] = 4.5;
  EXPECT_TRUE(Has(Write(input), "More poses would help (poses.training): on levels 1, 2, 3"));
}

TEST_F(BuildReport, SaysWhenTheFloorCannotBeTrusted) {
  const char* const warned = "less than its floor";
  BuildReportInput input = Input();
  EXPECT_FALSE(Has(Write(input), warned));
  for (Json& timing : input.sinew.timings["timings"]) {
    if (timing.at("stage") == "floor") timing["hot_us"]["median"] = 124.0;
  }
  EXPECT_TRUE(Has(Write(input), warned));
}

TEST_F(BuildReport, StandsAloneAndObeysNothingFromFiles) {
  const dataset::Dataset unseen = WriteDataset(folder_ / "unseen.dataset", 1, SinewShape);
  BuildReportInput input = Input();
  input.unseen = {{kEvil, &unseen}};
  input.training = {{kEvil, &unseen}};
  input.pictures = true;
  input.picture_height = 64;
  const std::string page = Write(input);
  EXPECT_FALSE(Has(page, "<script"));
  EXPECT_GT(CountOf(page, "&lt;script&gt;"), 8u);
  // The only address is the name of SVG, which nobody fetches.
  EXPECT_EQ(CountOf(page, "http"), CountOf(page, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(CountOf(page, "src="), CountOf(page, "src=\"data:image/png;base64,"));
  EXPECT_EQ(CountOf(page, "url("), 0u);
  EXPECT_EQ(CountOf(page, "@import"), 0u);
  // The frame that gains most, whole and from near, the levels, and the worst and a typical frame with and without
  // colours.
  EXPECT_EQ(CountOf(page, "<img "), 7u);
}

TEST_F(BuildReport, SaysWhereSinewDoesNotBeatSkinning) {
  const dataset::Dataset ours = WriteDataset(folder_ / "ours.dataset", 1, SinewShape);
  const dataset::Dataset theirs = WriteDataset(folder_ / "theirs.dataset", 2, SkinnedShape);
  BuildReportInput input = Input();
  input.unseen = {{"Set A", &ours}};
  const std::string won = Write(input);
  EXPECT_TRUE(Has(won, "<td>level 3</td><td>yes</td>"));
  input.unseen = {{"Set B", &theirs}};
  const std::string lost = Write(input);
  EXPECT_TRUE(Has(lost, "<td>level 3</td><td>NO</td>"));
  EXPECT_TRUE(Has(lost, "Set B (23 frames): Sinew does not beat skinning on level 1"));
  EXPECT_TRUE(Has(lost, "in 23 of them"));
  input.unseen = {};
  EXPECT_TRUE(Has(Write(input), "Nothing was measured"));
}

TEST_F(BuildReport, SaysWhereSkinningIsExactAlready) {
  const dataset::Dataset skinned = WriteDataset(folder_ / "skinned.dataset", 1, SkinnedShape);
  deformer::Deformer nothing;
  nothing.levels.resize(3);
  const bake::BakedBundle bundle = bake::BuildBundle(SmallHierarchy(), nothing, {});
  BuildReportInput input = Input();
  input.sinew.bundle = &bundle.bundle;
  input.compared = {};
  input.unseen = {{"Set", &skinned}};
  input.next_steps = {.folder = "egg.build", .training_poses = 40};
  const std::string page = Write(input);
  EXPECT_TRUE(Has(page, "<td>level 3</td><td>both exact</td>"));
  EXPECT_TRUE(Has(page, "sinew view egg.build"));
  EXPECT_FALSE(Has(page, "--set poses.training=")) << "there is nothing to learn";
  EXPECT_TRUE(Has(page, ">exact</td>"));
  EXPECT_TRUE(Has(page, "left out: there is nothing to correct"));
  EXPECT_FALSE(Has(page, "level 3 (0.00 mm"));
  EXPECT_FALSE(Has(page, "nan"));
}

TEST_F(BuildReport, SaysWhatRolesItsPointsHave) {
  dataset::Dataset unseen = WriteDataset(folder_ / "unseen.dataset", 1, SinewShape);
  BuildReportInput input = Input();
  input.unseen = {{"Set", &unseen}};
  const std::string soft = Write(input);
  EXPECT_TRUE(Has(soft, "roles of its points"));
  EXPECT_TRUE(Has(soft, "100% flesh"));
  EXPECT_FALSE(Has(soft, "over what is soft"));
  // The dataset's settings say that the part is rigid.
  const std::filesystem::path file = folder_ / "unseen.dataset" / "dataset.json";
  Json manifest = ParseJson(ReadTextFile(file), "dataset.json");
  manifest["settings"]["parts"] = "skin=rigid";
  WriteFileAtomic(file, manifest.dump());
  unseen = dataset::Dataset(folder_ / "unseen.dataset");
  const std::string rigid = Write(input);
  EXPECT_TRUE(Has(rigid, "100% rigid"));
  EXPECT_TRUE(Has(rigid, "over what is soft"));
}

TEST_F(BuildReport, ListsFailedFramesAndSaysWhenThereAreNone) {
  const dataset::Dataset unseen = WriteDataset(folder_ / "unseen.dataset", 1, SinewShape);
  BuildReportInput input = Input();
  input.training = {{"Training poses", &unseen}};
  const std::string page = Write(input);
  EXPECT_TRUE(Has(page, "1 frame without a true shape"));
  EXPECT_TRUE(Has(page, "<td>Training poses</td><td>walk</td><td>2</td><td>&lt;script&gt;"));
  input.training = {};
  EXPECT_TRUE(Has(Write(input), "None: every pose has its true shape."));
}

TEST_F(BuildReport, OpensWithASeatedAndAReachingBodyAndFoldsAllTables) {
  const dataset::Dataset everyday = WriteEveryday(folder_.path(), SinewShape);
  BuildReportInput input = Input();
  input.everyday = &everyday;
  input.pictures = true;
  input.picture_height = 64;
  input.next_steps = {.folder = "my build", .training_poses = 40, .biped = true};
  const std::string page = Write(input);
  const size_t sitting = page.find("<figcaption>Sitting. "), up = page.find("<figcaption>Arms up. "),
               near = page.find("<figcaption>Around "), conclusion = page.find(">Conclusion</h2>"),
               next = page.find(">What to do next</h2>"), folded = page.find("<details>");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_LT(sitting, up);
  EXPECT_LT(up, near);
  EXPECT_LT(near, conclusion);
  EXPECT_LT(conclusion, next);
  EXPECT_LT(next, folded);
  EXPECT_GT(page.find("<table>"), folded);
  EXPECT_GT(page.find("<svg"), folded);
  EXPECT_EQ(CountOf(page, "<details>"), CountOf(page, "</details>"));
  EXPECT_TRUE(Has(page, "sinew view &#39;my build&#39;"));
  EXPECT_TRUE(Has(page, "--set poses.training=80"));
  // Each joint from near is of another kind, and each of the other eleven poses has a picture, the levels one.
  const size_t joints = CountOf(page, "<figcaption>Around ");
  EXPECT_GE(joints, 1u);
  EXPECT_LE(joints, 3u);
  EXPECT_EQ(CountOf(page, "<img "), 2 + joints + 11 + 1);
  EXPECT_TRUE(Has(page, "<td>a knee bent by 90 degrees</td><td class=\"number\">has no true shape: &lt;script&gt;"));
  EXPECT_TRUE(Has(page, "<td>a hug</td>"));
}

TEST_F(BuildReport, ShowsNoPicturesWhereNothingGains) {
  const dataset::Dataset everyday = WriteEveryday(folder_.path(), SkinnedShape);
  const dataset::Dataset unseen = WriteDataset(folder_ / "unseen.dataset", 1, SkinnedShape);
  BuildReportInput input = Input();
  input.everyday = &everyday;
  input.unseen = {{"Set", &unseen}};
  input.pictures = true;
  input.picture_height = 64;
  const std::string page = Write(input);
  EXPECT_FALSE(Has(page, "Before and after"));
  EXPECT_TRUE(Has(page, "<figcaption>Sitting. ")) << "among the everyday poses";
  input.pictures = false;
  EXPECT_FALSE(Has(Write(input), "<img "));
}

TEST_F(BuildReport, SaysSoIfNoEverydayPoseHasAShape) {
  const dataset::Dataset everyday = WriteEveryday(folder_.path(), SinewShape, true);
  BuildReportInput input = Input();
  input.everyday = &everyday;
  input.pictures = true;
  input.picture_height = 64;
  const std::string page = Write(input);
  EXPECT_EQ(CountOf(page, "has no true shape: "), 12u);
  EXPECT_FALSE(Has(page, "Before and after"));
  const Json json = EverydayJson(everyday, JudgeEveryday(everyday, SmallHierarchy(), SmallBundle().bundle, {}));
  EXPECT_EQ(json.at("frames"), 0);
  EXPECT_EQ(json.at("failed_frames"), 12);
  EXPECT_EQ(json.at("poses").size(), 12u);
  EXPECT_EQ(json.at("poses")[4].at("failure"), kEvil);
}

TEST_F(BuildReport, JudgesEverydayPosesOneByOne) {
  const dataset::Dataset everyday = WriteEveryday(folder_.path(), SinewShape);
  const std::vector<evaluate::Method> methods = {
      evaluate::SkinningMethod(SmallHierarchy(), true),
      evaluate::BundleMethod(evaluate::kSinew, SmallBundle().bundle, SmallHierarchy(), "egg")};
  const Json json = EverydayJson(everyday, JudgeEveryday(everyday, SmallHierarchy(), SmallBundle().bundle, methods));
  EXPECT_EQ(json.at("frames"), 11);
  EXPECT_EQ(json.at("failed_frames"), 1);
  ASSERT_EQ(json.at("poses").size(), 12u);
  for (const Json& pose : json.at("poses")) {
    SCOPED_TRACE(pose.dump());
    EXPECT_NE(pose.at("name"), pose.at("label"));
    if (pose.at("name") == "knee_90") {
      EXPECT_EQ(pose.at("failure"), kEvil);
      continue;
    }
    EXPECT_GT(pose.at("linear blend").at("rms_mm"), 0);
    EXPECT_EQ(pose.at("linear blend").at("of_linear_blend"), 1);
    EXPECT_LT(pose.at("sinew").at("of_linear_blend"), 0.05) << "the truth is what Sinew makes of it";
  }
  // One that was learned from is not measured.
  deformer::Deformer deformer = testing::SyntheticDeformer(SmallHierarchy());
  deformer.trained_frames = {everyday.frame(4).hash};
  const bake::BakedBundle trained = bake::BuildBundle(SmallHierarchy(), deformer, {});
  const Json without = EverydayJson(everyday, JudgeEveryday(everyday, SmallHierarchy(), trained.bundle, methods));
  EXPECT_EQ(without.at("frames"), 10);
  EXPECT_EQ(without.at("poses")[4].at("name"), "sit");
  EXPECT_TRUE(without.at("poses")[4].at("trained"));
  EXPECT_FALSE(without.at("poses")[4].contains("sinew"));
  EXPECT_EQ(without.at("poses")[5], json.at("poses")[5]);
}

TEST(NextSteps, QuotesWhatAShellWouldObey) {
  EXPECT_EQ(ShellWord("body.build"), "body.build");
  EXPECT_EQ(ShellWord("my body; rm"), "'my body; rm'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord("-o"), "'./-o'");
  EXPECT_EQ(ShellWord(""), "''");
}

TEST(NextSteps, AdviseNoMorePosesWhereNothingIsToLearn) {
  report::Page page("title");
  AddNextSteps({.folder = "egg.build", .training_poses = 0, .biped = false}, page);
  const std::string html = page.Html();
  EXPECT_TRUE(Has(html, "sinew export egg.build -o egg.glb"));
  EXPECT_FALSE(Has(html, "poses.training"));
  EXPECT_FALSE(Has(html, "left_elbow"));
  report::Page nothing("title");
  AddNextSteps({}, nothing);
  EXPECT_FALSE(Has(nothing.Html(), "What to do next"));
}

TEST_F(BuildReport, LeavesOutWhatIsNotThere) {
  BuildReportInput input = Input();
  input.compared = {};
  input.sinew.timings = Json::object();
  input.sinew.training = Json::object();
  input.stage_seconds = {};
  const std::string page = Write(input);
  EXPECT_FALSE(Has(page, ">Time</h2>"));
  EXPECT_FALSE(Has(page, ">Training</h2>"));
  EXPECT_FALSE(Has(page, "single-level"));
  EXPECT_FALSE(Has(page, "NaN"));
  EXPECT_FALSE(Has(page, "nan"));
}

TEST_F(BuildReport, LeavesOutFramesThatWereTrainedOnUnlessAllWere) {
  const dataset::Dataset unseen = WriteDataset(folder_ / "unseen.dataset", 1, SinewShape);
  deformer::Deformer deformer = testing::SyntheticDeformer(SmallHierarchy());
  deformer.trained_frames = {unseen.frame(0).hash};
  const bake::BakedBundle trained = bake::BuildBundle(SmallHierarchy(), deformer, {});
  BuildReportInput input = Input();
  input.sinew.bundle = &trained.bundle;
  input.unseen = {{"Unseen", &unseen}};
  EXPECT_FALSE(Write(input).empty());
  dataset::TrainingFrames frames = dataset::FramesOf(unseen, SmallHierarchy());
  const int all = frames.count();
  ASSERT_GT(all, 1);
  EXPECT_EQ(evaluate::LeaveOutTrainedFrames(trained.bundle, frames), 0);
  EXPECT_EQ(frames.count(), all - 1);
  EXPECT_EQ(frames.hashes[0], unseen.frame(1).hash);
  EXPECT_EQ(frames.truth(0), unseen.Shape(1));
  for (int i = 1; i < unseen.frame_count(); ++i) deformer.trained_frames.push_back(unseen.frame(i).hash);
  std::sort(deformer.trained_frames.begin(), deformer.trained_frames.end());
  const bake::BakedBundle on_all = bake::BuildBundle(SmallHierarchy(), deformer, {});
  dataset::TrainingFrames again = dataset::FramesOf(unseen, SmallHierarchy());
  EXPECT_EQ(evaluate::LeaveOutTrainedFrames(on_all.bundle, again), all);
  EXPECT_EQ(again.count(), all);
}

}  // namespace
}  // namespace sinew::pipeline
