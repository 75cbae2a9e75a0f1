#include "sinew/offline/autorig/rig_character.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "sinew/offline/autorig/both_sides.h"
#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/character/symmetry.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_rig.h"
#include "tests/support/temporary_folder.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

const RigNetwork& AnyNetwork() {
  static const RigNetwork network(testing::UntrainedRigModel(10), "untrained");
  return network;
}

// Whatever the network answers, the result is a character that can be used.
TEST(RigCharacter, KeepsTheMeshAndGivesSoundWeights) {
  const Character mesh = WithoutRig(testing::SmallBiped());
  const Rig rig = RigCharacter(mesh, AnyNetwork(), {.names = NamesOf("mixamo")}, "biped.obj");
  EXPECT_EQ(rig.character.parts[0].mesh.positions, mesh.parts[0].mesh.positions);
  EXPECT_EQ(rig.character.parts[0].mesh.triangles, mesh.parts[0].mesh.triangles);
  ASSERT_EQ(rig.character.skeleton.joint_count(), kJoints);
  EXPECT_GE(rig.character.skeleton.Find("mixamorig:LeftForeArm"), 0);
  const SkinWeights& weights = rig.character.parts[0].weights;
  EXPECT_EQ(weights.influences, 4);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += weights.weights[4 * v + k];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  std::set<std::string> checks;
  for (const Verdict& verdict : rig.verdicts) {
    checks.insert(verdict.check);
    EXPECT_FALSE(verdict.sentence.empty());
  }
  EXPECT_EQ(checks, (std::set<std::string>{"joints-inside", "bone-lengths", "symmetry", "confidence", "one-body",
                                           "unweighted", "volume", "stretch"}));
}

TEST(RigCharacter, JointsPlacedByHandAreThere) {
  RigOptions options;
  options.placed[4] = {0.1, 0.5, 0.02};
  const Rig rig = RigCharacter(WithoutRig(testing::SmallBiped()), AnyNetwork(), options, "biped.obj");
  const std::vector<Eigen::Affine3f> places = LocalToModel(rig.character.skeleton, rig.character.skeleton.RestPose());
  EXPECT_LT((places[4].translation() - Eigen::Vector3f(0.1F, 0.5F, 0.02F)).norm(), 1e-5);
}

// A body that is its own mirror image gets a rig that is so, too, and later training gets the mirror images of frames.
TEST(RigCharacter, BothSidesOfASymmetricBodyAreTheSame) {
  const Rig rig = RigCharacter(WithoutRig(testing::SmallBiped()), AnyNetwork(), {}, "biped.obj");
  ASSERT_TRUE(rig.both_sides);
  const std::optional<Symmetry> symmetry = FindSymmetry(rig.character);
  ASSERT_TRUE(symmetry);
  const Eigen::Affine3d reflection = symmetry->reflection.cast<double>();
  for (int j = 0; j < kJoints; ++j) {
    const int other = BipedJoints()[j].mirrored;
    EXPECT_EQ(symmetry->partners[j], other);
    const Eigen::Vector3d image = reflection * Eigen::Vector3d(rig.joints.row(other).transpose());
    EXPECT_LT((rig.joints.row(j).transpose() - image).norm(), 1e-6) << j;
  }
}

TEST(MirrorWeights, WhatEachSideGetsIsTheMirrorImageOfTheOther) {
  const TriMesh& mesh = testing::SmallBiped().parts[0].mesh;
  const std::optional<MirrorImage> image = FindMirrorImage(mesh, Eigen::Vector3f::UnitX());
  ASSERT_TRUE(image);
  Random random(9);
  RowMatrix weights(mesh.vertex_count(), kJoints);
  for (float& weight : weights.reshaped()) weight = static_cast<float>(random.Uniform());
  MirrorWeights(*image, weights);
  int seen = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Symmetry::Place& place = image->places[v];
    const auto at = std::max_element(place.weights.begin(), place.weights.end()) - place.weights.begin();
    if (place.weights[at] < 0.9999F) continue;  // between vertices
    ++seen;
    for (int j = 0; j < kJoints; ++j) {
      EXPECT_NEAR(weights(v, j), weights(place.vertices[at], BipedJoints()[j].mirrored), 1e-3) << v;
    }
  }
  EXPECT_GT(seen, mesh.vertex_count() / 2);
}

