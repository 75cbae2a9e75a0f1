// Real characters, as published by others: read as their publishers describe them.
#include <gtest/gtest.h>

#include "sinew/offline/io/gltf.h"
#include "tests/support/shared_assets.h"

namespace sinew {
namespace {

struct Expected {
  const char* file;
  int vertices, triangles, joints, helpers, animations;
};

class Assets : public ::testing::TestWithParam<Expected> {};

TEST_P(Assets, AreReadAsDescribed) {
  SINEW_REQUIRE_ASSETS();
  const Expected& expected = GetParam();
  const Character character = ReadGltf(testing::AssetsFolder() / expected.file);
  EXPECT_EQ(character.vertex_count(), expected.vertices);
  EXPECT_EQ(character.triangle_count(), expected.triangles);
  int helpers = 0;
  for (const Joint& joint : character.skeleton.joints) helpers += joint.helper ? 1 : 0;
  EXPECT_EQ(character.skeleton.joint_count() - helpers, expected.joints);
  EXPECT_EQ(helpers, expected.helpers);
  EXPECT_EQ(static_cast<int>(character.animations.size()), expected.animations);
}

INSTANTIATE_TEST_SUITE_P(All, Assets,
                         ::testing::Values(Expected{"gltf/CesiumMan.glb", 3273, 4672, 19, 2, 1},
                                           Expected{"gltf/RiggedFigure.glb", 370, 256, 19, 1, 1},
                                           Expected{"gltf/Fox.glb", 1728, 576, 24, 0, 3},
                                           Expected{"gltf/hand_left.glb", 1360, 2314, 25, 0, 0},
                                           Expected{"makehuman/base.glb", 13380, 26756, 24, 0, 0},
                                           Expected{"makehuman/base_fingers.glb", 13380, 26756, 53, 0, 0},
                                           Expected{"garments/base_skirt.glb", 720, 1368, 24, 0, 0},
                                           Expected{"garments/base_tights.glb", 2674, 5300, 24, 0, 0}));

}  // namespace
}  // namespace sinew
