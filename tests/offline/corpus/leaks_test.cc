// Every leak is tried, and refused with its sentence.
#include "sinew/offline/corpus/leaks.h"

#include <gtest/gtest.h>

#include "sinew/offline/anatomy/human_motion.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "tests/offline/corpus/manifests.h"

namespace sinew::corpus {
namespace {

void ExpectLeak(const CorpusManifest& manifest, const std::vector<std::string>& parts) {
  const std::vector<std::string> leaks = FindLeaks(manifest);
  ASSERT_EQ(leaks.size(), 1u);
  for (const std::string& part : parts) EXPECT_NE(leaks[0].find(part), std::string::npos) << leaks[0] << " | " << part;
  EXPECT_THROW(RefuseLeaks(manifest, "corpus.json"), InputError);
}

TEST(Leaks, AreNotInASoundManifest) {
  EXPECT_TRUE(FindLeaks(SmallManifest()).empty());
  EXPECT_NO_THROW(RefuseLeaks(SmallManifest(), "corpus.json"));
}

TEST(Leaks, OneIdentityOnTwoSides) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[3].identity = "a_000";  // a remesh, a garment, a mirror image
  ExpectLeak(manifest, {"\"a_000\" (train)", "\"a_003\" (test)", "same body"});
  manifest.bodies[3].side = Side::kTrain;
  EXPECT_TRUE(FindLeaks(manifest).empty()) << "on one side it is no leak";
}

TEST(Leaks, OneFileOnTwoSidesUnderTwoNames) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[2].character = manifest.bodies[0].character;
  ExpectLeak(manifest, {"\"a_002\" (validation)", "same file"});
}

TEST(Leaks, OneBuildOnTwoSidesUnderTwoNames) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[3].build = manifest.bodies[1].build;
  ExpectLeak(manifest, {"\"a_001\" (train)", "\"a_003\" (test)", "same bones"});
}

TEST(Leaks, ADressRecipeOnTwoSides) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[0].dress = manifest.bodies[1].dress = 24;
  EXPECT_TRUE(FindLeaks(manifest).empty()) << "two training bodies may wear the same";
  manifest.bodies[3].dress = 24;
  ExpectLeak(manifest, {"\"a_000\" (train)", "\"a_003\" (test)", "dress recipe, 24"});
}

TEST(Leaks, AGarmentOfABodyOnAnotherSide) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[0].garment = "skirt.glb";
  manifest.bodies[0].garment_build = manifest.bodies[1].build;
  EXPECT_TRUE(FindLeaks(manifest).empty()) << "of a body on the same side";
  manifest.bodies[0].garment_build = manifest.bodies[3].build;
  ExpectLeak(manifest, {"\"a_000\" (train) wears skirt.glb", "\"a_003\" (test)"});
}

TEST(Leaks, AMixWithAParentOnAnotherSide) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[4].parents.push_back("a_002");
  ExpectLeak(manifest, {"\"mix_000\" (train)", "\"a_002\" (validation)", "all its parents"});
}

TEST(Leaks, AMixOfABodyThatIsNotThere) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[4].parents.push_back("a_999");
  ExpectLeak(manifest, {"\"mix_000\"", "\"a_999\"", "not in the corpus"});
}

TEST(Leaks, AMixToTestWith) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[4].side = Side::kTest;
  manifest.bodies[4].parents = {"a_003"};
  ExpectLeak(manifest, {"\"mix_000\"", "never test bodies"});
}

TEST(Leaks, ATestFamilyInTraining) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[0].family = "cartoon";
  ExpectLeak(manifest, {"\"a_000\" (train)", "\"cartoon\""});
}

TEST(Leaks, AClipOrAPersonOnTwoSides) {
  CorpusManifest manifest = SmallManifest();
  manifest.clips[1].hash = manifest.clips[0].hash;
  ExpectLeak(manifest, {"\"07_01.bvh\" (train)", "\"02_01.bvh\" (validation)", "same clip"});
  manifest = SmallManifest();
  manifest.clips[2].person = "02";
  ExpectLeak(manifest, {"\"02_01.bvh\" (validation)", "\"09_01.bvh\" (test)", "same person"});
}

