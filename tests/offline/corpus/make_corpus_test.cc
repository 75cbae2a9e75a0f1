#include "sinew/offline/corpus/make_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/corpus/corpus_info.h"
#include "sinew/offline/corpus/merge_corpora.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "tests/support/datasets.h"
#include "tests/support/error_of.h"
#include "tests/support/rigs.h"
#include "tests/support/small_recipes.h"
#include "tests/support/temporary_folder.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;
using testing::ErrorOf;
using testing::FilesBelow;
using testing::TemporaryFolder;

MakeCorpusSummary Make(const std::string& text, const fs::path& folder, const MakeCorpusOptions& options = {}) {
  const fs::path file = folder.parent_path() / "recipe.toml";
  return MakeCorpus(ParseRecipe(text, file), file.string(), folder, options);
}

TEST(MakeCorpus, MakesDatasetsThatTheLoaderDealsToSides) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  const MakeCorpusSummary summary = Make(SmallRecipe(4), folder / "c");
  EXPECT_EQ(summary.made, 4);
  EXPECT_TRUE(summary.complete());
  EXPECT_EQ(summary.frames, 4 * 6);
  EXPECT_EQ(summary.failed, 0);
  const Corpus corpus(folder / "c");
  const CorpusCount count = CountCorpus(corpus);
  EXPECT_EQ(count.all[0].bodies, 2);
  EXPECT_EQ(count.all[0].frames, 12);
  EXPECT_EQ(count.all[2].frames, 6);
  EXPECT_EQ(count.families.at("figure")[1].bodies, 1);
  EXPECT_TRUE(FindCorpusDamage(folder / "c").empty());
  // Bodies and poses differ.
  const dataset::Dataset a = corpus.Open(0), b = corpus.Open(1);
  EXPECT_EQ(a.frame_count(), 6);
  EXPECT_NE(a.manifest().characters[0].hash, b.manifest().characters[0].hash);
  EXPECT_NE(a.manifest().poses[0].hash, b.manifest().poses[0].hash);
}

TEST(MakeCorpus, GivesTheSameBytesHoweverItIsMade) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  const std::string recipe = SmallRecipe(4);
  SetThreads(1);
  Make(recipe, folder / "one");
  SetThreads(4);
  Make(recipe, folder / "four");
  const auto files = FilesBelow(folder / "one");
  EXPECT_EQ(FilesBelow(folder / "four"), files);
  // In two parts.
  Make(recipe, folder / "part1", {.part = 1, .parts = 2});
  EXPECT_FALSE(FindCorpusDamage(folder / "part1").empty()) << "two bodies are missing";
  EXPECT_NE(ErrorOf([&] { Corpus(folder / "part1"); }).find("2 of 4 bodies are not made"), std::string::npos);
  Make(recipe, folder / "part2", {.part = 2, .parts = 2});
  EXPECT_EQ(MergeCorpora(folder / "joined", {folder / "part1", folder / "part2"}).bodies, 4);
  EXPECT_EQ(FilesBelow(folder / "joined"), files);
  EXPECT_EQ(MergeCorpora(folder / "half", {folder / "part2"}).missing.size(), 2u);
  // Stopped at once, then with a body that was finished but not entered, then to the end.
  EXPECT_EQ(Make(recipe, folder / "stopped", {.minutes = 1e-9}).made, 0);
  fs::copy(folder / "one" / "bodies" / "figures_002.dataset", folder / "stopped" / "bodies" / "figures_002.dataset",
           fs::copy_options::recursive);
  EXPECT_TRUE(Make(recipe, folder / "stopped").complete());
  EXPECT_EQ(FilesBelow(folder / "stopped"), files);
  EXPECT_EQ(Make(recipe, folder / "stopped").simulated, 0) << "nothing is left to do";
  SetThreads(0);
}

// Removes the last chunk of a dataset, as a kill leaves it.
void RemoveLastChunk(const fs::path& dataset) {
  dataset::DatasetManifest manifest = dataset::ParseDatasetManifest(ReadTextFile(dataset / "dataset.json"), "d");
  const dataset::DatasetChunk last = manifest.chunks.back();
  manifest.chunks.pop_back();
  manifest.frames.resize(last.first_frame);
  for (const auto& [name, array] : last.arrays) fs::remove(dataset / array.file);
  WriteFileAtomic(dataset / "dataset.json", dataset::FormatDatasetManifest(manifest));
}

