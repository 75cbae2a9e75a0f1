#include "sinew/offline/character/posing.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

Transform RandomTransform(Random& random, float scale) {
  const auto uniform = [&] { return static_cast<float>(random.Uniform(-1, 1)); };
  const Eigen::Quaternionf q = Eigen::Quaternionf(uniform(), uniform(), uniform(), uniform()).normalized();
  const auto factor = [&] { return 1 + scale * uniform(); };
  return {{uniform(), uniform(), uniform()}, ToQuaternion(q), {factor(), factor(), factor()}};
}

// A chain of joints, one skinned part of random points, and one unskinned copy of it.
Character RandomCharacter(uint64_t seed, int joints, int vertices, int influences) {
  Random random(seed);
  Character character;
  Skin skin;
  for (int j = 0; j < joints; ++j) {
    character.skeleton.joints.push_back({"joint" + std::to_string(j), j / 2 - (j == 0), RandomTransform(random, 0)});
  }
  for (const Eigen::Affine3f& model : LocalToModel(character.skeleton, character.skeleton.RestPose())) {
    skin.inverse_bind.push_back(model.inverse());
  }
  skin.has_joint.assign(joints, true);
  character.skins.push_back(skin);
  Part part;
  part.name = "body";
  part.skin = 0;
  part.mesh.positions.resize(vertices, 3);
  part.normals.resize(vertices, 3);
  part.tangents.resize(vertices, 4);
  part.weights.influences = influences;
  for (int v = 0; v < vertices; ++v) {
    for (int k = 0; k < 3; ++k) part.mesh.positions(v, k) = static_cast<float>(random.Uniform(-1, 1));
    const Eigen::Vector3f normal = Eigen::Vector3f(part.mesh.positions.row(v).transpose()).normalized();
    part.normals.row(v) = normal.transpose();
    const Eigen::Vector3f tangent = normal.unitOrthogonal();
    part.tangents.row(v) << tangent.x(), tangent.y(), tangent.z(), v % 2 == 0 ? 1.0f : -1.0f;
    float sum = 0;
    std::vector<float> weights(influences);
    for (float& w : weights) sum += w = static_cast<float>(random.Uniform(0.1, 1));
    std::sort(weights.rbegin(), weights.rend());
    for (int k = 0; k < influences; ++k) {
      part.weights.joints.push_back(static_cast<uint16_t>((v + 3 * k) % joints));
      part.weights.weights.push_back(weights[k] / sum);
    }
  }
  character.parts.push_back(part);
  part.skin = -1;
  part.weights = {};
  part.model_from_mesh = ToAffine(RandomTransform(random, 0.5f));
  character.parts.push_back(part);
  return character;
}

TEST(Posing, RestIsTheMeshItself) {
  const Character character = RandomCharacter(1, 7, 300, 4);
  for (const SkinMethod method : {SkinMethod::kLinearBlend, SkinMethod::kDualQuaternion}) {
    const PosedCharacter posed = PoseCharacter(character, character.skeleton.RestPose(), {.method = method});
    EXPECT_LT((posed.parts[0].positions - character.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 2e-5f);
    EXPECT_LT((posed.parts[0].normals - character.parts[0].normals).cwiseAbs().maxCoeff(), 2e-5f);
    EXPECT_LT((posed.parts[0].tangents - character.parts[0].tangents).cwiseAbs().maxCoeff(), 2e-5f);
  }
}

TEST(Posing, LinearBlendIsTheSumOverMatrices) {
  const Character character = RandomCharacter(2, 9, 300, 3);
  Random random(3);
  Pose pose;
  for (int j = 0; j < 9; ++j) pose.push_back(RandomTransform(random, 0.3f));
  const PosedCharacter posed = PoseCharacter(character, pose);
  const std::vector<Eigen::Affine3f> model = LocalToModel(character.skeleton, pose);
  const Part& part = character.parts[0];
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    Eigen::Matrix4f blended = Eigen::Matrix4f::Zero();
    for (int k = 0; k < 3; ++k) {
      const int joint = part.weights.joints[3 * v + k];
      blended += part.weights.weights[3 * v + k] * (model[joint] * character.skins[0].inverse_bind[joint]).matrix();
    }
    const Eigen::Matrix3f linear = blended.topLeftCorner<3, 3>();
    const Eigen::Vector3f position = linear * part.mesh.positions.row(v).transpose() + blended.topRightCorner<3, 1>();
    // Out of the surface, also where the matrix mirrors; there, tangents change their handedness.
    const Eigen::Vector3f turned = linear.inverse().transpose() * part.normals.row(v).transpose();
    const float handedness = linear.determinant() < 0 ? -1.0f : 1.0f;
    const Eigen::Vector3f tangent = linear * part.tangents.row(v).head<3>().transpose();
    const float scale = 1 + position.norm();
    EXPECT_LT((posed.parts[0].positions.row(v).transpose() - position).norm(), 2e-5f * scale);
    EXPECT_LT((posed.parts[0].normals.row(v).transpose() - turned.normalized()).norm(), 2e-3f);
    EXPECT_LT((posed.parts[0].tangents.row(v).head<3>().transpose() - tangent.normalized()).norm(), 1e-4f);
    EXPECT_EQ(posed.parts[0].tangents(v, 3), handedness * part.tangents(v, 3));
  }
}

