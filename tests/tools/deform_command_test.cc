// `sinew deform` with colliders.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/poses.h"
#include "tests/support/rigs.h"
#include "tests/tools/egg_command.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::Words;

class DeformCommand : public testing::EggCommand {
 protected:
  DeformCommand() {
    fs::copy_file(SINEW_SOURCE_DIR "/tests/golden/bundle_contact_v2.sinew", folder_ / "ball.sinew");
    fs::copy_file(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew", folder_ / "plain.sinew");
    loaded_ = bundle::ReadBundle(folder_ / "ball.sinew");
    Clip clip;
    clip.skeleton = bundle::SkeletonOf(loaded_.bundle);
    Random random(1);
    poses_ = {clip.skeleton.RestPose(), testing::RandomPose(clip.skeleton, random, 0.2)};
    clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = poses_};
    WritePoses(folder_ / "walk.poses", clip);
  }

  std::vector<float> Deformed(Words more) const {
    Words words = {"deform", "ball.sinew", "--poses", "walk.poses", "-o", "out.npy", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(RunWell(words).at("frames"), 2);
    return ReadNpy(folder_ / "out.npy").ToFloats();
  }

  // A turned collider at a vertex of the rest pose.
  runtime::Collider OnSkin() const {
    const Points skin = bake::Deform(loaded_.bundle, poses_[0], loaded_.bundle.level_count()).positions;
    const Eigen::Matrix3f turn = Eigen::Quaternionf(0.9f, 0.1f, -0.2f, 0.3f).normalized().toRotationMatrix();
    runtime::Collider collider;
    for (int k = 0; k < 3; ++k) {
      for (int row = 0; row < 3; ++row) collider.pose.m[4 * k + row] = turn(row, k);
      collider.pose.m[12 + k] = skin(skin.rows() / 3, k);
    }
    return collider;
  }
  static std::string Text(const runtime::Collider& collider, const std::string& name) {
    const float* t = collider.pose.m + 12;
    return fmt::format("{}={},{},{},0.1,-0.2,0.3,0.9", name, t[0], t[1], t[2]);
  }

  bundle::LoadedBundle loaded_;
  std::vector<Pose> poses_;
};

TEST_F(DeformCommand, PressesTheSkinWithTheCollidersThatItIsGiven) {
  const runtime::Collider collider = OnSkin();
  const std::vector<float> plain = Deformed({}), pressed = Deformed({"--collider", Text(collider, "ball")});
  EXPECT_NE(pressed, plain);
  ASSERT_EQ(pressed.size(), plain.size());
  for (size_t f = 0; f < poses_.size(); ++f) {
    const Points expected =
        bake::Deform(loaded_.bundle, poses_[f], loaded_.bundle.level_count(), false, {&collider, 1}).positions;
    const float* found = pressed.data() + f * static_cast<size_t>(expected.size());
    for (Eigen::Index i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected.data()[i], 1e-5f);
  }
  EXPECT_EQ(Deformed({"--collider", "ball=100,0,0"}), plain) << "a far one changes no bit";
  EXPECT_NE(Deformed({"--collider", Text(collider, "ball"), "--collider", Text(collider, "ball")}), plain);
}

TEST_F(DeformCommand, WritesAFrameWithColliders) {
  const Words words = {"deform", "ball.sinew", "--poses", "walk.poses", "--frame", "0", "--json", "-o"};
  const auto shape = [&](const std::string& file, const Words& more) {
    Words all = words;
    all.push_back(file);
    all.insert(all.end(), more.begin(), more.end());
    RunWell(all);
    return Points(ReadCharacter(folder_ / file).parts[0].mesh.positions);
  };
  const Points plain = shape("plain.glb", {}), pressed = shape("ball.glb", {"--collider", Text(OnSkin(), "ball")});
  ASSERT_EQ(plain.rows(), pressed.rows());
  EXPECT_GT((plain - pressed).cwiseAbs().maxCoeff(), 1e-4f);
}

TEST_F(DeformCommand, RefusesCollidersThatItDoesNotUnderstand) {
  const auto refused = [&](const std::string& bundle, const Words& more, const Words& parts) {
    Words words = {"deform", bundle, "--poses", "walk.poses", "-o", "out.npy"};
    words.insert(words.end(), more.begin(), more.end());
    ExpectRefused(words, 2, parts);
    EXPECT_FALSE(fs::exists(folder_ / "out.npy"));
  };
  for (const char* text : {"ball", "ball=", "ball=1,2", "ball=1,2,3,", "ball=1,2,3,4", "ball=1,2,x", "ball=1,2,nan",
                           "ball=1,2,3,0,0,0,0", "ball=1,2,3,0,0,0,1,0", "ball=1,,3"}) {
    refused("ball.sinew", {"--collider", text}, {"is not NAME=X,Y,Z"});
  }
  refused("ball.sinew", {"--collider", "stool=0,0,0"}, {"'stool'", "has learned the colliders ball"});
  refused("plain.sinew", {"--collider", "ball=0,0,0"}, {"has learned no contact", "sinew contact learn"});
  refused("ball.sinew", {"--collider", "ball=1e30,0,0"}, {"too far"});
  refused("ball.sinew", {"--collider", "ball=0,0,0", "--skin-only"}, {"--skin-only and --collider"});
  Words many;
  for (int i = 0; i < 9; ++i) many.insert(many.end(), {"--collider", "ball=0,0,0"});
  refused("ball.sinew", many, {"at most 8"});
}

}  // namespace
}  // namespace sinew
