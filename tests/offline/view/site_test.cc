#include "sinew/offline/view/site.h"

#include <gtest/gtest.h>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/multires/training_shapes.h"
#include "sinew/offline/view/find_page.h"
#include "sinew/offline/view/truth_file.h"
#include "tests/support/datasets.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

const lod::Hierarchy& SmallHierarchy() {
  static const lod::Hierarchy hierarchy =
      lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {160, 60}, .regions = 12});
  return hierarchy;
}

// A folder with all that a site is made of.
class Things {
 public:
  Things() {
    fs::create_directories(folder / "page/assets");
    WriteFileAtomic(folder / "page/index.html", "<p>page</p>");
    WriteFileAtomic(folder / "page/assets/run.wasm", std::string_view("\0asm", 4));
    const bake::BakedBundle baked =
        bake::BuildBundle(SmallHierarchy(), testing::SyntheticDeformer(SmallHierarchy()), {});
    WriteFileAtomic(folder / "egg.sinew", baked.file.bytes());
    WriteBvh(folder / "walk.bvh", Walk());
  }

  static Clip Walk() {
    Clip clip;
    clip.skeleton = testing::MakeRig({});
    clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
    clip.motion.frames.assign(3, clip.skeleton.RestPose());
    return clip;
  }

  // Frames whose shapes say their number, some of them failed.
  void AddDataset() const {
    const dataset::StoredCharacter stored = testing::StoredTestCharacter();
    dataset::PoseSequence sequence = testing::TestSequence(stored.character.skeleton, 8);
    sequence.motions[0].rate = 24;
    testing::WriteNumberedDataset(folder / "egg.dataset", stored, sequence, {0, sequence.frame_count()});
    lod::WriteHierarchy(folder / "egg.lod", SmallHierarchy());
  }

  SiteRequest Request() const { return {.page = folder / "page", .bundles = {{.file = folder / "egg.sinew"}}}; }

  TemporaryFolder folder;
};

Json Manifest(const Site& site) {
  const Bytes* file = site.Find("site.json");
  EXPECT_NE(file, nullptr);
  return Json::parse(std::string(reinterpret_cast<const char*>(file->data()), file->size()));
}

TEST(Site, HoldsThePageAndWhatItShows) {
  const Things things;
  SiteRequest request = things.Request();
  request.motions = {things.folder / "walk.bvh"};
  const Site site = MakeSite(request);
  const Json manifest = Manifest(site);
  EXPECT_EQ(manifest["version"], 1);
  EXPECT_EQ(manifest["characters"][0]["name"], "egg");
  EXPECT_FALSE(manifest["characters"][0].contains("truth"));
  EXPECT_EQ(*site.Find(manifest["characters"][0]["bundle"].get<std::string>()), ReadFile(things.folder / "egg.sinew"));
  EXPECT_EQ(*site.Find(manifest["motions"][0]["file"].get<std::string>()), ReadFile(things.folder / "walk.bvh"));
  EXPECT_NE(site.Find("assets/run.wasm"), nullptr);
}

