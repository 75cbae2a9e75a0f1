#include "sinew/offline/skincells/skin_character.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/skincells/bleed.h"
#include "sinew/offline/skincells/bones.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/subject.h"
#include "tests/support/hard_meshes.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skin_subjects.h"
#include "tests/support/sound_weights.h"
#include "tests/support/test_character.h"

namespace sinew::skincells {
namespace {

SkinOptions Quick(int l) {
  SkinOptions options;
  options.max_influences = l;
  options.steps = 4;
  options.pose_count = 32;
  options.progress = false;
  return options;
}

class AnyMesh : public ::testing::TestWithParam<testing::MeshFamily> {};

// Non-manifold, open, broken and tiny meshes are normal input.
TEST_P(AnyMesh, GetsSoundWeightsByEveryMethod) {
  const CollectWarnings quiet;
  for (const TriMesh& mesh : {GetParam().mesh, testing::Unwelded(GetParam().mesh)}) {
    const Character bare = testing::OnAChain(mesh, 6);
    for (const int l : {1, 2, 3, 4, 8}) {
      for (const Method method : {Method::kSkinCells, Method::kProximity, Method::kVoxel, Method::kTransfer}) {
        Character character = bare;
        SkinOptions options = Quick(l);
        options.method = method;
        SkinCharacter(character, "chain", options, &bare, "bare");
        testing::ExpectSoundWeights(character, l);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, AnyMesh, ::testing::ValuesIn(testing::MeshFamilies()),
                         [](const auto& each) { return each.param.name; });

TEST(SkinCharacter, RefusesMoreJointsThanAnyCharacterHas) {
  const CollectWarnings quiet;
  Character most = testing::StarOfJoints(kMaxJoints, 3, 8), more = testing::StarOfJoints(kMaxJoints + 1, 3, 8);
  SkinOptions options = Quick(4);
  EXPECT_EQ(SkinCharacter(most, "star", options).joints, kMaxJoints);
  try {
    SkinCharacter(more, "star", options);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2001 joints"), std::string::npos) << error.what();
  }
  options.method = Method::kProximity;
  EXPECT_EQ(SkinCharacter(more, "star", options).joints, kMaxJoints + 1);
  testing::ExpectSoundWeights(more, 4);
}

TEST(SkinCharacter, TakesBrokenTriangles) {
  const CollectWarnings quiet;
  TriMesh mesh = testing::Sausage();
  mesh.triangles.row(3) << 5, 5, 9;
  mesh.positions.row(7) = mesh.positions.row(8);
  Points more(mesh.positions.rows() + 1, 3);
  more << mesh.positions, 40, 40, 40;  // in no triangle, far from every joint
  mesh.positions = more;
  Character character = testing::OnAChain(mesh, 5);
  SkinCharacter(character, "chain", Quick(4));
  testing::ExpectSoundWeights(character, 4);
}

TEST(SkinCharacter, SeamsGetTheSameWeights) {
  Character character = testing::OnAChain(testing::Unwelded(testing::Sausage()), 5);
  SkinCharacter(character, "chain", Quick(4));
  const Part& part = character.parts[0];
  const Subject subject = MakeSubject(character, "chain");
  std::vector<int> first(subject.surface.vertex_count(), -1);
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    int& other = first[subject.surface_of[0][v]];
    if (other < 0) other = v;
    for (int k = 0; k < 4; ++k) EXPECT_EQ(part.weights.weights[4 * v + k], part.weights.weights[4 * other + k]);
  }
}

TEST(SkinCharacter, TransferFromItselfChangesNothing) {
  const Character source = testing::TestCharacter();
  Character character = source;
  SkinOptions options = Quick(2);
  options.method = Method::kTransfer;
  SkinCharacter(character, "egg", options, &source, "egg");
  for (size_t i = 0; i < source.parts[0].weights.weights.size(); ++i) {
    EXPECT_NEAR(character.parts[0].weights.weights[i], source.parts[0].weights.weights[i], 1e-5);
  }
}

TEST(SkinCharacter, TransferNamesAMissingJoint) {
  Character source = testing::OnAChain(testing::Sausage(), 5), character = testing::OnAChain(testing::Sausage(), 4);
  SkinOptions options = Quick(2);
  options.method = Method::kTransfer;
  try {
    SkinCharacter(character, "short.glb", options, &source, "long.glb");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("no joint 'link_4'"), std::string::npos) << error.what();
  }
}

TEST(ApplyField, GivesTheSameWeightsThatWereOptimized) {
  Character character = testing::OnAChain(testing::Sausage(), 5);
  const SkinReport report = SkinCharacter(character, "chain", Quick(3));
  const SkinField& field = report.optimization.field;
  Character again = testing::OnAChain(testing::Sausage(), 5);
  ApplyField(field, "a.field", again, "chain");
  EXPECT_EQ(again.parts[0].weights.weights, character.parts[0].weights.weights);
  EXPECT_EQ(again.parts[0].weights.joints, character.parts[0].weights.joints);
  // A mesh that stands elsewhere is laid over the field by its bind pose.
  Character moved = testing::OnAChain(testing::Moved(testing::Sausage(), {4, -1, 2}), 5);
  ApplyField(field, "a.field", moved, "moved");
  for (size_t i = 0; i < moved.parts[0].weights.weights.size(); ++i) {
    EXPECT_NEAR(moved.parts[0].weights.weights[i], character.parts[0].weights.weights[i], 1e-3);
  }
  // A finer mesh without a skeleton gets the field's.
  Character bare;
  bare.parts.emplace_back().mesh = testing::Sausage(28, 40);
  ApplyField(field, "a.field", bare, "bare.obj");
  testing::ExpectSoundWeights(bare, 3);
  EXPECT_EQ(bare.skeleton.joint_count(), 5);
  Character other = testing::OnAChain(testing::Sausage(), 4);
  EXPECT_THROW(ApplyField(field, "a.field", other, "other"), InputError);
}

TEST(Subject, RefusesWhatCannotBeSkinned) {
  Character nothing;
  nothing.parts.emplace_back().mesh = testing::Sausage();
  EXPECT_THROW(MakeSubject(nothing, "a"), InputError);
  Character empty = testing::OnAChain(testing::Sausage(), 3);
  empty.parts[0].skin = -1;
  EXPECT_THROW(MakeSubject(empty, "a"), InputError);
  // The joint's place is a number, but not in single precision.
  Character far = testing::OnAChain(testing::Sausage(), 3);
  far.skins[0].inverse_bind[1].matrix().topRows<3>().setConstant(1e20f);
  far.skins[0].inverse_bind[1](0, 1) = far.skins[0].inverse_bind[1](1, 2) = 0;
  EXPECT_THROW(MakeSubject(far, "a"), InputError);
}

TEST(Bleed, IsWhatAJointDrivesFromAfar) {
  // All of the chain is bound to its first link: what is near the others bleeds.
  const Character character = testing::OnAChain(testing::Sausage(), 5);
  const Subject subject = MakeSubject(character, "chain");
  const std::vector<Bone> bones = FindBones(subject, SurfaceQuery(subject.surface));
  SkinWeights weights = SurfaceWeights(subject, character);
  const BleedOptions options;
  int expected = 0;
  for (int v = 0; v < subject.surface.vertex_count(); ++v) {
    const Eigen::Vector3d x = subject.surface.positions.row(v).transpose().cast<double>();
    double nearest = 1e9;
    for (const Bone& bone : bones) nearest = std::min(nearest, ClosestOnBone(bone, x).distance);
    expected += ClosestOnBone(bones[0], x).distance - nearest > options.reach * subject.size ? 1 : 0;
  }
  const std::vector<JointBleed> bleed = FindBleed(subject, bones, weights);
  ASSERT_EQ(bleed.size(), 1u);
  EXPECT_EQ(bleed[0].joint, 0);
  EXPECT_EQ(bleed[0].vertices, expected);
  EXPECT_GT(expected, 0);
  EXPECT_EQ(bleed[0].largest_weight, 1);
  EXPECT_GT(bleed[0].farthest, 0.5);
}

TEST(Quality, ItsDetailAddsUp) {
  Character character = testing::OnAChain(testing::Sausage(), 5);
  SkinCharacter(character, "chain", Quick(2));
  const Subject subject = MakeSubject(character, "chain");
  const SurfaceQuery query(subject.surface);
  const std::vector<Bone> bones = FindBones(subject, query);
  std::vector<Pose> poses;
  Random random(3);
  for (int p = 0; p < 6; ++p) poses.push_back(testing::RandomPose(character.skeleton, random, 0.5));
  const TrainingSet set = MakeTrainingSet(subject, MakeSprings(subject, bones, query), character.skeleton, poses);
  const SkinWeights weights = SurfaceWeights(subject, character);
  QualityDetail detail;
  const Quality quality = MeasureQuality(subject, set, weights, &detail);
  double over_vertices = 0, over_poses = 0;
  for (const double value : detail.vertex_delta_mush) over_vertices += value / set.vertex_count();
  for (const double value : detail.pose_delta_mush) over_poses += value / 6;
  EXPECT_GT(quality.delta_mush, 0);
  EXPECT_NEAR(over_vertices, quality.delta_mush, 1e-4 * quality.delta_mush);
  EXPECT_NEAR(over_poses, quality.delta_mush, 1e-9);
  EXPECT_GE(*std::max_element(detail.vertex_stretch.begin(), detail.vertex_stretch.end()), quality.stretch_99);
  double pose_2 = 0;
  for (const double value : DeltaMushDisplacements(subject, set, weights, 2)) pose_2 += value / set.vertex_count();
  EXPECT_NEAR(pose_2, detail.pose_delta_mush[2], 1e-4 * pose_2);
}

TEST(Bones, EveryJointHasOneAndEndsStayInside) {
  const Character character = testing::OnAChain(testing::Sausage(), 5);
  const Subject subject = MakeSubject(character, "chain");
  const std::vector<Bone> bones = FindBones(subject, SurfaceQuery(subject.surface));
  ASSERT_EQ(bones.size(), 5u);
  for (int j = 0; j < 5; ++j) {
    EXPECT_EQ(bones[j].joint, j);
    EXPECT_EQ(bones[j].child, j < 4 ? j + 1 : -1);
    EXPECT_LT(std::abs(bones[j].b.y()), 1);
  }
}

// Springs stand on the vertices that were optimised on: on a dense mesh those of a simplified copy.
TEST(SkinCharacter, OptimisesADenseMeshOnASimplifiedCopy) {
  Character limb = testing::OnAChain(testing::Sausage(110, 160), 3);
  SkinOptions options;
  options.steps = 4;
  options.sites = 2;
  options.pose_count = 32;
  options.progress = false;
  const SkinReport report = SkinCharacter(limb, "limb.glb", options);
  EXPECT_GT(report.vertices, 16000);
  EXPECT_GT(report.springs, 1000);
  EXPECT_LE(report.springs, 10000);
  const Subject subject = MakeSubject(limb, "limb.glb");
  const SkinWeights expected = EvaluateField(report.optimization.field, subject.surface.positions);
  EXPECT_EQ(SurfaceWeights(subject, limb).weights, expected.weights);
}

}  // namespace
}  // namespace sinew::skincells