TEST(Posing, OneInfluenceMovesAsItsJointByEitherMethod) {
  const Character character = RandomCharacter(4, 5, 300, 1);
  Random random(5);
  Pose pose;
  for (int j = 0; j < 5; ++j) pose.push_back(RandomTransform(random, 0.4f));
  const PosedCharacter linear = PoseCharacter(character, pose, {.method = SkinMethod::kLinearBlend});
  const PosedCharacter dual = PoseCharacter(character, pose, {.method = SkinMethod::kDualQuaternion});
  EXPECT_LT((linear.parts[0].positions - dual.parts[0].positions).cwiseAbs().maxCoeff(), 5e-5f);
  EXPECT_LT((linear.parts[0].normals - dual.parts[0].normals).cwiseAbs().maxCoeff(), 1e-3f);
  EXPECT_LT((linear.parts[0].tangents - dual.parts[0].tangents).cwiseAbs().maxCoeff(), 1e-3f);
}

TEST(Posing, UnskinnedPartsStandWhereTheirNodeIs) {
  const Character character = RandomCharacter(6, 3, 50, 2);
  const Part& part = character.parts[1];
  const PosedCharacter posed = PoseCharacter(character, character.skeleton.RestPose());
  for (int v = 0; v < 50; ++v) {
    const Eigen::Vector3f expected = part.model_from_mesh * Eigen::Vector3f(part.mesh.positions.row(v).transpose());
    EXPECT_LT((posed.parts[1].positions.row(v).transpose() - expected).norm(), 1e-5f);
    EXPECT_NEAR(posed.parts[1].normals.row(v).norm(), 1, 1e-5f);
    EXPECT_NEAR(posed.parts[1].normals.row(v).dot(posed.parts[1].tangents.row(v).head<3>()), 0, 1e-5f);
  }
}

TEST(Posing, BoxHoldsEveryPart) {
  const Character character = RandomCharacter(7, 3, 50, 2);
  const PosedCharacter posed = PoseCharacter(character, character.skeleton.RestPose());
  Box box;
  for (const PosedPart& part : posed.parts) box.extend(BoundingBox(part.positions));
  EXPECT_TRUE(posed.box.isApprox(box));
}

TEST(Posing, SameBitsWhateverTheNumberOfThreads) {
  const Character character = RandomCharacter(8, 9, 5000, 4);
  Random random(9);
  Pose pose;
  for (int j = 0; j < 9; ++j) pose.push_back(RandomTransform(random, 0.4f));
  SetThreads(1);
  const PosedCharacter one = PoseCharacter(character, pose);
  SetThreads(3);
  const PosedCharacter three = PoseCharacter(character, pose);
  SetThreads(0);
  EXPECT_EQ(one.parts[0].positions, three.parts[0].positions);
  EXPECT_EQ(one.parts[0].normals, three.parts[0].normals);
}

// Displacements that skinned normals cannot see: a joint moved without turning shears the triangles between it and the
// others.
TEST(Posing, DynamicNormalsArePerpendicularToTheTriangles) {
  Character character;
  character.skeleton.joints = {{"root", -1, {}}, {"tip", 0, {}}};
  character.skins.push_back({"skin", {2, Eigen::Affine3f::Identity()}, {true, true}});
  Part part;
  part.name = "square";
  part.skin = 0;
  part.mesh.positions.resize(4, 3);
  part.mesh.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0;
  part.mesh.triangles.resize(2, 3);
  part.mesh.triangles << 0, 1, 2, 2, 1, 3;
  part.weights = {1, {0, 0, 1, 1}, {1, 1, 1, 1}};
  character.parts = {part};
  Pose pose = character.skeleton.RestPose();
  pose[1].translation = {0, 0, 1};
  const Poser poser(character, {.method = SkinMethod::kLinearBlend, .dynamic_normals = true});
  const PosedCharacter posed = poser.Evaluate(pose);
  const float r = std::sqrt(0.5f);
  for (int v = 0; v < 4; ++v) {
    EXPECT_LT((posed.parts[0].normals.row(v) - Eigen::RowVector3f(0, -r, r)).norm(), 1e-6f);
  }
}

TEST(Posing, APoseOfAnotherSkeletonIsRefused) {
  Character character = RandomCharacter(10, 3, 50, 2);
  character.name = "biped";
  try {
    PoseCharacter(character, Pose(4));
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "the pose has 4 joints but biped has 3; retarget it to this skeleton first");
  }
}

}  // namespace
}  // namespace sinew