TEST(Leaks, APersonOfTheStatisticsToTestWith) {
  CorpusManifest manifest = SmallManifest();
  manifest.clips[2].person = "10";
  ExpectLeak(manifest, {"\"09_01.bvh\" (test)", "person 10", "statistics"});
  EXPECT_TRUE(IsMeasuredPerson("7"));
  EXPECT_FALSE(IsMeasuredPerson("02"));
  EXPECT_FALSE(IsMeasuredPerson("2"));
  EXPECT_FALSE(IsMeasuredPerson("114"));
  EXPECT_FALSE(IsMeasuredPerson("alice"));
  EXPECT_FALSE(IsMeasuredPerson(""));
}

TEST(Leaks, AnUnseenFamilyLeavesNothingBehind) {
  CorpusManifest manifest = SmallManifest();
  LeaveOutFamily("biped", "corpus.json", manifest);
  EXPECT_TRUE(FindLeaks(manifest).empty());
  EXPECT_EQ(manifest.FindBody("mix_000"), -1) << "a mix is never a test body";
  for (const CorpusBody& body : manifest.bodies) EXPECT_EQ(body.side, Side::kTest);
  EXPECT_THROW(LeaveOutFamily("robot", "corpus.json", manifest), InputError);
}

TEST(Leaks, AnUnseenFamilyDropsBodiesInClothesThatAreTrainedOn) {
  CorpusManifest manifest = SmallManifest();
  manifest.test_families.clear();
  manifest.bodies[5].side = Side::kTrain;
  manifest.bodies[5].dress = 30;                                 // of the family that stays
  manifest.bodies[0].dress = 30, manifest.bodies[1].dress = 31;  // of the one that is left out
  LeaveOutFamily("biped", "corpus.json", manifest);
  EXPECT_TRUE(FindLeaks(manifest).empty());
  EXPECT_EQ(manifest.FindBody("a_000"), -1);
  EXPECT_GE(manifest.FindBody("a_001"), 0);
}

TEST(Leaks, AFrameIsOnTheLaterSideOfBodyAndClip) {
  const CorpusManifest manifest = SmallManifest();
  const CorpusBody &train = manifest.bodies[0], &test = manifest.bodies[3];
  const auto side = [&](const CorpusBody& body, const std::string& file, bool timed = true) {
    return SideOf(manifest, body, {.name = "m", .file = file, .timed = timed}, "d");
  };
  EXPECT_EQ(side(train, "", false), Side::kTrain);
  EXPECT_EQ(side(train, "07_01.bvh"), Side::kTrain);
  EXPECT_EQ(side(train, "02_01.bvh"), Side::kValidation);
  EXPECT_EQ(side(train, "09_01.bvh"), Side::kTest);
  EXPECT_EQ(side(test, "07_01.bvh"), Side::kTest);
  EXPECT_THROW(side(train, "other.bvh"), InputError);
}

Skeleton Limbs(float left, float right) {
  const auto joint = [](const char* name, int parent, float x) {
    Joint made{.name = name, .parent = parent, .rest = {}};
    made.rest.translation = {x, 0, 0};
    return made;
  };
  return {{joint("root", -1, 3), joint("left", 0, left), joint("right", 0, -right)}};
}

TEST(Leaks, ABuildIsThatOfTheMirrorImageAndOfAnotherUnit) {
  EXPECT_EQ(BuildOf(Limbs(1, 2)), BuildOf(Limbs(2, 1)));
  EXPECT_EQ(BuildOf(Limbs(1, 2)), BuildOf(Limbs(100, 200)));
  EXPECT_NE(BuildOf(Limbs(1, 2)), BuildOf(Limbs(1, 2.01f)));
}

}  // namespace
}  // namespace sinew::corpus