TEST(RigCharacter, ABodyWithOneHandLargerKeepsItsSides) {
  Character mesh = WithoutRig(testing::SmallBiped());
  Points& positions = mesh.parts[0].mesh.positions;
  const float reach = positions.col(0).maxCoeff();
  for (Eigen::Index v = 0; v < positions.rows(); ++v) {
    if (positions(v, 0) > 0.9F * reach) positions(v, 0) += 0.05F * reach;
  }
  EXPECT_FALSE(RigCharacter(mesh, AnyNetwork(), {}, "biped.obj").both_sides);
}

TEST(RigCharacter, WhatIsNoBipedIsRefused) {
  const RigNetwork strict(testing::UntrainedRigModel(1e-9), "untrained");
  try {
    RigCharacter(WithoutRig(testing::SmallBiped()), strict, {}, "fox.obj");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fox.obj"));
    EXPECT_THAT(error.what(), HasSubstr("is not a biped"));
    EXPECT_THAT(error.what(), HasSubstr("--anyway"));
  }
}

// By wish, and where nothing is left to a network's joints; never without a word.
TEST(RigCharacter, WhatIsNoBipedIsRiggedAnywayAndSaidToBeDoubtful) {
  const RigNetwork strict(testing::UntrainedRigModel(1e-9), "untrained");
  RigOptions anyway, by_hand;
  anyway.anyway = true;
  for (int j = 0; j < kJoints; ++j) by_hand.placed[j] = {0.01 * j, 1, 0};
  for (const RigOptions& options : {anyway, by_hand}) {
    const Rig rig = RigCharacter(WithoutRig(testing::SmallBiped()), strict, options, "fox.obj");
    EXPECT_EQ(rig.character.skeleton.joint_count(), kJoints);
    EXPECT_TRUE(std::any_of(rig.verdicts.begin(), rig.verdicts.end(),
                            [](const Verdict& verdict) { return verdict.check == "confidence" && !verdict.good; }));
  }
}

// Of all that a file may hold: a body with it is not flat.
TEST(RigCharacter, OneVertexFarAwayDoesNotMatter) {
  Character mesh = WithoutRig(testing::SmallBiped());
  RigOptions anyway;
  anyway.anyway = true;
  const Rig plain = RigCharacter(mesh, AnyNetwork(), anyway, "biped.obj");
  mesh.parts[0].mesh.positions.row(10) = Eigen::RowVector3f(4000, 9000, 0);
  const Rig spiked = RigCharacter(mesh, AnyNetwork(), anyway, "biped.obj");
  EXPECT_EQ(spiked.islands.size(), plain.islands.size());
  EXPECT_NEAR(spiked.frame.height, plain.frame.height, 0.05 * plain.frame.height);
}

TEST(RigCharacter, BadMeshesAreRefusedWithASentence) {
  EXPECT_THROW(RigCharacter(Character{}, AnyNetwork(), {}, "empty.obj"), InputError);
  Character point = WithoutRig(testing::SmallBiped());
  point.parts[0].mesh.positions.setZero();
  EXPECT_THROW(RigCharacter(point, AnyNetwork(), {}, "point.obj"), InputError);
  Character broken = WithoutRig(testing::SmallBiped());
  broken.parts[0].mesh.positions(3, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(RigCharacter(broken, AnyNetwork(), {}, "nan.obj"), InputError);
  EXPECT_THROW(RigCharacter(testing::SmallBiped(), AnyNetwork(), {}, "rigged.glb"), InputError);
  Character triangle = WithoutRig(testing::SmallBiped());
  triangle.parts[0].mesh = testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  try {
    RigCharacter(triangle, AnyNetwork(), {}, "triangle.obj");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("triangle.obj: is flat"));
  }
}

TEST(ReadPlacedJoints, SaysWhatIsWrong) {
  const testing::TemporaryFolder folder;
  const auto message = [&](const std::string& text) -> std::string {
    WriteFileAtomic(folder.path() / "joints.json", text);
    try {
      ReadPlacedJoints((folder.path() / "joints.json").string());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("{\"left_knee\": [0.1, 0.5, 0]}"), "");
  EXPECT_THAT(message("{\"left_kne\": [0.1, 0.5, 0]}"), HasSubstr("left_knee"));
  EXPECT_THAT(message("{\"left_knee\": [0.1, 0.5]}"), HasSubstr("three numbers"));
  EXPECT_THAT(message("[]"), HasSubstr("no JSON object"));
}

}  // namespace
}  // namespace sinew::autorig
