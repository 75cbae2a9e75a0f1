// `sinew poses` and `sinew render --pose` as a user calls them: poses by name.
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/poses.h"
#include "tests/tools/egg_command.h"

namespace sinew::testing {
namespace {

class PosesCommand : public EggCommand {};

TEST_F(PosesCommand, WritesPosesByName) {
  const Json json = RunWell({"poses", "egg.glb", "--pose", "left_elbow=90", "--pose", "left_elbow=140,head.twist=20",
                             "-o", "named.poses", "--json"});
  EXPECT_EQ(json.value("frames", 0), 2);
  EXPECT_EQ(json.value("frames_per_second", -1.0), 0);
  const Clip clip = ReadPoses(folder_ / "named.poses");
  ASSERT_EQ(clip.sources.size(), 2u);
  EXPECT_EQ(clip.sources[0].kind, "named");
  EXPECT_EQ(clip.sources[1].clip, "left_elbow=140,head.twist=20");
  const int elbow = clip.skeleton.Find("left_elbow"), head = clip.skeleton.Find("head");
  const auto turn = [&](int frame, int joint) {
    return ToEigen(clip.motion.frames[frame][joint].rotation)
        .angularDistance(ToEigen(clip.skeleton.joints[joint].rest.rotation));
  };
  EXPECT_NEAR(turn(1, elbow) - turn(0, elbow), 50 * 3.14159 / 180, 0.01);
  EXPECT_EQ(turn(0, head), 0);
  EXPECT_NEAR(turn(1, head), 20 * 3.14159 / 180, 0.01);
}

TEST_F(PosesCommand, SaysThatAPoseIsBeyondTheLimitsAndWritesIt) {
  const ProgramResult run = Run({"poses", "egg.glb", "--pose", "left_knee=175", "-o", "far.poses"});
  EXPECT_EQ(run.code, 0) << run.errors;
  EXPECT_NE(run.errors.find("left_knee is 37 degrees beyond its limits"), std::string::npos) << run.errors;
  EXPECT_EQ(ReadPoses(folder_ / "far.poses").motion.frame_count(), 1);
}

TEST_F(PosesCommand, WritesEverydayPoses) {
  const Json json = RunWell({"poses", "egg.glb", "--everyday", "-o", "everyday.poses", "--json"});
  EXPECT_EQ(json.value("frames", 0), 12);
  EXPECT_EQ(json["poses"][0].value("name", ""), "elbow_90");
  const Clip clip = ReadPoses(folder_ / "everyday.poses");
  EXPECT_EQ(clip.motion.frames_per_second, 0);
  EXPECT_EQ(clip.sources[4].kind, "named");
  EXPECT_EQ(clip.sources[4].clip, "sit");
  Character unknown = TestCharacter();
  for (size_t j = 0; j < unknown.skeleton.joints.size(); ++j) unknown.skeleton.joints[j].name = "q" + std::to_string(j);
  WriteCharacter(unknown, folder_ / "unknown.glb");
  ExpectRefusedInBothForms({"poses", "unknown.glb", "--everyday", "-o", "none.poses"}, 3, {"unknown.glb", "no biped"});
}

TEST_F(PosesCommand, WrongPosesAreOneSentence) {
  const auto refused = [&](const Words& more, const Words& parts) {
    Words words = {"poses", "egg.glb", "-o", "none.poses"};
    words.insert(words.end(), more.begin(), more.end());
    ExpectRefusedInBothForms(words, 2, parts);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none.poses"));
  };
  refused({"--pose", "left_elbw=90"}, {"no joint 'left_elbw'", "left_elbow"});
  refused({"--pose", "left_elbow=much"}, {"'much' is no angle"});
  refused({"--pose", "left_elbow"}, {"JOINT=DEGREES"});
  refused({"--pose", "left_elbow=90", "--count", "3"}, {"--pose", "--limits"});
  refused({"--pose", "left_elbow=90", "--from", "egg.glb"}, {"--pose"});
  refused({"--count", "3", "--as-is"}, {"--as-is is for motions"});
  refused({"--pose", "left_elbow=90", "--as-is"}, {"--pose", "--limits"});
  refused({"--everyday", "--count", "3"}, {"--everyday", "--limits"});
  refused({"--everyday", "--pose", "left_elbow=90"}, {"--everyday"});
}

TEST_F(PosesCommand, ElbowsOfARecordingBendAsHingesUnlessTheyAreToStay) {
  RunWell({"poses", "egg.glb", "--pose", "left_elbow.side=60", "-o", "sideways.bvh", "--json"});
  const Json turned = RunWell({"poses", "egg.glb", "--from", "sideways.bvh", "-o", "turned.poses", "--json"});
  EXPECT_FALSE(turned["motions"][0]["retargeted"].get<bool>());
  EXPECT_TRUE(turned["motions"][0]["recorded"].get<bool>());
  const Json kept = RunWell({"poses", "egg.glb", "--from", "sideways.bvh", "--as-is", "-o", "kept.poses", "--json"});
  EXPECT_FALSE(kept["motions"][0]["recorded"].get<bool>());
  EXPECT_LT(turned["outside_limits"]["worst_degrees"].get<double>(),
            kept["outside_limits"]["worst_degrees"].get<double>() - 10);
}

TEST_F(PosesCommand, RenderDrawsAPoseByName) {
  RunWell({"render", "egg.glb", "--size", "64", "-o", "rest.png", "--json"});
  RunWell({"render", "egg.glb", "--size", "64", "--pose", "left_hip=90", "-o", "bent.png", "--json"});
  EXPECT_NE(ReadFile(folder_ / "rest.png"), ReadFile(folder_ / "bent.png"));
  ExpectRefusedInBothForms({"render", "egg.glb", "--pose", "left_hp=90", "-o", "none.png"}, 2, {"left_hip"});
  ExpectRefusedInBothForms({"render", "egg.glb", "--pose", "left_hip=90", "--animation", "0", "-o", "none.png"}, 2,
                           {"--pose", "--animation"});
}

}  // namespace
}  // namespace sinew::testing
