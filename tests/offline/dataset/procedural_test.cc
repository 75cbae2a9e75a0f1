#include "sinew/offline/dataset/procedural.h"

#include <gtest/gtest.h>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/parallel.h"
#include "tests/support/rigs.h"
#include "tests/support/test_character.h"

namespace sinew::dataset {
namespace {

// The skin of the egg, brought close to the bones.
Character SlimCharacter(const testing::RigOptions& options = {}) {
  Character character = testing::TestCharacter(options);
  Part& part = character.parts[0];
  const auto joints = LocalToModel(character.skeleton, character.skeleton.RestPose());
  Random random(5);
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    const Eigen::Affine3f& joint = joints[v % joints.size()];
    const Eigen::Vector3d offset{random.Uniform(-0.1, 0.1), random.Uniform(-0.1, 0.1), random.Uniform(-0.1, 0.1)};
    part.mesh.positions.row(v) = (joint.translation() + offset.cast<float>()).transpose();
  }
  part.weights = testing::NearestWeights(part.mesh.positions, joints);
  return character;
}

Pose Bent(const Skeleton& skeleton, const char* joint, const Eigen::Vector3f& axis, double angle) {
  Pose pose = skeleton.RestPose();
  Transform& t = pose[skeleton.Find(joint)];
  t.rotation =
      ToQuaternion(ToEigen(t.rotation) * Eigen::Quaternionf(Eigen::AngleAxisf(static_cast<float>(angle), axis)));
  return pose;
}

double Largest(const std::vector<Points>& u) { return u[0].cwiseAbs().maxCoeff(); }

// Whatever the joints' own frames are.
class ProceduralFieldTest : public ::testing::TestWithParam<int> {
 protected:
  const Character character_ = SlimCharacter({.frames_seed = static_cast<uint64_t>(GetParam()), .names = {}});
  const ProceduralField field_{character_, {}};
};
INSTANTIATE_TEST_SUITE_P(Frames, ProceduralFieldTest, ::testing::Values(0, 1, 2));

TEST_P(ProceduralFieldTest, IsExactlyZeroAtRest) {
  EXPECT_EQ(Largest(field_.Displacements(character_.skeleton.RestPose())), 0);
  // A body that turns and moves as a whole does not deform.
  Pose turned = Bent(character_.skeleton, "pelvis", Eigen::Vector3f::UnitX(), 2);
  turned[0].translation.x += 3;
  EXPECT_EQ(Largest(field_.Displacements(turned)), 0);
}

TEST_P(ProceduralFieldTest, IsTheSameForQAndMinusQ) {
  Random random(7);
  const Pose pose = testing::RandomPose(character_.skeleton, random, 2);
  Pose other = pose;
  for (Transform& t : other) t.rotation = {-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w};
  EXPECT_LT((field_.Displacements(pose)[0] - field_.Displacements(other)[0]).cwiseAbs().maxCoeff(), 1e-7);
}

// Around a full turn there is no jump: steps of the angle give steps of the shape, everywhere alike small.
TEST_P(ProceduralFieldTest, NeverJumps) {
  constexpr int kSteps = 720;
  const Eigen::Vector3f axis = Eigen::Vector3f(1, 2, -0.5f).normalized();
  Points last = field_.Displacements(Bent(character_.skeleton, "left_elbow", axis, 0))[0];
  double largest = 0;
  for (int s = 1; s <= kSteps; ++s) {
    const double angle = 2 * 3.14159265358979 * s / kSteps;
    const Points now = field_.Displacements(Bent(character_.skeleton, "left_elbow", axis, angle))[0];
    largest = std::max(largest, static_cast<double>((now - last).cwiseAbs().maxCoeff()));
    last = now;
  }
  EXPECT_GT(largest, 1e-6);
  EXPECT_LT(largest, 1e-3);
}

// A vertex has what its position and weights say, whichever mesh it is in.
TEST(ProceduralField, DoesNotDependOnTheMesh) {
  const Character character = SlimCharacter();
  Character part = character;
  Part& p = part.parts[0];
  const int influences = p.weights.influences;
  std::vector<int> kept;
  for (int v = 3; v < p.mesh.vertex_count(); v += 5) kept.push_back(v);
  Points positions(static_cast<int>(kept.size()), 3);
  SkinWeights weights{.influences = influences, .joints = {}, .weights = {}};
  for (size_t k = 0; k < kept.size(); ++k) {
    positions.row(static_cast<int>(k)) = p.mesh.positions.row(kept[k]);
    for (int i = 0; i < influences; ++i) {
      weights.joints.push_back(p.weights.joints[kept[k] * influences + i]);
      weights.weights.push_back(p.weights.weights[kept[k] * influences + i]);
    }
  }
  p.mesh = {positions, {}};
  p.weights = weights;
  Random random(3);
  const Pose pose = testing::RandomPose(character.skeleton, random, 1);
  const Points whole = ProceduralField(character, {}).Displacements(pose)[0];
  const Points some = ProceduralField(part, {}).Displacements(pose)[0];
  for (size_t k = 0; k < kept.size(); ++k) EXPECT_EQ(some.row(static_cast<int>(k)), whole.row(kept[k]));
  EXPECT_GT(some.cwiseAbs().maxCoeff(), 0);
}

// Each strength by itself moves something, in proportion, and all together are their sum.
TEST(ProceduralField, IsTheSumOfItsScales) {
  const Character character = SlimCharacter();
  Random random(3);
  const Pose pose = testing::RandomPose(character.skeleton, random, 1);
  Points sum = Points::Zero(character.vertex_count(), 3);
  for (int k = 0; k < 5; ++k) {
    std::array<double, 5> s = {};
    s[k] = 1;
    const Points one = ProceduralField(character, {s[0], s[1], s[2], s[3], s[4]}).Displacements(pose)[0];
    s[k] = 2;
    const Points two = ProceduralField(character, {s[0], s[1], s[2], s[3], s[4]}).Displacements(pose)[0];
    EXPECT_GT(one.cwiseAbs().maxCoeff(), 1e-5) << k;
    EXPECT_LT((two - 2 * one).cwiseAbs().maxCoeff(), 1e-7) << k;
    sum += one;
  }
  EXPECT_LT((ProceduralField(character, {}).Displacements(pose)[0] - sum).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ProceduralTruth, AtRestIsTheRestShapeAndIsTheSameForAnyThreads) {
  const Character character = SlimCharacter();
  ProceduralTruth truth(character, {});
  const Pose rest = character.skeleton.RestPose();
  EXPECT_EQ(truth.Shape(rest), PoseCharacter(character, rest).parts[0].positions);
  Random random(3);
  const Pose pose = testing::RandomPose(character.skeleton, random, 1);
  SetThreads(1);
  const Points one = truth.Shape(pose);
  SetThreads(5);
  EXPECT_EQ(truth.Shape(pose), one);
  SetThreads(0);
}

}  // namespace
}  // namespace sinew::dataset