TEST(MakeCorpus, SimulatesFleshAndGoesOnWhereItWasKilled) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 1);
  std::string recipe = SmallRecipe(1, "[splits]\ntest = 0\nvalidation = 0\n");
  recipe.replace(recipe.find("kind = \"procedural\""), 19, "tets = 300");
  recipe.replace(recipe.find("wide = 3"), 8, "wide = 15");
  Make(recipe, folder / "c");
  const auto files = FilesBelow(folder / "c");
  EXPECT_EQ(Corpus(folder / "c").Open(0).frame_count(), 18);
  EXPECT_EQ(Corpus(folder / "c").Open(0).manifest().settings.at("tets"), 300);
  // Killed with one of two chunks written.
  CorpusManifest manifest = ParseCorpusManifest(ReadTextFile(folder / "c" / kCorpusFile), "corpus.json");
  manifest.bodies[0].dataset.clear();
  WriteFileAtomic(folder / "c" / kCorpusFile, FormatCorpusManifest(manifest));
  RemoveLastChunk(folder / "c" / "bodies" / "figures_000.dataset");
  EXPECT_EQ(Make(recipe, folder / "c").simulated, 2);
  EXPECT_EQ(FilesBelow(folder / "c"), files);
}

TEST(MakeCorpus, RefusesBadInputAndWritesNothing) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "files");
  Character chain = testing::MakeLimbFigure().character;
  chain.skeleton.joints[chain.skeleton.Find("left_knee")].name = "bend";
  WriteCharacter(chain, folder / "files" / "chain.glb");
  const std::string files =
      "[corpus]\nname = \"x\"\n[[bodies]]\nname = \"f\"\nfiles = \"files\"\nfamily = \"f\"\n[truth]\nkind = "
      "\"procedural\"\n";
  const std::string sentence = ErrorOf([&] { Make(files, folder / "c"); });
  EXPECT_NE(sentence.find("chain.glb"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("left_knee"), std::string::npos) << sentence;
  EXPECT_FALSE(fs::exists(folder / "c"));
  WriteFileAtomic(folder / "files" / "bad.glb", std::string("no character"));
  EXPECT_NE(ErrorOf([&] { Make(files, folder / "c"); }).find("bad.glb"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "c"));
  // One body under two names, on two sides: found before anything is made.
  const TemporaryFolder twice;
  WriteSmallBodies(twice.path(), 1);
  fs::create_directories(twice / "copies");
  fs::copy_file(twice / "files" / "figure_0.glb", twice / "copies" / "other.glb");
  const std::string leak = ErrorOf([&] {
    Make(SmallRecipe(1,
                     "[[bodies]]\nname = \"copies\"\nfiles = \"copies\"\nfamily = \"c\"\nsplit = \"test\"\n"
                     "[splits]\ntest = 0\nvalidation = 0\n"),
         twice / "c");
  });
  EXPECT_NE(leak.find("same file on two sides"), std::string::npos) << leak;
  EXPECT_FALSE(fs::exists(twice / "c"));
  fs::create_directories(folder / "full");
  WriteFileAtomic(folder / "full" / "note.txt", std::string("mine"));
  EXPECT_NE(ErrorOf([&] { Make(SmallRecipe(2), folder / "full"); }).find("is no corpus"), std::string::npos);
  EXPECT_EQ(FilesBelow(folder / "full").size(), 1u);
}

TEST(MakeCorpus, RefusesToGoOnWithAnotherRecipeOrOtherParts) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  Make(SmallRecipe(3), folder / "a", {.part = 1, .parts = 3});
  EXPECT_NE(ErrorOf([&] { Make(SmallRecipe(4), folder / "a"); }).find("another recipe"), std::string::npos);
  Make(SmallRecipe(4), folder / "b", {.part = 1, .parts = 4});
  EXPECT_NE(ErrorOf([&] {
              MergeCorpora(folder / "c", {folder / "a", folder / "b"});
            }).find("another recipe"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { MergeCorpora(folder / "a", {folder / "a"}); }).find("one of the parts"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "c"));
}