TEST(Site, GivesFilesOfOneNameDifferentPlacesAndUrlsPlainLetters) {
  const Things things;
  fs::create_directories(things.folder / "other");
  const fs::path odd = things.folder / "other/eg<g> ü%2e.sinew";
  fs::copy_file(things.folder / "egg.sinew", odd);
  fs::copy_file(things.folder / "egg.sinew", things.folder / "other/egg.sinew");
  SiteRequest request = things.Request();
  request.bundles.push_back({.file = things.folder / "other/egg.sinew"});
  request.bundles.push_back({.file = odd});
  const Json characters = Manifest(MakeSite(request))["characters"];
  EXPECT_EQ(characters[0]["bundle"], "data/egg.sinew");
  EXPECT_EQ(characters[1]["bundle"], "data/egg-2.sinew");
  const auto third = characters[2]["bundle"].get<std::string>();
  EXPECT_EQ(third.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-./"), std::string::npos) << third;
  EXPECT_EQ(characters[2]["name"], "eg<g> ü%2e");
}

TEST(Site, DoesNotFollowLinksOutOfThePage) {
  const Things things;
  WriteFileAtomic(things.folder / "secret.txt", "secret");
  fs::create_directories(things.folder / "secrets");
  WriteFileAtomic(things.folder / "secrets/more.txt", "secret");
  fs::create_symlink(things.folder / "secret.txt", things.folder / "page/link.txt");
  fs::create_directory_symlink(things.folder / "secrets", things.folder / "page/linked");
  const Site site = MakeSite(things.Request());
  EXPECT_EQ(site.files.size(), 4u);  // page, wasm, bundle, manifest
  fs::remove(things.folder / "page/index.html");
  fs::create_symlink(things.folder / "secret.txt", things.folder / "page/index.html");
  EXPECT_THROW(MakeSite(things.Request()), InputError);
}

TEST(Site, HasTruthsOfEveryLevelCoarsenedAsEvaluationDoes) {
  const Things things;
  things.AddDataset();
  SiteRequest request = things.Request();
  request.datasets = {things.folder / "egg.dataset"};
  EXPECT_THROW(MakeSite(request), UsageError);  // no hierarchy
  request.hierarchy = things.folder / "egg.lod";
  const Site site = MakeSite(request);
  const Bytes* file = site.Find(Manifest(site)["characters"][0]["truth"].get<std::string>());
  ASSERT_NE(file, nullptr);
  const TruthFile truth = ParseTruth(*file, "egg.truth");
  const dataset::Dataset dataset(things.folder / "egg.dataset");
  const std::vector<int> ok = dataset.OkFrames();
  ASSERT_EQ(truth.head.frames.size(), ok.size());
  ASSERT_EQ(truth.head.clips.size(), 3u);
  EXPECT_EQ(truth.head.clips[0].name, "walk");
  EXPECT_TRUE(truth.head.clips[0].motion);
  EXPECT_FALSE(truth.head.clips[2].motion);
  // A walk is played as fast as it was.
  EXPECT_EQ(truth.head.clips[0].rate, 24);
  const lod::Hierarchy& hierarchy = SmallHierarchy();
  const multires::TruthLevels truths(hierarchy);
  for (size_t f = 0; f < ok.size(); ++f) {
    EXPECT_EQ(truth.head.frames[f].number, dataset.frame(ok[f]).motion_frame);
    const TruthFrame frame = ReadTruthFrame(truth, static_cast<int>(f));
    const auto coarsened = truths.Coarsened(truths.ToPoints(dataset.Shape(ok[f])));
    for (int i = 1; i <= hierarchy.level_count(); ++i) {
      const Points expected =
          lod::OnVertices(hierarchy.level(i), truths.Truth(i, dataset.pose(ok[f]), coarsened[i - 1]));
      EXPECT_LT((frame.levels[i - 1] - expected).cwiseAbs().maxCoeff(), 1e-4);
    }
  }
}

TEST(Site, ShowsWhatABuildMade) {
  const Things things;
  things.AddDataset();
  const fs::path build = things.folder / "hero.build";
  fs::create_directories(build);
  EXPECT_THROW(BundleOfBuild(build), InputError);
  fs::copy(things.folder / "egg.sinew", build / "character.sinew");
  EXPECT_TRUE(BundleOfBuild(build).datasets.empty());
  fs::copy(things.folder / "egg.dataset", build / "test.dataset", fs::copy_options::recursive);
  fs::copy(things.folder / "egg.lod", build / "levels.lod", fs::copy_options::recursive);
  SiteRequest request{.page = things.folder / "page",
                      .bundles = {BundleOfBuild(build / ""), {.file = things.folder / "egg.sinew"}}};
  const Json characters = Manifest(MakeSite(request))["characters"];
  EXPECT_EQ(characters[0]["name"], "hero");
  EXPECT_EQ(characters[0]["truth"], "data/hero.truth");
  EXPECT_FALSE(characters[1].contains("truth"));
  // Truths for all others.
  request.datasets = {things.folder / "egg.dataset"};
  request.hierarchy = things.folder / "egg.lod";
  const Json both = Manifest(MakeSite(request))["characters"];
  EXPECT_EQ(both[0]["truth"], "data/hero.truth");
  EXPECT_EQ(both[1]["truth"], "data/egg.truth");
}

TEST(Site, TurnsPoseFoldersIntoMotions) {
  const Things things;
  Clip clip = Things::Walk();
  WritePoses(things.folder / "jump.poses", clip);
  SiteRequest request = things.Request();
  request.motions = {things.folder / "jump.poses"};
  const Site site = MakeSite(request);
  const Bytes& file = *site.Find("data/jump.bvh");
  const Clip read = ParseBvh({reinterpret_cast<const char*>(file.data()), file.size()}, "jump.bvh");
  EXPECT_EQ(read.motion.frame_count(), clip.motion.frame_count());
  clip.motion.frames_per_second = 0;
  WritePoses(things.folder / "jump.poses", clip);
  EXPECT_THROW(MakeSite(request), InputError);
}

TEST(Site, TakesMotionsFirstWhereFramesAreLimited) {
  const Things things;
  things.AddDataset();
  SiteRequest request = things.Request();
  request.datasets = {things.folder / "egg.dataset"};
  request.hierarchy = things.folder / "egg.lod";
  request.truth_frames = 16;
  const Site site = MakeSite(request);
  const TruthFile truth = ParseTruth(*site.Find("data/egg.truth"), "egg.truth");
  EXPECT_EQ(truth.head.frames.size(), 16u);
  int timed = 0;
  for (const TruthFrameName& frame : truth.head.frames) timed += truth.head.clips[frame.clip].motion ? 1 : 0;
  EXPECT_EQ(timed, 14);  // of 16, two failed
}

TEST(Site, RefusesWhatThePageCouldNotShow) {
  const Things things;
  WriteFileAtomic(things.folder / "broken.sinew", "nothing of use");
  WriteFileAtomic(things.folder / "broken.bvh", "nothing of use");
  const auto refused = [&](const auto& change) {
    SiteRequest request = things.Request();
    change(request);
    EXPECT_THROW(MakeSite(request), InputError);
  };
  refused([&](SiteRequest& request) { request.bundles = {{.file = things.folder / "broken.sinew"}}; });
  refused([&](SiteRequest& request) { request.bundles = {{.file = things.folder / "missing.sinew"}}; });
  refused([&](SiteRequest& request) { request.motions = {things.folder / "broken.bvh"}; });
  refused([&](SiteRequest& request) { request.motions = {things.folder / "egg.sinew"}; });
  things.AddDataset();
  const lod::Hierarchy other =
      lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {150, 60}, .regions = 12});
  lod::WriteHierarchy(things.folder / "other.lod", other);
  refused([&](SiteRequest& request) {
    request.datasets = {things.folder / "egg.dataset"};
    request.hierarchy = things.folder / "other.lod";
  });
}

