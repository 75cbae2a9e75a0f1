// Real characters, and what their publishers say of them.
#include <gtest/gtest.h>

#include "sinew/offline/inspect/inspect_character.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/shared_assets.h"

namespace sinew::inspect {
namespace {

CharacterInspection Inspect(const std::string& name, bool deep = false) {
  return InspectCharacter(gltf::ReadGltf(testing::AssetsFolder() / name), {.deep = deep});
}

struct Known {
  std::string file;
  int vertices, welded, triangles, joints, animations;
  size_t without_weight;
  std::string unit;
};

TEST(InspectAssets, PublishedFigures) {
  SINEW_REQUIRE_ASSETS();
  for (const Known& known : std::vector<Known>{{"gltf/CesiumMan.glb", 3273, 2338, 4672, 19, 1, 0, "m"},
                                               {"gltf/RiggedFigure.glb", 370, 130, 256, 19, 1, 0, "m"},
                                               {"gltf/Fox.glb", 1728, 290, 576, 24, 3, 2, "cm"},
                                               {"gltf/hand_left.glb", 1360, 1159, 2314, 25, 0, 5, "m"}}) {
    SCOPED_TRACE(known.file);
    const CharacterInspection found = Inspect(known.file);
    EXPECT_EQ(found.whole.vertices, known.vertices);
    EXPECT_EQ(found.whole.welded_vertices, known.welded);
    EXPECT_EQ(found.whole.triangles, known.triangles);
    EXPECT_EQ(found.whole.islands, 1);
    EXPECT_TRUE(found.whole.watertight);
    EXPECT_EQ(found.skeleton.joints, known.joints);
    EXPECT_EQ(static_cast<int>(found.animations.size()), known.animations);
    EXPECT_EQ(found.skeleton.without_weight.size(), known.without_weight);
    EXPECT_EQ(found.unit.name, known.unit);
    EXPECT_EQ(found.weights.repairs.rescaled, 0);
    EXPECT_EQ(found.axes.up, "+Y");
  }
}

TEST(InspectAssets, CesiumManIsTurnedByItsRoot) {
  SINEW_REQUIRE_ASSETS();
  const CharacterInspection found = Inspect("gltf/CesiumMan.glb");
  EXPECT_EQ(found.axes.data_up, "+Z");
  EXPECT_EQ(found.bind[0].comparison.moved, 0);
  EXPECT_GT(WholeTurn(found.bind[0].comparison), 1);
}

TEST(InspectAssets, BodiesAreClosedAndIntersectAsSaid) {
  SINEW_REQUIRE_ASSETS();
  for (const char* name : {"base", "body_07", "body_18"}) {
    SCOPED_TRACE(name);
    const CharacterInspection found = Inspect(std::string("makehuman/") + name + ".glb", true);
    EXPECT_TRUE(found.whole.watertight);
    EXPECT_EQ(found.whole.euler_characteristic, 2);
    EXPECT_EQ(found.whole.degenerate_triangles, 0);
    EXPECT_TRUE(found.skeleton.outside_skin.empty());
    EXPECT_GE(found.deep->intersections.size(), 10u);
    EXPECT_LE(found.deep->intersections.size(), 202u);
  }
}

TEST(InspectAssets, GarmentsAreOpen) {
  SINEW_REQUIRE_ASSETS();
  const CharacterInspection skirt = Inspect("garments/base_skirt.glb");
  EXPECT_FALSE(skirt.whole.watertight);
  EXPECT_EQ(skirt.whole.boundary_loops, 2);
  EXPECT_EQ(skirt.whole.vertices, 720);
}

}  // namespace
}  // namespace sinew::inspect