TEST(CorpusCheck, FindsDamageMissingBodiesAndLeaks) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  Make(SmallRecipe(3), folder / "c");
  const std::string manifest = ReadTextFile(folder / "c" / kCorpusFile);
  const auto damage = [&] {
    const std::vector<std::string> found = FindCorpusDamage(folder / "c");
    return found.empty() ? std::string() : found[0];
  };
  EXPECT_EQ(damage(), "");
  // A split that was changed by hand: the mirror of a training body among those to test with.
  CorpusManifest leak = ParseCorpusManifest(manifest, "corpus.json");
  for (CorpusBody& body : leak.bodies) {
    body.identity = "same";
    body.side = &body == &leak.bodies[0] ? Side::kTest : Side::kTrain;
  }
  WriteFileAtomic(folder / "c" / kCorpusFile, FormatCorpusManifest(leak));
  EXPECT_NE(damage().find("same body"), std::string::npos) << damage();
  EXPECT_THROW(Corpus(folder / "c"), InputError);
  WriteFileAtomic(folder / "c" / kCorpusFile, manifest);
  // A body that was replaced by another, and one that is gone.
  const fs::path first = folder / "c" / "bodies" / "figures_000.dataset", moved = folder / "moved";
  fs::rename(first, moved);
  EXPECT_NE(damage().find("figures_000"), std::string::npos) << damage();
  fs::copy(folder / "c" / "bodies" / "figures_001.dataset", first, fs::copy_options::recursive);
  EXPECT_NE(damage().find("checksum differs"), std::string::npos) << damage();
  EXPECT_THROW(Corpus(folder / "c").Open(0), InputError);
  fs::remove_all(first);
  fs::rename(moved, first);
  EXPECT_EQ(damage(), "");
  // A flipped bit in a shape.
  for (const fs::directory_entry& entry : fs::directory_iterator(first / "chunks")) {
    if (entry.path().string().find("shape") == std::string::npos) continue;
    Bytes bytes = ReadFile(entry.path());
    bytes.back() ^= std::byte{1};
    WriteFileAtomic(entry.path(), bytes);
  }
  EXPECT_NE(damage().find("checksum differs"), std::string::npos) << damage();
}

TEST(MakeCorpus, MixesScalesAndRemeshes) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  const std::string more =
      "[[bodies]]\nname = \"mixed\"\nmix_of = [\"figures\"]\ncount = 1\n"
      "[[bodies]]\nname = \"scaled\"\nfiles = \"files\"\nfamily = \"figure\"\ncount = 1\nbone_scale = [0.7, 1.4]\n"
      "[[bodies]]\nname = \"remeshed\"\nfiles = \"files\"\nfamily = \"figure\"\ncount = 1\nremesh = [2000, 2500]\n";
  Make(SmallRecipe(4, more + "[splits]\ntest = 0\nvalidation = 0\n"), folder / "c");
  const Corpus corpus(folder / "c");
  const CorpusManifest& manifest = corpus.manifest();
  const CorpusBody& plain = corpus.body(manifest.FindBody("figures_000"));
  const CorpusBody& mixed = corpus.body(manifest.FindBody("mixed_000"));
  const CorpusBody& scaled = corpus.body(manifest.FindBody("scaled_000"));
  const CorpusBody& remeshed = corpus.body(manifest.FindBody("remeshed_000"));
  EXPECT_GE(mixed.parents.size(), 2u);
  EXPECT_EQ(mixed.vertices, plain.vertices);
  EXPECT_NE(mixed.build, plain.build);
  EXPECT_EQ(scaled.identity, plain.identity) << "a body with other bones is the same person";
  EXPECT_NE(scaled.build, plain.build);
  EXPECT_EQ(remeshed.identity, plain.identity);
  EXPECT_EQ(remeshed.build, plain.build) << "remeshing keeps the bones";
  EXPECT_NE(remeshed.vertices, plain.vertices);
  EXPECT_TRUE(FindCorpusDamage(folder / "c").empty());
}

TEST(MakeCorpus, PutsOnGarmentsAndFitsThem) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  fs::create_directories(folder / "garments");
  // The first body's own skin, a little larger, as a garment for all.
  Character garment = ReadCharacter(folder / "files" / "figure_0.glb");
  garment.parts[0].mesh.positions += 0.02f * VertexNormals(garment.parts[0].mesh);
  WriteCharacter(garment, folder / "garments" / "suit.glb");
  const auto recipe = [](const std::string& more) {
    std::string text = SmallRecipe(4, more);
    return text.replace(text.find("[poses]"), 7, "garments = [\"garments\"]\n[poses]");
  };
  Make(recipe("[splits]\ntest = 0\nvalidation = 0\n"), folder / "c");
  const Corpus corpus(folder / "c");
  EXPECT_TRUE(FindCorpusDamage(folder / "c").empty());
  for (int b = 0; b < 4; ++b) {
    EXPECT_EQ(corpus.body(b).garment, "suit.glb");
    EXPECT_EQ(corpus.body(b).garment_build, corpus.body(0).build);
    EXPECT_EQ(corpus.Open(b).ReadCharacter(0).parts.size(), 2u);
  }
  // On two sides it tells of the body that it was made for: refused before anything is made.
  const std::string leak = ErrorOf([&] { Make(recipe("[splits]\ntest = 0.25\nvalidation = 0.25\n"), folder / "d"); });
  EXPECT_NE(leak.find("wears suit.glb, which was made for \"figures_000\""), std::string::npos) << leak;
  EXPECT_FALSE(fs::exists(folder / "d"));
  // Joints that no body has.
  garment.skeleton.joints[garment.skeleton.Find("left_knee")].name = "cloth_1";
  WriteCharacter(garment, folder / "garments" / "suit.glb");
  const std::string joint = ErrorOf([&] { Make(recipe("[splits]\ntest = 0\nvalidation = 0\n"), folder / "d"); });
  EXPECT_NE(joint.find("cloth_1"), std::string::npos) << joint;
  EXPECT_FALSE(fs::exists(folder / "d"));
}