TEST(Site, IsExportedWholeAndReplacesOnlyASite) {
  const Things things;
  const Site site = MakeSite(things.Request());
  ExportSite(site, things.folder / "site");
  ExportSite(site, things.folder / "site");
  const auto files = testing::FilesBelow(things.folder / "site");
  EXPECT_EQ(files.size(), site.files.size());
  for (const auto& [path, bytes] : files) EXPECT_EQ(bytes, *site.Find(path)) << path;
  fs::create_directories(things.folder / "mine");
  WriteFileAtomic(things.folder / "mine/letter.txt", "dear");
  EXPECT_THROW(ExportSite(site, things.folder / "mine"), FailedError);
  EXPECT_TRUE(fs::exists(things.folder / "mine/letter.txt"));
}

TEST(FindPage, LooksWhereProgramsAreInstalledAndBuilt) {
  const TemporaryFolder folder;
  EXPECT_THROW(FindPage("", folder / "build/release/bin/sinew"), UsageError);
  EXPECT_THROW(FindPage(folder / "nowhere", folder / "build/release/bin/sinew"), UsageError);
  fs::create_directories(folder / "build/viewer");
  WriteFileAtomic(folder / "build/viewer/index.html", "built");
  EXPECT_EQ(FindPage("", folder / "build/release/bin/sinew"), folder / "build/viewer");
  fs::create_directories(folder / "usr/share/sinew/viewer");
  WriteFileAtomic(folder / "usr/share/sinew/viewer/index.html", "installed");
  EXPECT_EQ(FindPage("", folder / "usr/bin/sinew"), folder / "usr/share/sinew/viewer");
  EXPECT_EQ(FindPage(folder / "build/viewer", folder / "usr/bin/sinew"), folder / "build/viewer");
}

TEST(ContentType, IsWhatBrowsersInsistOn) {
  EXPECT_EQ(ContentType("assets/run.wasm"), "application/wasm");
  EXPECT_TRUE(ContentType("index.html").starts_with("text/html"));
  EXPECT_TRUE(ContentType("assets/a.js").starts_with("text/javascript"));
  EXPECT_EQ(ContentType("data/egg.sinew"), "application/octet-stream");
  EXPECT_EQ(ContentType("wasm"), "application/octet-stream");
}

}  // namespace
}  // namespace sinew::view
