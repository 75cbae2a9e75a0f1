#include "sinew/offline/render/focus.h"

#include <gtest/gtest.h>

#include <array>

#include "sinew/offline/core/error.h"
#include "sinew/offline/render/picture.h"
#include "tests/support/limb_figure.h"

namespace sinew::render {
namespace {

// A body of capsules, whose vertices are in caps around its joints, each moved by one joint.
struct Body {
  const Character character;
  const std::vector<Eigen::Affine3f> rest = LocalToModel(character.skeleton, character.skeleton.RestPose());

  explicit Body(const testing::RigOptions& options = {}) : character(testing::MakeLimbFigure(options).character) {}

  int Joint(const std::string& name) const { return FocusJoint(character, name); }
  // How many of the vertices that `carrier` moves and that are nearer than 12 cm to the joint `at` are marked: all,
  // some or none.
  std::string Marked(const std::vector<bool>& marked, const std::string& carrier, const std::string& at) const {
    const Part& part = character.parts[0];
    const Eigen::Vector3f place = rest[character.skeleton.Find(at)].translation();
    int all = 0, found = 0;
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const bool near = (part.mesh.positions.row(v).transpose() - place).norm() < 0.12f;
      if (part.weights.joints[v] != character.skeleton.Find(carrier) || !near) continue;
      ++all;
      found += marked[v];
    }
    EXPECT_GT(all, 0) << carrier << " " << at;
    return found == all ? "all" : found == 0 ? "none" : "some";
  }
};

TEST(Focus, AnElbowIsSeenWithUpperArmAndForearm) {
  for (const double arm_down : {0.0, 0.8}) {
    const Body body({.arm_down = arm_down, .names = {}});
    const std::vector<bool> around = Surroundings(body.character, body.Joint("left_elbow"));
    EXPECT_EQ(body.Marked(around, "left_shoulder", "left_elbow"), "all");
    EXPECT_EQ(body.Marked(around, "left_elbow", "left_elbow"), "all");
    EXPECT_NE(body.Marked(around, "left_shoulder", "left_shoulder"), "all");
    EXPECT_EQ(body.Marked(around, "left_hand", "left_hand"), "none");
    EXPECT_EQ(body.Marked(around, "spine2", "spine2"), "none");
    EXPECT_EQ(body.Marked(around, "right_elbow", "right_elbow"), "none");
  }
}

TEST(Focus, EndsOfLimbsAreSeenWhole) {
  const Body body;
  const std::vector<bool> head = Surroundings(body.character, body.Joint("head"));
  EXPECT_EQ(body.Marked(head, "head", "head"), "all");
  EXPECT_EQ(body.Marked(head, "left_shoulder", "left_shoulder"), "none");
  const std::vector<bool> wrist = Surroundings(body.character, body.Joint("left_wrist"));
  EXPECT_EQ(body.Marked(wrist, "left_hand", "left_hand"), "all");
  EXPECT_EQ(body.Marked(wrist, "left_shoulder", "left_shoulder"), "none");
  // Bones of a trunk are shorter than it is thick.
  const std::vector<bool> spine = Surroundings(body.character, body.Joint("spine2"));
  EXPECT_NE(body.Marked(spine, "spine1", "spine2"), "none");
  EXPECT_EQ(body.Marked(spine, "left_hand", "left_hand"), "none");
}

TEST(Focus, JointsAreNamedAsInTheFileOrByAnatomy) {
  Character character = testing::MakeLimbFigure().character;
  const int elbow = character.skeleton.Find("left_elbow");
  character.skeleton.joints[elbow].name = "LeftForeArm";
  EXPECT_EQ(FocusJoint(character, "LeftForeArm"), elbow);
  EXPECT_EQ(FocusJoint(character, "left_elbow"), elbow);
  try {
    FocusJoint(character, "left_elbo");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("left_elbow"), std::string::npos) << error.what();
  }
}

TEST(Focus, AJointThatCarriesNothingCannotBeSeen) {
  Character character = testing::MakeLimbFigure().character;
  Joint far;
  far.name = "far";
  far.parent = character.skeleton.Find("left_hand");
  far.rest.translation = {90, 0, 0};
  character.skeleton.joints.push_back(far);
  character.skins[0].inverse_bind.push_back(Eigen::Affine3f::Identity());
  character.skins[0].has_joint.push_back(false);
  character.parts[0].mesh.triangles.resize(0, 3);
  for (uint16_t& joint : character.parts[0].weights.joints) joint = 0;
  EXPECT_THROW(FocusJoint(character, "far"), UsageError);
}

PictureOptions Small() {
  PictureOptions options;
  options.views = {ParseView("front")};
  options.sheet.height = options.sheet.width = 96;
  return options;
}

PictureInput Still(const Character& character) {
  return {.character = &character, .poses = {character.skeleton.RestPose()}};
}

TEST(Focus, TheCameraFramesTheSurroundingsAndAllIsDrawn) {
  const Body body;
  PictureOptions options = Small();
  const Bytes whole = MakePicture({Still(body.character)}, options).file;
  PictureInput framed = Still(body.character);
  framed.framed = Surroundings(body.character, body.Joint("left_elbow"));
  const Bytes near = MakePicture({framed}, options).file;
  EXPECT_NE(near, whole);
  options.focus = "left_elbow";
  EXPECT_EQ(MakePicture({Still(body.character)}, options).file, near);
  // Without the trunk and the head, whose shadows reach the arm, the picture is another: they are drawn.
  Character arm = body.character;
  Triangles& triangles = arm.parts[0].mesh.triangles;
  Eigen::Index kept = 0;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    if (framed.framed[triangles(t, 0)]) triangles.row(kept++) = triangles.row(t).eval();
  }
  triangles.conservativeResize(kept, 3);
  EXPECT_NE(MakePicture({Still(arm)}, options).file, near);
}

// The halves of a picture of two panels.
std::array<std::vector<uint8_t>, 2> Halves(const Picture& picture) {
  const Image image = DecodeImage(picture.file, "picture.png", "");
  std::array<std::vector<uint8_t>, 2> halves;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const Pixel& pixel = image.pixels[static_cast<size_t>(y) * image.width + x];
      auto& half = halves[2 * x < image.width ? 0 : 1];
      half.insert(half.end(), {pixel[0], pixel[1], pixel[2]});
    }
  }
  return halves;
}

TEST(Focus, OneCameraShowsWhatMovedAside) {
  const Body body;
  Character aside = body.character;
  aside.parts[0].mesh.positions.col(0).array() += 0.05f;
  PictureOptions options = Small();
  options.sheet.style.ground = false;
  for (const bool same : {false, true}) {
    options.same_camera = same;
    const auto [left, right] = Halves(MakePicture({Still(body.character), Still(body.character)}, options));
    EXPECT_EQ(left, right);
    const auto [first, second] = Halves(MakePicture({Still(body.character), Still(aside)}, options));
    int differ = 0;
    for (size_t i = 0; i < first.size(); ++i) differ += std::abs(first[i] - second[i]) > 30;
    if (same) {
      EXPECT_GT(differ, 100);
    } else {
      EXPECT_LT(differ, 100) << "a camera of its own is moved aside, too";
    }
  }
}

}  // namespace
}  // namespace sinew::render
