// `sinew compare` as a user calls it, on a build that is over in seconds.
#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/render/image.h"
#include "tests/tools/egg_command.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmall =
    "[hierarchy]\nlevels = 2\nregions = 8\nfit_poses = 2\n"
    "[poses]\ntraining = 24\nwide = 0\nhuman = false\ninner = 0.2\nclear = false\ntest = 3\nmotion_frames = 4\n"
    "[simulation]\ntets = 300\ncontact = false\n[training]\nsteps = 40\n"
    "[timing]\nseconds = 0\n[report]\npictures = false\n";

class CompareCommand : public EggCommand {
 protected:
  // Built once, since no test changes it.
  static void SetUpTestSuite() {
    built_ = std::make_unique<TemporaryFolder>();
    WriteCharacter(TestCharacter(), *built_ / "egg.glb");
    WriteFileAtomic(*built_ / "small.toml", kSmall);
    const ProgramResult run =
        RunSinewIn(built_->path(), {"build", "egg.glb", "-o", "egg.build", "--config", "small.toml", "--quiet"});
    ASSERT_EQ(run.code, 0) << run.errors;
  }
  static void TearDownTestSuite() { built_.reset(); }

  static std::string Build() { return (*built_ / "egg.build").string(); }
  Words Call(const Words& more) const {
    Words words = {"compare", Build(), "-o", "picture.png", "--size", "80x64"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Json Compared(Words more) const {
    more.emplace_back("--json");
    return RunWell(Call(more));
  }

  static std::unique_ptr<TemporaryFolder> built_;
};

std::unique_ptr<TemporaryFolder> CompareCommand::built_;

TEST_F(CompareCommand, ShowsTheWorstFrameWithoutOptions) {
  const Json json = Compared({});
  EXPECT_EQ(json.value("width", 0), 3 * 80);
  EXPECT_EQ(json.value("frames", 0), 1);
  EXPECT_NE(json.value("focus", ""), "");
  const render::Image image = render::DecodeImage(ReadFile(folder_ / "picture.png"), "picture.png", "");
  EXPECT_EQ(image.width, 3 * 80);
  // No other frame of the build is farther from skinning.
  const double worst = Compared({"--whole"})["compared"][0]["skinning"]["max_mm"];
  double most = 0;
  for (const char* set : {"--test", "--motion"}) {
    const Json all = Compared({set, "--whole"});
    for (const Json& frame : all["compared"]) most = std::max(most, frame["skinning"]["mean_mm"].get<double>());
  }
  EXPECT_GE(worst, most);
}

TEST_F(CompareCommand, ShowsFramesOfTheBuildOrAllOfThem) {
  EXPECT_EQ(Compared({"--motion"}).value("frames", 0), 4);
  const Json one = Compared({"--test", "--frame", "1", "--focus", "left_knee", "--view", "front"});
  EXPECT_EQ(one.value("frames", 0), 1);
  EXPECT_EQ(one.value("focus", ""), "left_knee");
  EXPECT_EQ(one.value("view", ""), "front");
  EXPECT_EQ(one["compared"][0].value("frame", ""), "unseen poses, frame 1");
}

TEST_F(CompareCommand, ShowsEverydayPosesWhereThereAreAny) {
  const std::vector<int> ok = dataset::Dataset(Build() + "/everyday.dataset").OkFrames();
  ASSERT_FALSE(ok.empty());
  const Json one = Compared({"--everyday", "--frame", std::to_string(ok[0])});
  EXPECT_EQ(one.value("frames", 0), 1);
  EXPECT_EQ(one["compared"][0].value("frame", "frame").find("frame"), std::string::npos) << "a pose has a name";
  // A build of what is no biped has none.
  fs::copy(Build(), folder_ / "other.build", fs::copy_options::recursive);
  fs::remove_all(folder_ / "other.build/everyday.dataset");
  ExpectRefusedInBothForms({"compare", "other.build", "-o", "p.png", "--everyday"}, 2, {"--everyday", "bipeds"});
}

// A pose of the build that is simulated again has the same true shape as the build's own.
TEST_F(CompareCommand, SimulatesOtherPosesAsTheBuildDoes) {
  const Json own = Compared({"--test", "--frame", "0", "--whole"});
  const Json again = Compared({"--poses", Build() + "/test.poses", "--frame", "0", "--whole", "--truth-mesh", "t.glb"});
  EXPECT_EQ(own["compared"][0]["skinning"], again["compared"][0]["skinning"]);
  EXPECT_EQ(own["compared"][0]["sinew"], again["compared"][0]["sinew"]);
  const dataset::Dataset truths(Build() + "/test.dataset");
  const Points written = ReadCharacter(folder_ / "t.glb").parts[0].mesh.positions;
  EXPECT_LT((written - truths.Shape(0)).cwiseAbs().maxCoeff(), 1e-6f);
  const Json named = Compared({"--pose", "left_hip=20", "--truth-mesh", "t.obj"});
  EXPECT_EQ(named["compared"][0].value("frame", ""), "left_hip=20");
  EXPECT_EQ(named.value("truth_mesh", ""), "t.obj");
  EXPECT_EQ(ReadCharacter(folder_ / "t.obj").vertex_count(), truths.ReadCharacter(0).vertex_count());
}

TEST_F(CompareCommand, PosesByNameKeepTheirNames) {
  RunWell({"poses", "egg.glb", "--pose", "left_hip=20", "--pose", "right_hip=15", "-o", "two.poses", "--json"});
  const Json two = Compared({"--poses", "two.poses"});
  EXPECT_EQ(two.value("frames", 0), 2);
  EXPECT_EQ(two["compared"][0].value("frame", ""), "left_hip=20");
  EXPECT_EQ(two["compared"][1].value("frame", ""), "right_hip=15");
}

TEST_F(CompareCommand, HasTheSameBytesWhateverTheThreads) {
  Compared({"--pose", "left_hip=20", "--threads", "1"});
  const Bytes one = ReadFile(folder_ / "picture.png");
  Compared({"--pose", "left_hip=20", "--threads", "2"});
  EXPECT_EQ(ReadFile(folder_ / "picture.png"), one);
}

TEST_F(CompareCommand, WrongCallsAreOneSentence) {
  const auto refused = [&](const Words& more, int code, const Words& parts) {
    ExpectRefusedInBothForms(Call(more), code, parts);
    EXPECT_FALSE(fs::exists(folder_ / "picture.png"));
  };
  refused({"--pose", "left_hip=20", "--motion"}, 2, {"--pose", "--motion", "exclude"});
  refused({"--everyday", "--test"}, 2, {"--everyday", "exclude"});
  refused({"--frame", "1"}, 2, {"--frame", "--motion"});
  refused({"--test", "--frame", "9"}, 2, {"--frame 9", "test.dataset", "from 0 to 2"});
  refused({"--pose", "left_hip=20", "--frame", "1"}, 2, {"--frame 1", "--pose has 1 frames"});
  refused({"--pose", "left_hpi=20"}, 2, {"left_hip"});
  refused({"--focus", "left_hpi"}, 2, {"--focus", "left_hip"});
  refused({"--focus", "left_hip", "--whole"}, 2, {"--whole", "--focus"});
  refused({"--view", "below"}, 2, {"below"});
  refused({"--test", "--truth-mesh", "t.glb"}, 2, {"--truth-mesh t.glb", "3 frames", "--frame"});
  refused({"--truth-mesh", "t.ply"}, 2, {"--truth-mesh t.ply", ".glb"});
  refused({"--poses", "gone.poses"}, 3, {"gone.poses"});
  refused({"--pose", "left_elbow=140"}, 4, {"left_elbow=140 has no true shape", "bends less"});
  ExpectRefusedInBothForms({"compare", "gone.build", "-o", "p.png"}, 3, {"gone.build", "no folder"});
  fs::create_directory(folder_ / "empty");
  ExpectRefusedInBothForms({"compare", "empty", "-o", "p.png"}, 3, {"empty", "build.toml", "sinew build -o empty"});
  ExpectRefusedInBothForms({"dataset", "picture", Build() + "/test.dataset", "--focus", "left_hpi", "-o", "p.png"}, 2,
                           {"--focus", "left_hip"});
}

}  // namespace
}  // namespace sinew::testing
