// The bind pose leaves a skin's mesh as it is, wherever the file lets it rest.
#include "sinew/offline/character/bind_pose.h"

#include <gtest/gtest.h>

#include "sinew/offline/character/posing.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

// Largest difference of a distance between two vertices in the pose and in the mesh data.
double Deformation(const Character& character, const Pose& pose) {
  const Points& data = character.parts[0].mesh.positions;
  const Points shown = PoseCharacter(character, pose).parts[0].positions;
  double most = 0;
  for (Eigen::Index a = 0; a < data.rows(); a += 3) {
    for (Eigen::Index b = 0; b < a; ++b) {
      const double change = (shown.row(a) - shown.row(b)).norm() - (data.row(a) - data.row(b)).norm();
      most = std::max(most, std::abs(change));
    }
  }
  return most;
}

TEST(BindPose, LeavesTheMeshAsItIs) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Character character = testing::MakeFreeFeet(seed).character;
    const Pose bound = character.skeleton.RestPose();
    // Here the character rests in its bind pose, so both are equal to the bit.
    const Pose same = BindPose(character, 0);
    for (size_t j = 0; j < bound.size(); ++j) {
      EXPECT_TRUE(ToEigen(same[j].rotation).coeffs() == ToEigen(bound[j].rotation).coeffs()) << j;
      EXPECT_TRUE(ToEigen(same[j].translation) == ToEigen(bound[j].translation)) << j;
    }
    Random random(seed + 5);
    const Pose rest = testing::RandomPose(character.skeleton, random, 0.5);
    for (size_t j = 0; j < rest.size(); ++j) character.skeleton.joints[j].rest = rest[j];
    EXPECT_GT(Deformation(character, rest), 0.05);
    EXPECT_LT(Deformation(character, BindPose(character, 0)), 1e-4) << seed;
    // Joints that no skin has stay at rest relative to their parents.
    Character without = character;
    const int hip = without.skeleton.Find("left_hip");
    without.skins[0].has_joint[hip] = false;
    const Pose pose = BindPose(without, 0);
    EXPECT_TRUE(ToEigen(pose[hip].rotation).coeffs() == ToEigen(rest[hip].rotation).coeffs());
    for (uint16_t& joint : without.parts[0].weights.joints) joint = joint == hip ? 0 : joint;
    const std::vector<Eigen::Affine3f> models = LocalToModel(without.skeleton, pose);
    EXPECT_TRUE(models[hip].matrix().allFinite());
  }
}

}  // namespace
}  // namespace sinew