// Writes a clip of random poses per person.
void WriteClips(const fs::path& folder, const std::vector<std::string>& people) {
  fs::create_directories(folder);
  Clip clip;
  clip.skeleton = testing::MakeRig({});
  clip.motion = {.name = "motion", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  Random random(3);
  for (const std::string& person : people) {
    clip.motion.frames.clear();
    for (int f = 0; f < 40; ++f) clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random, 0.6));
    WriteBvh(folder / (person + "_01.bvh"), clip);
  }
}

TEST(MakeCorpus, PlaysWholeTestClipsOnTestBodies) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  WriteClips(folder / "clips", {"alice", "bob", "carol"});
  std::string recipe = SmallRecipe(4, "[splits]\ntest = 0.25\nvalidation = 0\ntest_people = [\"bob\", \"carol\"]\n");
  recipe.replace(recipe.find("clear = false"), 13,
                 "clear = false\nclips = \"clips\"\nclip_frames = 3\nunseen_clip_frames = 0\nwhole_clips = 1\n"
                 "whole_clip_rate = 15\nclip_distance = 2");
  Make(recipe, folder / "c");
  const Corpus corpus(folder / "c");
  int played = 0;
  for (const int b : corpus.Bodies()) {
    const dataset::Dataset dataset = corpus.Open(b);
    std::vector<int> whole;
    for (int i = 0; i < dataset.frame_count(); ++i) {
      const dataset::DatasetMotion& motion = dataset.manifest().motions[dataset.frame(i).motion];
      if (motion.file != "bob_01.bvh" && motion.file != "carol_01.bvh") continue;
      EXPECT_EQ(motion.rate, 15);
      whole.push_back(dataset.frame(i).motion_frame);
    }
    if (corpus.body(b).side != Side::kTest) {
      EXPECT_TRUE(whole.empty()) << "a clip to test with was sampled for training";
      EXPECT_EQ(corpus.Frames(b, dataset, Side::kTest).size(), 0u);
      continue;
    }
    // 40 frames at 30 a second are 20 at 15, in order.
    ++played;
    EXPECT_EQ(whole.size(), 20u);
    EXPECT_TRUE(std::is_sorted(whole.begin(), whole.end()));
    EXPECT_EQ(corpus.Frames(b, dataset, Side::kTest).size(), 6u + 3u + 20u);
  }
  EXPECT_EQ(played, 1);
}

TEST(MakeCorpus, TakesFramesOfClipsToTheSideOfTheirPeople) {
  const TemporaryFolder folder;
  WriteSmallBodies(folder.path(), 4);
  WriteClips(folder / "clips", {"alice", "bob"});
  std::string recipe = SmallRecipe(1, "[splits]\ntest = 0\nvalidation = 0\ntest_people = [\"bob\"]\n");
  recipe.replace(recipe.find("clear = false"), 13,
                 "clear = false\nclips = \"clips\"\nclip_frames = 3\nunseen_clip_frames = 2\nclip_distance = 2");
  Make(recipe, folder / "c");
  const Corpus corpus(folder / "c");
  const dataset::Dataset dataset = corpus.Open(0);
  EXPECT_EQ(corpus.Frames(0, dataset, Side::kTrain).size(), 6u + 3u);
  const std::vector<int> test = corpus.Frames(0, dataset, Side::kTest);
  EXPECT_EQ(test.size(), 2u);
  for (const int i : test) EXPECT_EQ(dataset.manifest().motions[dataset.frame(i).motion].file, "bob_01.bvh");
}

}  // namespace
}  // namespace sinew::corpus
