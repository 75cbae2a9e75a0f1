// Poses of bodies whose joints are carried by others than their parents.
#include "sinew/offline/anatomy/articulation.h"

#include <gtest/gtest.h>

#include "sinew/offline/character/carriers.h"
#include "sinew/runtime/pose/features.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

using testing::FreeFeet;

FreeFeet Carried(uint64_t seed) {
  FreeFeet feet = testing::MakeFreeFeet(seed);
  const std::vector<int> carriers = FindCarriers(feet.character);
  for (size_t j = 0; j < carriers.size(); ++j) feet.character.skeleton.joints[j].carrier = carriers[j];
  return feet;
}

TEST(Articulation, FeetStayAtTheLegsThatCarryThem) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const FreeFeet feet = Carried(seed);
    const Skeleton& skeleton = feet.character.skeleton;
    const Articulation articulation(skeleton);
    const std::vector<Eigen::Affine3f> rest = LocalToModel(skeleton, skeleton.RestPose());
    Random random(seed + 10);
    const std::vector<Eigen::Quaterniond> deltas = testing::RandomDeltas(skeleton.joints.size(), random, 1.2);
    const Pose pose = articulation.ToPose(deltas);
    const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
    for (size_t i = 0; i < feet.ankles.size(); ++i) {
      const int ankle = feet.ankles[i], knee = feet.knees[i];
      const Eigen::Vector3f place = rest[knee].inverse() * rest[ankle].translation();
      EXPECT_LT((models[knee] * place - models[ankle].translation()).norm(), 1e-5) << seed;
    }
    const std::vector<Eigen::Quaterniond> again = articulation.Deltas(pose);
    for (size_t j = 0; j < deltas.size(); ++j) EXPECT_LT(deltas[j].angularDistance(again[j]), 1e-3) << seed << " " << j;
  }
}

// A foot is seen against the leg: turning what is above the knee changes nothing of what is seen of the ankle.
TEST(JointView, SeesFeetAgainstTheLegsThatCarryThem) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const FreeFeet feet = Carried(seed);
    const Skeleton& skeleton = feet.character.skeleton;
    const Articulation articulation(skeleton);
    const JointView view(skeleton);
    const JointView plain(testing::MakeFreeFeet(seed).character.skeleton);
    EXPECT_TRUE(plain.references().empty());
    Random random(seed + 20);
    std::vector<Eigen::Quaterniond> deltas = testing::RandomDeltas(skeleton.joints.size(), random, 1.2);
    const Pose pose = articulation.ToPose(deltas);
    const int hip = skeleton.joints[feet.knees[0]].parent;
    deltas[hip] = testing::RandomDeltas(1, random, 1.2)[0];
    const Pose other = articulation.ToPose(deltas);
    const int ankle = feet.ankles[0];
    EXPECT_FALSE(view.IsRoot(ankle));
    EXPECT_TRUE(plain.IsRoot(ankle));
    EXPECT_LT(ToEigen(view.Rotation(pose, ankle)).angularDistance(ToEigen(view.Rotation(other, ankle))), 1e-3);
    EXPECT_GT(ToEigen(plain.Rotation(pose, ankle)).angularDistance(ToEigen(plain.Rotation(other, ankle))), 1e-2);
    // The rotation that is seen is the one from the knee to the ankle in the model.
    const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
    const Eigen::Quaternionf between(
        Eigen::Matrix3f(models[feet.knees[0]].linear().transpose() * models[ankle].linear()));
    EXPECT_LT(ToEigen(view.Rotation(pose, ankle)).angularDistance(between), 1e-3);
  }
}

}  // namespace
}  // namespace sinew
